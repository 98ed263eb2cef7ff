import { deletesById, withBody } from '../operation-groups.ts'
import { register } from './register.ts'

const deletes = [...deletesById, 'deleteContactsByEmail'] as const

/** Includes deletes, because of `keyOnDelete`. */
const acceptsAKey = [...withBody, ...deletes] as const

const refusals = {
  refuse: 'the request is refused (400)',
  conflict: 'the request is refused with 409, which is not documented',
  unprocessable: 'the request is refused with 422, which is not documented',
}

/** Idempotency-Key. It is promised that retries are safe, but not how. */
export const retries = register('Common conventions', acceptsAKey, {
  repeatedKey: {
    question: 'An Idempotency-Key is sent again with the same body, after the first response: what happens?',
    choices: {
      replay: 'the first response is returned again, and nothing is done twice',
      reexecute: 'the request is executed again, as if there were no key',
      ...refusals,
    },
    likely: 'It is what makes a retry safe, and what other services with this header do.',
    probe: 'create a product twice with one key, and compare the ids',
  },
  repeatedKeyOtherBody: {
    question: 'An Idempotency-Key is sent again with another body: what happens?',
    choices: {
      ...refusals,
      replay: 'the first response is returned again, whatever the new body says',
      execute: 'the new request is executed',
    },
    probe: 'create two products with different names and one key',
  },
  repeatedKeyInFlight: {
    question: 'An Idempotency-Key is sent again before the first response: what happens?',
    choices: {
      wait: 'the request waits for the first response, and then counts as a repeated key',
      refuse: 'the request is refused at once (400)',
      conflict: 'the request is refused at once with 409, which is not documented',
      unprocessable: 'the request is refused at once with 422, which is not documented',
    },
    probe: 'create a product many times at once with one key, and compare the responses',
  },
  failuresKept: {
    question: 'The first request with an Idempotency-Key was refused: is that the response for the key from then on?',
    choices: {
      no: 'no: only successes are kept, and a corrected request may use the key again',
      yes: 'yes: a refusal is kept as a success is',
    },
    likely: 'A client retries to get past a failure.',
    probe: 'create a product without its price, then with it, with one key',
  },
  unusableKey: {
    question: 'An Idempotency-Key is empty, or longer than 255 characters: what happens?',
    choices: {
      refused: 'the request is refused (400)',
      ignored: 'the key counts as not sent',
      accepted: 'a long key counts like any other, and an empty one as not sent',
    },
    reason: 'A retry with a key that counts for nothing would not be safe.',
    probe: 'create a product twice with one key of 300 characters, and compare the ids',
  },
  keyScope: {
    question: 'Where must an Idempotency-Key be unique?',
    choices: {
      team: 'in the team: a key of one operation counts as used on all others',
      teamAndOperation: 'in the team and on one operation: another operation may use the same key',
    },
    probe: 'create a product and then a company with one key',
  },
  keyRetention: {
    section: 'Limits',
    question: 'How long is an Idempotency-Key remembered?',
    choices: { oneDay: 'for one day after the first response', untilReset: 'for as long as the records are kept' },
    probe: { never: 'It takes more than a day, and the sandbox only moves its own clock.' },
  },
  keyOnDelete: {
    question: 'An Idempotency-Key is documented for creates, updates and sends: does it count on a delete?',
    operations: deletes,
    choices: {
      ignored: 'no: the delete is executed as if there were no key',
      honoured: 'yes: a repeated key works as on other operations',
    },
    likely: 'The header is documented for creates, updates and sends.',
    probe: 'delete a product twice with one key, and compare with two deletes without one',
  },
})
