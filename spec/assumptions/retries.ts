import { deletesById, withBody } from '../operation-groups.ts'
import { register } from './register.ts'

const deletes = [...deletesById, 'deleteContactsByEmail'] as const

/** Deletes are among them for who has chosen that a key counts there too. */
const mayTakeAKey = [...withBody, ...deletes] as const

/** What an Idempotency-Key does. That retries are safe is promised; how is not. */
export const retries = register({
  repeatedKey: {
    section: 'Common conventions',
    question: 'A key comes again with the same body, after the first request was answered: what happens?',
    operations: mayTakeAKey,
    choices: {
      replay: 'the first answer is given again, and nothing is done twice',
      reexecute: 'the request is carried out again, as if there were no key',
      refuse: 'it is refused (400)',
    },
    assumed: 'replay',
    probe: 'create a product twice with one key, and compare the ids',
  },
  repeatedKeyOtherBody: {
    section: 'Common conventions',
    question: 'A key comes again with another body: what happens?',
    operations: mayTakeAKey,
    choices: {
      refuse: 'it is refused (400)',
      replay: 'the first answer is given again, whatever the new body says',
      execute: 'the new request is carried out',
    },
    assumed: 'refuse',
    probe: 'create two products of different names with one key',
  },
  repeatedKeyInFlight: {
    section: 'Common conventions',
    question: 'A key comes again while the first request is still being worked on: what happens?',
    operations: mayTakeAKey,
    choices: {
      wait: 'it waits for the first answer, and then counts as a repeated key',
      refuse: 'it is refused at once (400)',
    },
    assumed: 'wait',
    probe: 'create a product many times at once with one key, and compare the answers',
  },
  failuresKept: {
    section: 'Common conventions',
    question: 'The first request with a key was refused: is that refusal the answer for its key from then on?',
    operations: mayTakeAKey,
    choices: {
      no: 'no: only successes are kept, and a corrected request may use the key again',
      yes: 'yes: a refusal is kept just as a success is',
    },
    assumed: 'no',
    probe: 'create a product without its price, then with it, under one key',
  },
  keyScope: {
    section: 'Common conventions',
    question: 'Where must a key be unique?',
    operations: mayTakeAKey,
    choices: {
      team: 'in the team: a key used on one operation is taken on all others',
      teamAndOperation: 'in the team and on one operation: another operation may use the same key',
    },
    assumed: 'team',
    probe: 'create a product and then a company with one key',
  },
  keyRetention: {
    section: 'Limits',
    question: 'How long is a key remembered?',
    operations: mayTakeAKey,
    choices: { oneDay: 'for one day after the first answer', untilReset: 'for as long as the records are kept' },
    assumed: 'oneDay',
    probe: { never: 'It takes more than a day, and a stand-in only moves its clock.' },
  },
  keyOnDelete: {
    section: 'Common conventions',
    question:
      'A key is sent with a delete, although keys are documented for creates, updates and sends: does it count?',
    operations: deletes,
    choices: {
      ignored: 'no: the delete is carried out as if there were no key',
      honoured: 'yes: a repeated key does what it does elsewhere',
    },
    assumed: 'ignored',
    probe: 'delete a product twice with one key, and compare with two deletes without any',
  },
  unusableKey: {
    section: 'Common conventions',
    question: 'What happens to a key that is empty or longer than 255 characters?',
    operations: mayTakeAKey,
    choices: {
      refused: 'the request is refused (400)',
      ignored: 'the request is carried out as if there were no key',
    },
    assumed: 'refused',
    probe: 'create a product with an empty key, and another with a key of 256 characters',
  },
})
