import { expect } from 'vitest'
import { plainType } from '../../client/bodies.ts'
import type { Answer, Fields } from '../../client/answer.ts'
import { type Kind, kindIn, kinds, pathTo } from '../../client/kinds.ts'
import type { Mint } from '../../client/mint.ts'
import { rows, sending, type SingleSend } from '../../client/operations.ts'
import type { Input } from '../../client/request.ts'
import { newSubjects, type Tools } from '../../client/tools.ts'
import { byId, singleSends, updates } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { isAboutKey, isAboutLoad, texts } from '../judge/inspection.ts'
import { Inconclusive } from '../judge/outcome.ts'
import {
  affordable,
  each,
  earlierAnswers,
  pass,
  spoil,
  withEach,
  withEachRefusal,
  withEachUnknown,
  withRefusals,
} from './each-operation.ts'
import { type Context, keeps } from './keeps.ts'
import { historyOf, makeConversation } from './sends.ts'
import { listAll } from './template-fixtures.ts'
import { readWithoutUpdate } from './values.ts'

type Ask = Parameters<typeof withRefusals>[2]

const shapes = {
  'error.successIsFalse': { success: false },
  'error.messageIsText': { message: expect.any(String) as unknown },
} as const

for (const [id, shape] of Object.entries(shapes) as [keyof typeof shapes, object][])
  keeps(id, async (context) => {
    await withEachRefusal(context, (fields) => {
      expect(fields).toMatchObject(shape)
    })
  })

keeps('error.carriesNoData', async (context) => {
  await withEachRefusal(context, ({ data }) => {
    expect(data ?? undefined).toBeUndefined()
  })
})

keeps('error.statusIsDocumented', async (context) => {
  const { ask, call, mint, requirement, some } = context
  const expectDocumented = ({ status, succeeded }: Answer) => {
    if (!succeeded && !isAboutLoad(status) && status !== 415) expect(requirement.values).toContain(status)
  }
  await withEachUnknown(context, async (operation, input) => {
    expectDocumented(await call(operation, { ...input, caller: 'nobody' }))
    const { body, ...rest } = input
    const types = body === undefined ? [] : ['application/json', 'text/plain']
    for (const contentType of types) expectDocumented(await call(operation, { ...rest, text: '{', contentType }))
    if (body === undefined) expectDocumented(await call(operation, input))
    expectDocumented(await call(operation, spoil(input)))
  })
  // Other services refuse these requests with 409 or 422.
  const [contact, key] = [some.contact(), mint.key()]
  await ask('createContact', { body: contact })
  expectDocumented(await call('createContact', { body: contact }))
  await ask('createProduct', { body: some.product(), key })
  const repeated = await call('createProduct', { body: some.product(), key })
  if (!isAboutKey(repeated.status)) expectDocumented(repeated)
})

keeps('error.badRequestSaysWhy', async (context) => {
  const others = Object.values(texts).map(({ text }) => text)
  const look = (_: Fields, { message }: Answer) => {
    expect(message.trim()).not.toBeOneOf(['', ...others])
  }
  const ask: Ask = (refuse) => withEach(context, (operation, input) => refuse(operation, spoil(input)))
  await withRefusals(context, look, ask, [context.requirement.status])
})

const expectText = (status: number) => (_: Fields, answer: Answer) => {
  expect(answer.message).toBe(texts[status]?.text)
}

keeps('error.unauthorizedText', async (context) => {
  const { status } = context.requirement
  const known = earlierAnswers(context).refusals.filter((answer) => answer.status === status)
  if (pass(known, expectText(status))) return
  const ask: Ask = (refuse) =>
    withEachUnknown(context, (operation, input) => refuse(operation, { ...input, caller: 'nobody' }))
  await withRefusals(context, expectText(status), ask, [status])
})

keeps('error.notFoundText', async (context) => {
  const { status } = context.requirement
  const ask: Ask = async (refuse) => {
    await withEachUnknown(context, refuse, [...byId, 'createConversation', 'createQuote'])
    await each(affordable(context, singleSends), async (operation) => {
      const { message, toContact } = sending[operation as SingleSend]
      await refuse(operation, { body: message(context, toContact({ _id: context.mint.unknownId() })) })
    })
  }
  await withRefusals(context, expectText(status), ask, [status])
})

/** Requests that may crash a server with incomplete validation. */
const unusualRequests = (mint: Mint): readonly (readonly [OperationId, Input])[] => [
  ['getTemplate', { path: { templateId: '\0' } }],
  ['getConversation', { path: { conversationId: '__proto__' } }],
  ['deleteProduct', { path: { productId: `${mint.unknownId()}'` } }],
  ['createProduct', { text: 'null' }],
  ['createProduct', { text: '[]' }],
  ['createProduct', { text: '{"name":' }],
  ['createProduct', { text: '[]', contentType: 'multipart/form-data' }],
]

keeps('error.serverErrorText', async ({ call, mint, requirement }) => {
  for (const [operation, input] of unusualRequests(mint)) {
    const answer = await call(operation, input)
    if (answer.status !== requirement.status) continue
    // One failure is enough: a run ends after a few.
    expectText(500)(answer.fields, answer)
    return
  }
  throw new Inconclusive('no request made the server fail')
})

for (const id of [
  'error.readingTheUnknownIs404',
  'error.updatingTheUnknownIs404',
  'error.deletingTheUnknownIs404',
] as const)
  keeps(id, findsNothing)

/** A server may take a made-up id for a malformed one, so a 400 is tried again with the id of a deleted record. */
async function findsNothing(context: Context): Promise<void> {
  const { call, refuses, requirement } = context
  const act = async (operation: OperationId, input: Input) => {
    const { status } = await call(operation, input)
    const about = status === 400 ? await requestForDeleted(operation, context) : input
    if (about !== input && 'conversationId' in (about.path ?? {}) && (await call(operation, about)).succeeded)
      throw new Inconclusive('a conversation outlives its contact, so no id of a deleted one is known')
    await refuses(operation, about, requirement.status)
  }
  await withEachUnknown(context, act, requirement.operations)
}

async function requestForDeleted(operation: OperationId, tools: Tools): Promise<Input> {
  const subjects = newSubjects(tools)
  const input = await rows[operation].request(subjects, tools)
  const { conversationId } = input.path ?? {}
  const kind = conversationId === undefined ? kindIn(operation) : 'contact'
  const id =
    conversationId === undefined
      ? await subjects.id(kind)
      : (await tools.ask('getConversation', { path: { conversationId } })).data.contactId._id
  await tools.ask(kinds[kind].deletedBy, pathTo(kind, id))
  return input
}

keeps('error.refusalChangesNothing', async (context) => {
  const known = affordable(context, context.requirement.operations).flatMap((operation) =>
    (attempts[operation] ?? []).map((prepare) => ({ operation, prepare })),
  )
  await each(known, async ({ operation, prepare }) => {
    const { input, read } = await prepare(context)
    const before = await read()
    // Other promises cover the refusal itself.
    if ((await context.call(operation, input)).succeeded) throw new Inconclusive(`${operation} refused nothing`)
    expect(await read()).toEqual(before)
  })
})

/** An invalid request, and a read of the record that it would have changed. */
interface Attempt {
  readonly input: Input
  readonly read: () => Promise<unknown>
}

type Prepare = (tools: Tools) => Attempt | Promise<Attempt>

/** Without the creates of companies, products, deals and quotes: only its id would show such a record. */
const attempts: Readonly<Partial<Record<OperationId, readonly Prepare[]>>> = {
  findOrCreateConversation: [creating((email) => ({ email, nickname: 'Ada' }))],
  createContactWithConversation: [
    creating((email, { mint }) => ({ firstName: 'Ada', lastName: 42, email, phone: mint.phone() })),
  ],
  createContact: [creating((email, { some }) => ({ ...some.contact({ email }), lastName: 42 }))],
  createOrUpdateContact: [creating((email, { some }) => ({ ...some.upsert({ email }), lastName: 42 })), upserting],
  sendBulkMessages: [creating((to, { some }) => ({ ...some.bulk('email', { to }), content: 42 }))],
  createConversation: [
    async ({ ask, make }) => {
      const { _id: contactId } = await make.contact()
      const read = async () => (await ask('listConversationsOfContact', { path: { contactId } })).data
      return { input: { body: { contactId, nickname: 'Ada' } }, read }
    },
  ],
  createTemplate: [
    (tools) => {
      const body = tools.some.template[plainType(tools.target)]()
      const read = async () => (await listAll(tools)).filter(({ uniqueName }) => uniqueName === body.uniqueName)
      return { input: { body: { ...body, content: 42 } }, read }
    },
  ],
  ...Object.fromEntries(singleSends.map((operation) => [operation, [sendingTo(operation)]])),
  ...Object.fromEntries(updates.map((operation) => [operation, [updating(operation)]])),
}

/** A delete by e-mail address shows whether a contact has the address. */
function creating(write: (email: string, tools: Tools) => object): Prepare {
  return (tools) => {
    const email = tools.mint.email()
    const read = async () => {
      const { message, succeeded } = await tools.call('deleteContactsByEmail', { query: { email } })
      return succeeded && /[1-9]/.test(message.replaceAll(email, ''))
    }
    return { input: { body: write(email, tools) }, read }
  }
}

/** The contact exists already. */
async function upserting(tools: Tools): Promise<Attempt> {
  const addresses = { email: tools.mint.email(), phone: tools.mint.phone() }
  const contact = await tools.make.contact(addresses)
  return {
    input: { body: { ...tools.some.upsert(addresses), lastName: 42 } },
    read: () => readWithoutUpdate(tools, 'contact', contact),
  }
}

function sendingTo(operation: SingleSend): Prepare {
  return async (tools) => {
    const conversation = await makeConversation(operation, tools)
    const { into, message } = sending[operation]
    return {
      input: { body: { ...message(tools, into(conversation)), source: 42 } },
      read: async () => (await historyOf(tools, conversation._id)).data,
    }
  }
}

/** A text field of each kind of record. */
const textFields: Readonly<Record<Kind, string>> = {
  template: 'content',
  contact: 'lastName',
  company: 'domain',
  product: 'sku',
  deal: 'currency',
  quote: 'terms',
}

function updating(operation: OperationId): Prepare {
  return async (tools) => {
    const kind = kindIn(operation)
    const subjects = newSubjects(tools)
    const { body, ...rest } = await rows[operation].request(subjects, tools)
    const record = await subjects.record(kind)
    return {
      input: { ...rest, body: { ...(body as object), [textFields[kind]]: 42 } },
      read: () => readWithoutUpdate(tools, kind, record),
    }
  }
}
