import { expect } from 'vitest'
import { type Fields, fieldsOf } from '../client/answer.ts'
import { kindIn, kinds, pathTo } from '../client/kinds.ts'
import { affordable, rows } from '../client/operations.ts'
import type { Input } from '../client/request.ts'
import { newSubjects, type Tools } from '../client/tools.ts'
import type { OperationId } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { each, unchangedSubjects, withEachUnknown } from './each-operation.ts'
import { countDeleted, createScene, effectOf } from './effects.ts'
import { type Context, keeps } from './keeps.ts'
import { unlessRefused } from './other-records.ts'
import { readFields } from './values.ts'

for (const id of [
  'error.readingTheUnknownIs404',
  'error.updatingTheUnknownIs404',
  'error.deletingTheUnknownIs404',
] as const)
  keeps(id, findsNothing)

/**
 * A server may take a made-up id for a malformed one, so a 400 or a 500 is tried again with the id of a deleted record. A
 * conversation that does not exist may have an empty history.
 */
async function findsNothing(context: Context): Promise<void> {
  const { call, requirement } = context
  const act = async (operation: OperationId, input: Input) => {
    const first = await call(operation, input)
    if (operation === 'listMessages' && first.succeeded && [first.fields.data].flat().length === 0) return
    const about = [400, 500].includes(first.status) ? await requestForDeleted(operation, context) : input
    const { status, succeeded } = about === input ? first : await call(operation, about)
    if (about !== input && 'conversationId' in (about.path ?? {}) && succeeded)
      throw new Inconclusive('a conversation outlives its contact, so no id of a deleted one is known')
    expect(status).toBe(requirement.status)
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

/** A wrong field for each body. Without the other creates: only its id would show such a record. */
const wrongFields: Readonly<Partial<Record<OperationId, Fields>>> = {
  findOrCreateConversation: { nickname: 'Ada' },
  createContactWithConversation: { lastName: 42 },
  createConversation: { nickname: 'Ada' },
  sendLiveMessage: { source: 42 },
  sendEmailMessage: { source: 42 },
  sendMessage: { source: 42 },
  sendBulkMessages: { content: 42 },
  createTemplate: { content: 42 },
  createContact: { lastName: 42 },
  createOrUpdateContact: { lastName: 42 },
  updateTemplate: { content: 42 },
  updateContact: { lastName: 42 },
  updateCompany: { domain: 42 },
  updateProduct: { sku: 42 },
  updateDeal: { currency: 42 },
  updateQuote: { terms: 42 },
}

keeps('error.refusalChangesNothing', async ({ call, mint, requirement, some, target }, context) => {
  const scene = createScene(context, unchangedSubjects(context))
  const stranger = mint.email()
  const isRefused = async (operation: OperationId, input: Input) => {
    // Other promises cover the refusal itself.
    if ((await call(operation, input)).succeeded) throw new Inconclusive(`${operation} refused nothing`)
  }
  await each(affordable(context, requirement.operations), async (operation) => {
    if (!(operation in wrongFields)) return
    const { input, record, email, count } = await effectOf(operation, context, scene)
    const body = { ...fieldsOf(input.body), ...(email === undefined ? {} : { email: stranger }) }
    const before = await record?.()
    await isRefused(operation, { ...input, body: { ...body, ...wrongFields[operation] } })
    expect(await record?.()).toEqual(before)
    if (count) expect(await count()).toBe(0)
  })
  const contact = await scene.subjects.record('contact')
  const before = await readFields(context, 'contact', contact)
  const { email, phone } = fieldsOf(before)
  const upsert = { ...some.upsert(), email, phone, ...wrongFields.createOrUpdateContact }
  await isRefused('createOrUpdateContact', { body: upsert })
  expect(await readFields(context, 'contact', contact)).toEqual(before)
  // A send that is refused because of its provider creates no contact either.
  const providerId = mint.unknownId()
  if (target.loopback)
    await unlessRefused(async () => {
      await isRefused('sendEmailMessage', { body: some.email({ to: stranger, providerId }) })
      await isRefused('sendBulkMessages', { body: some.bulk('email', { to: stranger, providerId }) })
    })
  const ofNobody = await countDeleted(context, mint.email())
  const isSteady = String(await countDeleted(context, mint.email())) === String(ofNobody)
  if (isSteady) expect(await countDeleted(context, stranger)).toEqual(ofNobody)
})
