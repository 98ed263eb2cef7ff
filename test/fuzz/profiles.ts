import fc from 'fast-check'
import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import { readProfile, type WrittenChoices } from '../../spec/choices.ts'

/** Random choices for every assumption, except choices whose answers are not documented. */
export function profiles(count: number, seed: number): WrittenChoices[] {
  const choices = assumptionNames.map((name) => [name, fc.constantFrom(...choicesOf(name))] as const)
  return fc
    .sample(fc.record(Object.fromEntries(choices)), { seed, numRuns: count })
    .map((profile) => readProfile({ ...profile, ...documented }))
}

/** Other choices answer 429, or repeat the answer of another operation. */
const documented: WrittenChoices = { rateLimit: 'none', keyScope: 'teamAndOperation' }

function choicesOf(name: AssumptionName): string[] {
  return Object.entries(assumption(name).choices).map(([choice, meaning]) =>
    typeof meaning === 'string' ? choice : `${choice}:${meaning.amount.usual}`,
  )
}
