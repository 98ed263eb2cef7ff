import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { Trace } from './side.ts'
import type { Walk } from './walk.ts'

/** A choice with which the sandbox does what the server did. */
export interface Explanation {
  readonly name: AssumptionName
  /** As a profile writes it. */
  readonly written: string
}

interface Explaining {
  readonly walk: Walk
  /** What the sandbox did, and on which entries it relied. */
  readonly sandbox: Trace
  readonly choices: WrittenChoices
  /** Whether a sandbox that made these choices does what the server did. */
  readonly isAlike: (choices: WrittenChoices) => Promise<boolean>
}

/** Tries every other choice of each entry that the sandbox relied on: no other entry can have had an effect. */
export async function explain({ walk, sandbox, choices, isAlike }: Explaining): Promise<readonly Explanation[]> {
  const found: Explanation[] = []
  for (const { name, written } of candidates(walk, sandbox, choices)) {
    if (await isAlike({ ...choices, [name]: written })) found.push({ name, written })
  }
  return found
}

function candidates(walk: Walk, sandbox: Trace, choices: WrittenChoices): Explanation[] {
  // Those of the last step come first, since they are the most likely.
  const relied = new Set(walk.toReversed().flatMap(({ n }) => sandbox.get(n)?.reliedOn ?? []))
  const names = [...relied].flatMap((name) => assumptionNames.find((known) => known === name) ?? [])
  return names
    .filter((name) => name !== 'rateLimit')
    .flatMap((name) => {
      const { choices: all, assumed } = assumption(name)
      const current = (choices[name] ?? assumed).split(':')[0]
      const others = Object.entries(all).filter(([choice]) => choice !== current)
      // Those with a number come last: what never happens in a walk is most likely not a matter of a longer delay.
      others.sort(([, one], [, other]) => Number(typeof other === 'string') - Number(typeof one === 'string'))
      return others.map(([choice, meaning]) => ({
        name,
        written: typeof meaning === 'string' ? choice : `${choice}:${meaning.amount.usual}`,
      }))
    })
}
