import { assumeVariable, marksVariable, MarksFile } from '../shared/marks.ts'
import { readChoices, type WrittenChoices } from '../spec/choices.ts'
import type { AssumptionName } from '../spec/assumptions.ts'

/** The choices in CRM_SANDBOX_ASSUME, such as `contactMatching=phoneThenEmail rateLimit=perMinute:60`. */
export function choicesIn({ [assumeVariable]: written = '' }: NodeJS.ProcessEnv): WrittenChoices {
  return readChoices(written)
}

/** Records the assumptions that requests rely on, if `crm-sandbox sweep` asks for them. */
export function watchFor({ [marksVariable]: folder = '' }: NodeJS.ProcessEnv): Watch | undefined {
  return folder === '' ? undefined : new MarksFile(folder)
}

/** Records the assumptions that users of a sandbox rely on, across resets. */
export interface Watch {
  /** Called for every request. */
  onUse(): void
  /** Called when a request relies on an assumption without a choice in an option, a profile or at run time. */
  onRelied(name: AssumptionName): void
}
