import type { PromiseId } from '../../spec/promises.ts'
import type { Break } from './broken-copy.ts'

/** One broken rule for each promise that a rule of the mock keeps. */
export const brokenRules: readonly (Break & { readonly promise: PromiseId })[] = [
  {
    promise: 'contact.createAnswers201',
    file: 'operations/contacts.ts',
    rule: "return created('Contact created'",
    instead: "return ok('Contact created'",
  },
]
