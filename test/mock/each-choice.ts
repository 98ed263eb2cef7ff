import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { assumption, type AssumptionName, type Choice } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { type Call, openSandbox, type Told } from './harness.ts'

/** How a test observes the choices of an assumption. */
interface Sight<Name extends AssumptionName> {
  /** Gets an answer that relies on the assumption, and what the choice makes different. */
  readonly story: (call: Call) => Promise<{ told: Told; seen: unknown }>
  /** The result of `story` for each choice. */
  readonly shows: Readonly<Record<Choice<Name>, unknown>>
  /** Gets an answer that is the same with every choice. */
  readonly otherwise: (call: Call) => Promise<Told>
  readonly world?: World
  /** The choices of other assumptions that the story needs. */
  readonly with?: WrittenChoices
}

/** Tests what each choice does, and that exactly the answers that rely on it are marked. */
export function seeEachChoice(sights: { readonly [Name in AssumptionName]?: Sight<Name> }): void {
  describe.each(Object.entries(sights))('%s', (name, { story, shows, otherwise, world, with: others = {} }) => {
    const given = world ? { world } : {}

    it.each(Object.entries(shows))('=%s has its effect, and the answer is marked', async (choice, shown) => {
      const { call } = await openSandbox({ ...given, assume: { ...others, [name]: choice } })
      const { told, seen } = await story(watched(call))
      expect(seen).toEqual(shown)
      expect(told.assumed).toContain(name)
    })

    it('is not relied on when it makes no difference', async () => {
      const { call } = await openSandbox({ ...given, assume: others })
      const { assumed } = await otherwise(watched(call))
      expect(assumed).not.toContain(name)
    })
  })
}

/** Checks that an answer relies only on assumptions that the register lists for its operation. */
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
