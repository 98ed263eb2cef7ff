import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { globalSetup: './global-setup.ts', maxWorkers: 8, minWorkers: 8, pool: 'threads' },
})
