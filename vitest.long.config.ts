import { defineConfig } from 'vitest/config'

/** What takes minutes: the same checks as in `npm test`, many more times. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    testTimeout: 15 * 60_000,
    maxConcurrency: 2,
    // Much of a run is spent waiting.
    maxWorkers: 3,
  },
})
