import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import type { AssumptionName, Choice } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { type Call, openSandbox, type Told } from './harness.ts'

/** How a test observes the choices of an assumption. */
interface Sight<Name extends AssumptionName> {
  /** Gets an answer that relies on the assumption, and what the choice changes: by default the status. */
  readonly story: (call: Call) => Promise<Told | { readonly told: Told; readonly seen: unknown }>
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
      const result = await story(call)
      const { told, seen } = 'told' in result ? result : { told: result, seen: result.status }
      expect(seen).toEqual(shown)
      expect(told.assumed).toContain(name)
    })

    it('is not relied on when it makes no difference', async () => {
      const { call } = await openSandbox({ ...given, assume: others })
      const { assumed } = await otherwise(call)
      expect(assumed).not.toContain(name)
    })
  })
}
