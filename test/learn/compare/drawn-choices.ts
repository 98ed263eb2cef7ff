import fc from 'fast-check'
import { assumption, type AssumptionName, assumptionNames } from '../../../spec/assumptions.ts'
import type { WrittenChoices } from '../../../spec/choices.ts'

/** A choice for every entry, the same for the same seed; a limited rate would end the run. */
export function drawChoices(seed: number): WrittenChoices {
  const drawn = fc.sample(fc.record(Object.fromEntries(assumptionNames.map((name) => [name, choiceFor(name)]))), {
    seed,
    numRuns: 1,
  })
  return { ...drawn[0], rateLimit: 'none' }
}

const choiceFor = (name: AssumptionName) =>
  fc.constantFrom(...Object.entries(assumption(name).choices)).map(([choice, meaning]) => {
    if (typeof meaning === 'string') return choice
    return `${choice}:${meaning.amount.unit === 'milliseconds' ? 20 : meaning.amount.usual}`
  })
