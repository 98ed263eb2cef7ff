import { kindIn, kinds, makes, pathTo } from '../../client/kinds.ts'
import { expect } from 'vitest'
import type { Answer } from '../../client/answer.ts'
import type { Mint } from '../../client/mint.ts'
import { rows, sending, type SingleSend } from '../../client/operations.ts'
import type { Input } from '../../client/request.ts'
import { newSubjects, type Tools } from '../../client/tools.ts'
import { byId, singleSends } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { isAboutKey, isAboutLoad, texts } from '../judge/inspection.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { earlierAnswers, pass } from './earlier-answers.ts'
import {
  each,
  spoil,
  withEach,
  withEachAnswer,
  withEachSuccess,
  withEachUnknown,
  withoutCostlySends,
} from './each-operation.ts'
import { type Given, keeps } from './keeps.ts'
import { type Refuse, withEachRefusal, withRefusals } from './refusals.ts'
import { attempts } from './traces.ts'

keeps('envelope.pathsAreFixed', async (given) => {
  await withEachAnswer(given, ({ status }) => {
    expect([404, 405]).not.toContain(status)
  })
})

keeps('envelope.successIsTrue', async (given) => {
  await withEachSuccess(given, ({ success = true }) => {
    expect(success).toBe(true)
  })
})

keeps('envelope.messageIsText', async (given) => {
  await withEachSuccess(given, ({ message = '' }) => {
    expect(message).toEqual(expect.any(String))
  })
})

keeps('envelope.dataIsStructured', async (given) => {
  await withEachSuccess(given, ({ data }) => {
    expect(data ?? {}).toEqual(expect.any(Object))
  })
})

keeps('envelope.metaIsAnObject', async (given) => {
  const judge = ({ meta }: Readonly<Record<string, unknown>>) => {
    expect(meta ?? {}).toEqual(expect.any(Object))
    expect(meta).not.toBeInstanceOf(Array)
  }
  await withEachSuccess(given, judge)
  await withEachRefusal(given, (answer) => {
    judge(answer.fields)
  })
})

keeps('envelope.paginationStandsBesideData', async (given) => {
  await withEachSuccess(
    given,
    (fields) => {
      expect(fields).toMatchObject({ data: expect.any(Array) as unknown, pagination: expect.any(Object) as unknown })
    },
    given.requirement.operations,
  )
})

keeps('envelope.outcomeIsStated', async (given) => {
  const stated = { success: true, message: expect.any(String) as unknown }
  await withEachSuccess(
    given,
    (fields) => {
      for (const field of given.requirement.fields) expect(fields).toHaveProperty(field, stated[field])
    },
    given.requirement.operations,
  )
})

keeps('envelope.outcomeStandsAlone', async (given) => {
  await withEachSuccess(
    given,
    (fields) => {
      expect(fields.data ?? undefined).toBeUndefined()
    },
    given.requirement.operations,
  )
})

keeps('envelope.answersAreJson', async (given) => {
  await withEachSuccess(given, (_, { body }) => {
    expect(body).toBeDefined()
  })
  // That a refusal is JSON is already required to get here.
  await withEachRefusal(given, ({ body }) => {
    expect(body).toBeDefined()
  })
})

keeps('envelope.idempotencyKeyIsOptional', async (given) => {
  const { accepts, requirement, target } = given
  // After a crash a record that was made without a key could not be found, so none is made on a shared service.
  const withoutKey = requirement.operations.filter((operation) => target.loopback || !makes[operation]?.isKeyed)
  await withEach(given, (operation, input) => accepts(operation, { ...input, key: null }), withoutKey)
})

keeps('envelope.idempotencyKeyIsTaken', async (given) => {
  await withEach(
    given,
    (operation, input) => given.accepts(operation, { ...input, key: given.mint.key() }),
    given.requirement.operations,
  )
})

keeps('error.successIsFalse', async (given) => {
  await withEachRefusal(given, (answer) => {
    expect(answer.fields).toMatchObject({ success: false })
  })
})

keeps('error.messageIsText', async (given) => {
  await withEachRefusal(given, (answer) => {
    expect(answer.fields).toMatchObject({ message: expect.any(String) as unknown })
  })
})

keeps('error.carriesNoData', async (given) => {
  await withEachRefusal(given, (answer) => {
    expect(answer.fields.data ?? undefined).toBeUndefined()
  })
})

keeps('error.statusIsDocumented', async (given) => {
  const { ask, call, mint, requirement, some } = given
  const checkDocumented = ({ status, succeeded }: Answer) => {
    if (!succeeded && !isAboutLoad(status) && status !== 415) expect(requirement.values).toContain(status)
  }
  await withEachUnknown(given, async (operation, input) => {
    checkDocumented(await call(operation, { ...input, caller: 'nobody' }))
    const { body, ...at } = input
    const types = body === undefined ? [] : ['application/json', 'text/plain']
    for (const contentType of types) checkDocumented(await call(operation, { ...at, text: '{', contentType }))
    if (body === undefined) checkDocumented(await call(operation, input))
    checkDocumented(await call(operation, spoil(input)))
  })
  // What other services refuse with 409 or 422.
  const [contact, key] = [some.contact(), mint.key()]
  await ask('createContact', { body: contact })
  checkDocumented(await call('createContact', { body: contact }))
  await ask('createProduct', { body: some.product(), key })
  const repeated = await call('createProduct', { body: some.product(), key })
  if (!isAboutKey(repeated.status)) checkDocumented(repeated)
})

keeps('error.badRequestSaysWhy', async (given) => {
  const others = Object.values(texts).map(({ text }) => text)
  const judge = ({ message }: Answer) => {
    expect(message.trim()).not.toBeOneOf(['', ...others])
  }
  const ask = (refuse: Refuse) => withEach(given, (operation, input) => refuse(operation, spoil(input)))
  await withRefusals(given, judge, ask, [given.requirement.status])
})

keeps('error.unauthorizedText', async (given) => {
  const judge = ({ message }: Answer) => {
    expect(message).toBe(texts[401]?.text)
  }
  const { refusals } = earlierAnswers(given)
  const isUnauthorized = ({ status }: Answer) => status === given.requirement.status
  if (pass(refusals.filter(isUnauthorized), judge)) return
  const ask = (refuse: Refuse) =>
    withEachUnknown(given, (operation, input) => refuse(operation, { ...input, caller: 'nobody' }))
  await withRefusals(given, judge, ask, [given.requirement.status])
})

keeps('error.notFoundText', async (given) => {
  const judge = ({ message }: Answer) => {
    expect(message).toBe(texts[404]?.text)
  }
  const unknown = { _id: given.mint.unknownId() }
  const ask = async (refuse: Refuse) => {
    await withEachUnknown(given, refuse, [...byId, 'createConversation', 'createQuote'])
    await each(withoutCostlySends(given, singleSends), async (operation) => {
      const { message, toContact } = sending[operation as SingleSend]
      await refuse(operation, { body: message(given, toContact(unknown)) })
    })
  }
  await withRefusals(given, judge, ask, [given.requirement.status])
})

/** Requests that may crash a server that does not validate enough. */
const oddities = (mint: Mint): readonly (readonly [OperationId, Input])[] => [
  ['getTemplate', { path: { templateId: '\0' } }],
  ['getConversation', { path: { conversationId: '__proto__' } }],
  ['deleteProduct', { path: { productId: `${mint.unknownId()}'` } }],
  ['createProduct', { text: 'null' }],
  ['createProduct', { text: '[]' }],
  ['createProduct', { text: '{"name":' }],
  ['createProduct', { text: '[]', contentType: 'multipart/form-data' }],
]

keeps('error.serverErrorText', async ({ call, mint, requirement }) => {
  for (const [operation, input] of oddities(mint)) {
    const { message, status } = await call(operation, input)
    if (status !== requirement.status) continue
    // Once is enough: a run stops after a few failures.
    expect(message).toBe(texts[500]?.text)
    return
  }
  throw new Inconclusive('no request made the server fail')
})

keeps('error.readingTheUnknownIs404', findsNothing)

keeps('error.updatingTheUnknownIs404', findsNothing)

keeps('error.deletingTheUnknownIs404', findsNothing)

/** An id that was made up may be malformed to this server; that of a deleted record is not. */
async function findsNothing(
  given: Given<`error.${'reading' | 'updating' | 'deleting'}TheUnknownIs404`>,
): Promise<void> {
  await withEachUnknown(
    given,
    async (operation, input) => {
      const { status } = await given.call(operation, input)
      const about = status === 400 ? await aboutDeleted(given, operation) : input
      if (about !== input && 'conversationId' in (about.path ?? {}) && (await given.call(operation, about)).succeeded)
        throw new Inconclusive('a conversation outlives its contact, so no id of a deleted one is known')
      await given.refuses(operation, about, given.requirement.status)
    },
    given.requirement.operations,
  )
}

async function aboutDeleted(tools: Tools, operation: OperationId): Promise<Input> {
  const subjects = newSubjects(tools)
  const input = await rows[operation].request(subjects, tools)
  const kind = operation === 'getConversation' || operation === 'listMessages' ? 'contact' : kindIn(operation)
  const id =
    kind === 'contact' && 'conversationId' in (input.path ?? {})
      ? await contactOf(input, tools)
      : await subjects.id(kind)
  await tools.ask(kinds[kind].deletedBy, pathTo(kind, id))
  return input
}

async function contactOf({ path = {} }: Input, { ask }: Tools): Promise<string> {
  return (await ask('getConversation', { path })).data.contactId._id
}

keeps('error.refusalChangesNothing', async (given) => {
  const operations = withoutCostlySends(given, given.requirement.operations)
  const known = operations.flatMap((operation) => (attempts[operation] ?? []).map((make) => ({ operation, make })))
  await each(known, async ({ operation, make }) => {
    const attempt = await make(given)
    const before = await attempt.look()
    // That it is refused is another promise.
    if ((await given.call(operation, attempt.input)).succeeded) throw new Inconclusive(`${operation} refused nothing`)
    expect(await attempt.look()).toEqual(before)
  })
})
