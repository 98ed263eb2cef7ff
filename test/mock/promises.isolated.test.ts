import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StartedTarget } from '../../contracts/client/run.ts'
import { startOwnTarget } from '../../cli/own-target.ts'
import { checked, resultsOf, send } from '../contracts/deviants/suite.ts'

// The checks of the contract suite, each as one test of the sandbox.

let target: StartedTarget
beforeAll(async () => {
  target = await startOwnTarget()
})
afterAll(() => target.stop())

it.each(checked)('keeps %s', async (id) => {
  for await (const { outcome, reason, finding, faults } of resultsOf([id], target, send))
    expect({ outcome, reason, finding, faults }).toEqual({ outcome: 'kept', faults: [] })
})
