import { describe, expect, it } from 'vitest'
import { assumption, assumptionNames } from '../../spec/assumptions.ts'
import { verified } from '../contracts/verified.ts'

/** Every choice other than the assumed one; a number that goes with it is so high that nothing reaches it. */
const otherwise = assumptionNames.flatMap((name) =>
  Object.entries(assumption(name).choices)
    .filter(([choice]) => choice !== assumption(name).assumed)
    .map(([choice, meaning]) => [name, typeof meaning === 'string' ? choice : `${choice}:999999`] as const),
)

// A server may fill a gap of the specification in any way, so no check may call that a broken promise. Two at a time,
// since each is a process that waits for another.
describe.concurrent('No promise is broken, and nothing left behind', () => {
  it.each(otherwise)('by %s=%s', async (name, choice) => {
    const { code, stdout } = await verified({ assume: { [name]: choice } })
    expect(stdout).not.toMatch(/^(Broken|Went wrong|May be left behind)$/m)
    expect([0, 3]).toContain(code)
  })
})
