import { readProfile, type WrittenChoices } from './choices.ts'
import { readVoice } from './voice/read-voice.ts'
import type { Voice } from './voice/voice.ts'

/** What was learned from a server. */
export interface Profile {
  readonly choices: WrittenChoices
  readonly voice?: Voice
}

/** Reads a profile: the value of a JSON or YAML file that gives names their choices and, under `voice`, how to speak. */
export function profileOf(value: unknown): Profile {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { choices: readProfile(value) }
  const { voice, ...choices } = value as { voice?: unknown }
  return { choices: readProfile(choices), ...(voice === undefined ? {} : { voice: readVoice(voice) }) }
}
