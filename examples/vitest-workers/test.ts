import { sandboxTest } from 'crm-sandbox/vitest'
import { inject } from 'vitest'

/** Gives each test a team of its own, on the sandbox of the global setup. */
export const test = sandboxTest({ url: inject('sandboxUrl') })
