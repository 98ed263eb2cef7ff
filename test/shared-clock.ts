import { afterAll, vi } from 'vitest'

// The other test files of this worker would wait forever on a clock that stands still.
afterAll(() => {
  if (vi.isFakeTimers()) throw new Error('This file leaves a fake clock: add `isolated` to its name')
})
