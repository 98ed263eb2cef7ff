import type { Break } from '../broken-copy.ts'

export const contacts = {
  'contact.createAnswers201': {
    file: 'operations/contacts.ts',
    rule: "return created('Contact created'",
    instead: "return ok('Contact created'",
  },
} satisfies Record<string, Break>
