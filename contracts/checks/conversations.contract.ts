import { expect } from 'vitest'
import type { Mint } from '../client/mint.ts'
import type { Input } from '../client/request.ts'
import type { Tools } from '../client/tools.ts'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { checkRefused } from './each-operation.ts'
import { keeps } from './keeps.ts'
import { asShown, oncePerRun } from './values.ts'

type Conversation = Schemas['Conversation']
type Addresses = BodyOf<'findOrCreateConversation'>

const at = ({ _id }: Pick<Conversation, '_id'>) => ({ conversationId: _id })

/** The contact of a conversation. Without it only one promise can be judged: conversation.contactIsPopulated. */
function contactOf({ contactId }: { readonly contactId: unknown }): Conversation['contactId'] {
  if (typeof contactId !== 'object' || contactId === null) throw new Inconclusive('a conversation shows no contact')
  return contactId as Conversation['contactId']
}

const atContact = (conversation: Conversation) => ({ contactId: contactOf(conversation)._id })

/** The fields that are equal in two answers with the same conversation. */
const identity = (conversation: Conversation) => ({
  _id: conversation._id,
  contactId: { _id: contactOf(conversation)._id },
})

const newAddresses = (mint: Mint) => ({ email: mint.email(), phone: mint.phone() })

const grace = { firstName: 'Grace', lastName: 'Hopper' }

type Resolution = 'findOrCreateConversation' | 'createContactWithConversation'

/** A request that resolves a conversation from addresses. */
const resolving = (operation: Resolution, sent: Addresses, mint: Mint): Input => ({
  body: operation === 'findOrCreateConversation' ? sent : { ...grace, lastName: mint.surname('Hopper'), ...sent },
})

/** A conversation as each operation shows it that creates, finds or reads it. */
async function showByEach({ ask, make, some }: Tools) {
  const sent = some.contact()
  const { firstName, lastName, email, phone } = sent
  const contact = await make.contact(sent)
  const { _id: contactId } = contact
  const created = (await ask('createConversation', { body: { contactId } })).data
  const returned = [
    created,
    (await ask('createConversation', { body: { contactId } })).data,
    (await ask('findOrCreateConversation', { body: { email, phone } })).data,
    (await ask('createContactWithConversation', { body: { firstName, lastName, email, phone } })).data,
    (await ask('getConversation', { path: at(created) })).data,
  ]
  const { data } = await ask('listConversationsOfContact', { path: { contactId } })
  const listed = data.filter(({ _id }) => _id === created._id) // another promise covers other conversations
  return { sent, contact, created, returned, shown: [...returned, ...listed] }
}

/** A conversation from each operation that creates one, and the addresses of its contact. */
const anyByEach = (tools: Tools) => oncePerRun(tools, 'conversations', () => makeByEach(tools))

async function makeByEach({ ask, make, mint }: Tools): Promise<readonly (readonly [Conversation, Addresses])[]> {
  const [ada, mary, joan] = [newAddresses(mint), newAddresses(mint), newAddresses(mint)]
  const resolve = async (operation: Resolution, sent: Addresses) =>
    (await ask(operation, resolving(operation, sent, mint))).data
  return [
    [await make.conversation(ada), ada],
    [await resolve('findOrCreateConversation', mary), mary],
    [await resolve('createContactWithConversation', joan), joan],
  ]
}

keeps('conversation.contactIsTheOneMeant', async ({ ask, mint }, context) => {
  const { sent, contact, created, shown } = await showByEach(context)
  const meant = { _id: contact._id, email: sent.email, phoneNumber: sent.phone }
  for (const conversation of shown) expect(contactOf(conversation)).toMatchObject(asShown(meant))
  for (const [conversation, { email, phone }] of await anyByEach(context))
    expect(contactOf(conversation)).toMatchObject(asShown({ email, phoneNumber: phone }))
  const { email, phone } = newAddresses(mint)
  const body = { email, phone, firstName: 'Augusta', lastName: 'King' }
  await ask('updateContact', { path: { contactId: contact._id }, body })
  const { data } = await ask('getConversation', { path: at(created) })
  const name: unknown = expect.stringMatching(/Augusta|King/)
  expect(contactOf(data)).toMatchObject(asShown({ ...meant, email, phoneNumber: phone, name }))
})

keeps('conversation.idOpensIt', async (context) => {
  for (const [conversation] of await anyByEach(context)) {
    const { data } = await context.accepts('getConversation', { path: at(conversation) })
    expect(data).toMatchObject(identity(conversation))
    await context.accepts('listMessages', { path: at(conversation), query: { page: 1, limit: 10 } })
  }
})

keeps('conversation.createAgainReturnsTheFirst', async ({ accepts, make }) => {
  const first = await make.conversation()
  await make.conversation()
  const { data } = await accepts('createConversation', { body: atContact(first) })
  expect(data).toMatchObject(identity(first))
})

checkRefused({
  'conversation.nationalPhoneIsRefused': () => [{ phone: '0301234567' }],
})

const enough = { 'conversation.emailAloneIsEnough': 'email', 'conversation.phoneAloneIsEnough': 'phone' } as const

for (const [id, field] of Object.entries(enough) as [keyof typeof enough, 'email' | 'phone'][])
  keeps(id, async ({ accepts, mint, requirement }) => {
    const address = { [field]: mint[field]() }
    for (const operation of requirement.operations) await accepts(operation, resolving(operation, address, mint))
  })

keeps('conversation.missingContactIsMade', async ({ accepts, readRecord, make, mint, requirement }) => {
  const other = await make.conversation()
  for (const operation of requirement.operations)
    for (const sent of [{ email: mint.email() }, { phone: mint.phone() }, newAddresses(mint)]) {
      const { _id } = contactOf((await accepts(operation, resolving(operation, sent, mint))).data)
      expect(_id).not.toBe(contactOf(other)._id)
      expect(await readRecord('contact', { ...grace, _id })).toMatchObject(asShown({ ...sent, _id }))
    }
})

keeps('conversation.missingConversationIsMade', async ({ accepts, make, mint, requirement }) => {
  for (const operation of requirement.operations) {
    const sent = newAddresses(mint)
    const { _id } = await make.contact(sent)
    const { data } = await accepts(operation, resolving(operation, sent, mint))
    const opened = await accepts('getConversation', { path: at(data) })
    expect(identity(opened.data)).toEqual({ _id: data._id, contactId: { _id } })
  }
})

for (const [id, fields, stage] of [
  ['conversation.newContactIsALead', {}, 'Lead'],
  ['conversation.newContactKeepsItsStage', { lifecycleStage: 'Customer' }, 'Customer'],
] as const)
  keeps(id, async ({ accepts, ask, readRecord, mint }) => {
    const body = { ...grace, ...newAddresses(mint), ...fields }
    const { data } = await (stage === 'Lead' ? ask : accepts)('createContactWithConversation', { body })
    expect(await readRecord('contact', { ...contactOf(data), ...grace })).toMatchObject({ lifecycleStage: stage })
  })

keeps('conversation.newContactJoinsItsGroup', async ({ ask, call, readRecord, mint, observe, target }) => {
  const groupId = target.places.group
  const answer = await call('createContactWithConversation', { body: { ...grace, ...newAddresses(mint), groupId } })
  if (!answer.succeeded) {
    await ask('createContactWithConversation', { body: { ...grace, ...newAddresses(mint) } })
    observe('contactReferences', 'refused')
    throw new Inconclusive('this server accepts only groups that exist')
  }
  expect(await readRecord('contact', { ...contactOf(answer.data), ...grace })).toMatchObject({ groupIds: [groupId] })
})
