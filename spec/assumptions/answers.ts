import { reads, showingData } from '../operation-groups.ts'
import { register } from './register.ts'

/** The response envelope. */
export const answers = register('Response envelope', 'all', {
  metaInEnvelope: {
    question: '`meta` is part of the envelope, but some handlers omit it: when is it present?',
    operations: showingData,
    choices: { omitted: 'never', present: 'in successful responses with data, as an empty object; the others omit it' },
    probe: 'look at any successful response',
  },
  statedEnvelope: {
    question: 'Some handlers omit envelope fields: which successful responses lack `success` and `message`?',
    operations: reads,
    choices: {
      none: 'none: every successful response has both',
      some: 'the five reads: they have only `data`, and lists also `pagination`',
    },
    probe: 'look at a successful response of each operation',
  },
  badRequestMessage: {
    section: 'Errors',
    question: 'What does the message of a 400 say?',
    choices: {
      namesTheField: 'the problem, and the field with the problem',
      general: 'only that the request is invalid',
    },
    likely: 'The text is called a validation message, and the sample names a field.',
    probe: 'create a product without its price, and read the message',
  },
})
