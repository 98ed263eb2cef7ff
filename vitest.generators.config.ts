import { defineConfig } from 'vitest/config'

/** Clients that third-party generators make of the document; they are fetched from their registries. */
export default defineConfig({
  test: {
    include: ['test/generators/**/*.test.ts'],
    testTimeout: 15 * 60_000,
  },
})
