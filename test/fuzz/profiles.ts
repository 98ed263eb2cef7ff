import fc from 'fast-check'
import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import { readProfile, type WrittenChoices } from '../../spec/choices.ts'

/** Any choices for all that is left open, but those that answer what the document does not have. */
export function profiles(count: number, seed: number): WrittenChoices[] {
  const choices = assumptionNames.map((name) => [name, fc.constantFrom(...choicesOf(name))] as const)
  return fc
    .sample(fc.record(Object.fromEntries(choices)), { seed, numRuns: count })
    .map((profile) => readProfile({ ...profile, ...documented }))
}

/** With a limit some answers are 429; and an answer may be given again to a request for something else. */
const documented: WrittenChoices = { rateLimit: 'none', keyScope: 'teamAndOperation' }

function choicesOf(name: AssumptionName): string[] {
  return Object.entries(assumption(name).choices).map(([choice, meaning]) =>
    typeof meaning === 'string' ? choice : `${choice}:${meaning.amount.usual}`,
  )
}
