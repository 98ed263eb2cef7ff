import { assumeVariable, marksVariable, MarksFile } from '../shared/marks.ts'
import { readChoices, type WrittenChoices } from '../spec/choices.ts'
import type { Watch } from './core/watch.ts'

/** The choices in CRM_SANDBOX_ASSUME, such as `contactMatching=phoneThenEmail rateLimit=perMinute:60`. */
export function choicesIn({ [assumeVariable]: written = '' }: NodeJS.ProcessEnv): WrittenChoices {
  return readChoices(written)
}

/** Writes down for `crm-sandbox sweep` what is relied on, where it asks for that. */
export function watchFor({ [marksVariable]: folder = '' }: NodeJS.ProcessEnv): Watch | undefined {
  return folder === '' ? undefined : new MarksFile(folder)
}
