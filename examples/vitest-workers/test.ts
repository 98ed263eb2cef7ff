import { sandboxFixtures } from 'crm-sandbox/vitest'
import { inject, test as base } from 'vitest'

/** Gives each test a new team, on the sandbox of the global setup. */
export const test = base.extend(sandboxFixtures({ url: inject('sandboxUrl') }))
