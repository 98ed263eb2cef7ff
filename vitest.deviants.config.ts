import { defineConfig } from 'vitest/config'

/** Servers that break one promise each, and the suite that has to notice every one of them. */
export default defineConfig({
  test: {
    include: ['test/deviants/**/*.test.ts'],
    testTimeout: 10 * 60_000,
    maxWorkers: 2,
  },
})
