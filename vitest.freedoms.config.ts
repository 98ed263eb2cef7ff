import { defineConfig } from 'vitest/config'

/** The suite against every freedom of the second server, which takes an hour. */
export default defineConfig({
  test: {
    include: ['test/other-server/every-freedom.slow.ts'],
    testTimeout: 60 * 60_000,
  },
})
