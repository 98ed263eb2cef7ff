import { expect } from 'vitest'
import { byId, singleSends } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Answer } from '../../client/answer.ts'
import { each, eachGood, eachSuccess, eachVain, fieldsOf, sparingly, spoilt } from './each-operation.ts'
import { texts } from '../judge/faults-of-an-answer.ts'
import { makings } from '../../client/operations/kinds.ts'
import type { Mint } from '../../client/mint.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { eachRefusal, type Refusal, refusalsAmong } from './refusals.ts'
import type { Asked } from '../../client/request.ts'
import { sending, type SingleSend } from './sends.ts'
import { attempts } from './traces.ts'

keeps('envelope.pathsAreFixed', async (given) => {
  await eachGood(given, async (operation, asked) => {
    expect([404, 405]).not.toContain((await given.call(operation, asked)).status)
  })
})

keeps('envelope.successIsTrue', async (given) => {
  await eachSuccess(given, ({ success = true }) => {
    expect(success).toBe(true)
  })
})

keeps('envelope.messageIsText', async (given) => {
  await eachSuccess(given, ({ message = '' }) => {
    expect(message).toEqual(expect.any(String))
  })
})

keeps('envelope.dataIsStructured', async (given) => {
  await eachSuccess(given, ({ data = {} }) => {
    expect(data).toEqual(expect.any(Object))
  })
})

keeps('envelope.metaIsAnObject', async (given) => {
  const judge = ({ meta = {} }: Readonly<Record<string, unknown>>) => {
    expect(meta).toEqual(expect.any(Object))
    expect(meta).not.toBeInstanceOf(Array)
  }
  await eachSuccess(given, judge)
  await eachRefusal(given, (answer) => {
    judge(fieldsOf(answer))
  })
})

keeps('envelope.paginationStandsBesideData', async (given) => {
  await eachSuccess(
    given,
    (fields) => {
      expect(fields).toMatchObject({ data: expect.any(Array) as unknown, pagination: expect.any(Object) as unknown })
    },
    given.promise.operations,
  )
})

keeps('envelope.outcomeIsStated', async (given) => {
  const stated = { success: true, message: expect.any(String) as unknown }
  await eachSuccess(
    given,
    (fields) => {
      for (const field of given.promise.fields) expect(fields).toHaveProperty(field, stated[field])
    },
    given.promise.operations,
  )
})

keeps('envelope.outcomeStandsAlone', async (given) => {
  await eachSuccess(
    given,
    (fields) => {
      expect(fields).not.toHaveProperty('data')
    },
    given.promise.operations,
  )
})

keeps('envelope.answersAreJson', async (given) => {
  await eachSuccess(given, (_, { body }) => {
    expect(body).toBeDefined()
  })
  // Whoever reads them has held them to this already.
  await eachRefusal(given, ({ body }) => {
    expect(body).toBeDefined()
  })
})

keeps('envelope.idempotencyKeyIsOptional', async (given) => {
  const { accepted, promise, target } = given
  // What these make without a key could not be found again after a crash, so it is not made where it would matter.
  const withoutKey = promise.operations.filter((operation) => target.loopback || !makings[operation]?.keyed)
  await eachGood(given, (operation, asked) => accepted(operation, { ...asked, key: null }), withoutKey)
})

keeps('envelope.idempotencyKeyIsTaken', async (given) => {
  await eachGood(
    given,
    (operation, asked) => given.accepted(operation, { ...asked, key: given.mint.key() }),
    given.promise.operations,
  )
})

keeps('error.successIsFalse', async (given) => {
  await eachRefusal(given, (answer) => {
    expect(fieldsOf(answer)).toMatchObject({ success: false })
  })
})

keeps('error.messageIsText', async (given) => {
  await eachRefusal(given, (answer) => {
    expect(fieldsOf(answer)).toMatchObject({ message: expect.any(String) as unknown })
  })
})

keeps('error.carriesNoData', async (given) => {
  await eachRefusal(given, (answer) => {
    expect(fieldsOf(answer)).not.toHaveProperty('data')
  })
})

keeps('error.statusIsDocumented', async (given) => {
  const { ask, call, mint, promise, some } = given
  const documented = ({ status, succeeded }: Answer) => {
    if (!succeeded) expect(promise.values).toContain(status)
  }
  await eachVain(given, async (operation, asked) => {
    documented(await call(operation, { ...asked, who: 'nobody' }))
    const { body, ...at } = asked
    const types = body === undefined ? [] : ['application/json', 'text/plain']
    for (const contentType of types) documented(await call(operation, { ...at, text: '{', contentType }))
    if (body === undefined) documented(await call(operation, asked))
    documented(await call(operation, spoilt(asked)))
  })
  // What others answer with 409 or 422, if it is refused at all.
  const [contact, key] = [some.contact(), mint.key()]
  await ask('createContact', { body: contact })
  documented(await call('createContact', { body: contact }))
  await ask('createProduct', { body: some.product(), key })
  documented(await call('createProduct', { body: some.product(), key }))
})

keeps('error.badRequestSaysWhy', async (given) => {
  const others = Object.values(texts).map(({ text }) => text)
  const judge = ({ message }: Answer) => {
    expect(message.trim()).not.toBeOneOf(['', ...others])
  }
  const ask = (refusal: Refusal) => eachGood(given, (operation, asked) => refusal(operation, spoilt(asked)))
  await refusalsAmong(given, judge, ask, [given.promise.status])
})

keeps('error.unauthorizedText', async (given) => {
  const judge = ({ message }: Answer) => {
    expect(message).toBe(texts[401]?.text)
  }
  const ask = (refusal: Refusal) =>
    eachVain(given, (operation, asked) => refusal(operation, { ...asked, who: 'nobody' }))
  await refusalsAmong(given, judge, ask, [given.promise.status])
})

keeps('error.notFoundText', async (given) => {
  const judge = ({ message }: Answer) => {
    expect(message).toBe(texts[404]?.text)
  }
  const nobody = { _id: given.mint.unknownId() }
  const ask = async (refusal: Refusal) => {
    await eachVain(given, refusal, [...byId, 'createConversation', 'createQuote'])
    await each(sparingly(given, singleSends), async (operation) => {
      const { message, toContact } = sending[operation as SingleSend]
      await refusal(operation, { body: message(given, toContact(nobody)) })
    })
  }
  await refusalsAmong(given, judge, ask, [given.promise.status])
})

/** What servers that look too little at a request may stumble over. */
const oddities = (mint: Mint): readonly (readonly [OperationId, Asked])[] => [
  ['getTemplate', { path: { templateId: '\0' } }],
  ['getConversation', { path: { conversationId: '__proto__' } }],
  ['deleteProduct', { path: { productId: `${mint.unknownId()}'` } }],
  ['createProduct', { text: 'null' }],
  ['createProduct', { text: '[]' }],
  ['createProduct', { text: '{"name":' }],
  ['createProduct', { text: '[]', contentType: 'multipart/form-data' }],
]

keeps('error.serverErrorText', async ({ call, mint, promise }) => {
  for (const [operation, asked] of oddities(mint)) {
    const { message, status } = await call(operation, asked)
    if (status !== promise.status) continue
    // Once is enough: a run does not go on for long with a server that fails.
    expect(message).toBe(texts[500]?.text)
    return
  }
  throw new Inconclusive('nothing that a client may ask made the server fail')
})

keeps('error.readingTheUnknownIs404', async (given) => {
  await eachVain(given, given.refused, given.promise.operations)
})

keeps('error.updatingTheUnknownIs404', async (given) => {
  await eachVain(given, given.refused, given.promise.operations)
})

keeps('error.deletingTheUnknownIs404', async (given) => {
  await eachVain(given, given.refused, given.promise.operations)
})

keeps('error.refusalChangesNothing', async (given) => {
  await each(sparingly(given, given.promise.operations), async (operation) => {
    const attempt = await attempts[operation]?.(given)
    if (!attempt) return
    const before = await attempt.look()
    // Where it is not refused, that is for another promise to say.
    if ((await given.call(operation, attempt.asked)).succeeded) return
    expect(await attempt.look()).toEqual(before)
  })
})
