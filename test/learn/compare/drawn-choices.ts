import { drawFrom } from '../../../learn/compare/walk.ts'
import { assumption, assumptionNames } from '../../../spec/assumptions.ts'
import type { WrittenChoices } from '../../../spec/choices.ts'

/** A choice for every entry, the same for the same seed; a limited rate would end the run. */
export function drawChoices(seed: number): WrittenChoices {
  const draw = drawFrom(seed)
  const drawn = assumptionNames.map((name) => {
    const choices = Object.entries(assumption(name).choices)
    const [choice = '', meaning] = choices[draw(choices.length)] ?? []
    if (meaning === undefined || typeof meaning === 'string') return [name, choice]
    return [name, `${choice}:${meaning.amount.unit === 'milliseconds' ? 20 : meaning.amount.usual}`]
  })
  return { ...Object.fromEntries(drawn), rateLimit: 'none' } as WrittenChoices
}
