import { readProfile, type WrittenChoices } from './choices.ts'

/** What was learned from a server. */
export interface Profile {
  readonly choices: WrittenChoices
}

/** Reads a profile: the value of a JSON or YAML file that gives names their choices. */
export function profileOf(value: unknown): Profile {
  return { choices: readProfile(value) }
}
