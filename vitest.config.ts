import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules', 'dist', 'examples/**', 'test/long/**', 'test/deviants/**', 'test/generators/**'],
    testTimeout: 60_000,
    // One worker fewer than there are cores would leave half of a small machine idle.
    maxWorkers: '100%',
  },
})
