import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { assumption, type AssumptionName, type Choice } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { type Call, openSandbox, type Told } from './harness.ts'

/** What a test sees of an assumption. */
export interface Sight<Name extends AssumptionName> {
  /** Leads to the answer that relies on it, and to what can be seen then. */
  readonly story: (call: Call) => Promise<{ told: Told; seen: unknown }>
  /** What is seen, for each choice. */
  readonly shows: Readonly<Record<Choice<Name>, unknown>>
  /** Leads to an answer that would have been the same with any choice. */
  readonly otherwise: (call: Call) => Promise<Told>
  readonly world?: World
  /** Other choices that the story needs. */
  readonly with?: WrittenChoices
}

/** For each choice what is seen, and that the answer is marked; and that another answer is not. */
export function seeEachChoice(sights: { readonly [Name in AssumptionName]?: Sight<Name> }): void {
  describe.each(Object.entries(sights))('%s', (name, { story, shows, otherwise, world, with: others = {} }) => {
    const given = world ? { world } : {}

    it.each(Object.entries(shows))('%s is what happens, and the answer says so', async (choice, shown) => {
      const { call } = await openSandbox({ ...given, assume: { ...others, [name]: choice } })
      const { told, seen } = await story(watched(call))
      expect(seen).toEqual(shown)
      expect(told.assumed).toContain(name)
    })

    it('is not relied on where it makes no difference', async () => {
      const { call } = await openSandbox({ ...given, assume: others })
      const { assumed } = await otherwise(watched(call))
      expect(assumed).not.toContain(name)
    })
  })
}

/** An answer relies on no assumption that is not said to concern its operation. */
function watched(call: Call): Call {
  return async (id, ask) => {
    const told = await call(id, ask)
    const strange = told.assumed.filter((name) => {
      const { operations } = assumption(name as AssumptionName)
      return operations !== 'all' && !operations.includes(id)
    })
    expect(strange, `what ${id} relies on`).toEqual([])
    return told
  }
}
