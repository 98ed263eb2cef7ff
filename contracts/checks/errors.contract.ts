import { expect } from 'vitest'
import { type Fields, fieldsOf } from '../client/answer.ts'
import { kindIn, kinds, pathTo } from '../client/kinds.ts'
import { affordable, rows } from '../client/operations.ts'
import type { Input } from '../client/request.ts'
import { newSubjects, type Tools } from '../client/tools.ts'
import type { OperationId } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { each, withEachUnknown } from './each-operation.ts'
import { deleteByEmail, effectOf } from './effects.ts'
import { numbersIn } from '../judge/laws/contacts.ts'
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

keeps('error.refusalChangesNothing', async ({ call, make, mint, requirement, some }, context) => {
  const expectNoChange = async (operation: OperationId, { body, ...input }: Input, read: () => Promise<unknown>) => {
    const before = await read()
    const { succeeded } = await call(operation, { ...input, body: { ...fieldsOf(body), ...wrongFields[operation] } })
    // Other promises cover the refusal itself.
    if (succeeded) throw new Inconclusive(`${operation} refused nothing`)
    expect(await read()).toEqual(before)
  }
  await each(affordable(context, requirement.operations), async (operation) => {
    if (!(operation in wrongFields)) return
    const { input, record, count } = await effectOf(operation, context)
    const read = record ?? count
    if (read) await expectNoChange(operation, input, read)
  })
  const addresses = { email: mint.email(), phone: mint.phone() }
  const contact = await make.contact(addresses)
  await expectNoChange('createOrUpdateContact', { body: some.upsert(addresses) }, () =>
    readFields(context, 'contact', contact),
  )
  if (context.target.loopback) await unlessRefused(() => makesNoContact(context))
})

/** A send that is refused because of its provider creates no contact; the count of a delete by e-mail shows it. */
async function makesNoContact({ call, mint, some }: Tools): Promise<void> {
  const deletedOf = async (email: string) => numbersIn(await deleteByEmail(call, email))
  const ofNobody = await deletedOf(mint.email())
  const isSteady = String(await deletedOf(mint.email())) === String(ofNobody)
  const providerId = mint.unknownId()
  const bodies = { sendEmailMessage: some.email({ providerId }), sendBulkMessages: some.bulk('email', { providerId }) }
  for (const operation of ['sendEmailMessage', 'sendBulkMessages'] as const) {
    const to = mint.email()
    const { succeeded } = await call(operation, { body: { ...bodies[operation], to } })
    if (!succeeded && isSteady) expect(await deletedOf(to)).toEqual(ofNobody)
  }
}
