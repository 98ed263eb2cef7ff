import { reads } from '../operation-groups.ts'
import { register } from './register.ts'

/** What the envelope holds, beyond what is shown of it. */
export const answers = register({
  metaInEnvelope: {
    section: 'Response envelope',
    question: '`meta` is part of the envelope, and some handlers omit it: is it there?',
    operations: 'all',
    choices: { omitted: 'never', present: 'on every success, as an empty object' },
    assumed: 'omitted',
    probe: 'look at any success',
  },
  statedEnvelope: {
    section: 'Response envelope',
    question: 'Some handlers omit envelope fields: which successes lack `success` or `message`?',
    operations: reads,
    choices: {
      none: 'none: every success has both',
      some: 'the five reads: they answer with `data`, and `pagination` on lists, and nothing else',
    },
    assumed: 'none',
    probe: 'look at the success of each operation',
  },
  badRequestMessage: {
    section: 'Errors',
    question: 'What does the message of a 400 say?',
    operations: 'all',
    choices: {
      namesTheField: 'what is wrong, and with which field',
      general: 'only that the request is not valid',
    },
    assumed: 'namesTheField',
    probe: 'create a product without its price, and read the message',
  },
})
