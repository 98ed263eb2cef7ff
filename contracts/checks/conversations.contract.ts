import { expect } from 'vitest'
import type { Mint } from '../../client/mint.ts'
import type { Tools } from '../../client/tools.ts'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { expectSameTime, timestamp } from './times.ts'
import { asShown } from './shown.ts'
import { longName, tellingName } from './telling-values.ts'

type Conversation = Schemas['Conversation']
type Addresses = BodyOf<'findOrCreateConversation'>

const at = ({ _id }: Pick<Conversation, '_id'>) => ({ conversationId: _id })
const atContact = (conversation: Conversation) => ({ contactId: contactOf(conversation)._id })

/** With more digits than E.164 allows. */
const tooLong = (phone: string) => phone.padEnd(17, '0')

/** The contact of a conversation. Without it no promise can be judged, except that it is shown. */
function contactOf({ contactId }: { readonly contactId: unknown }): Conversation['contactId'] {
  if (typeof contactId !== 'object' || contactId === null) throw new Inconclusive('a conversation shows no contact')
  return contactId as Conversation['contactId']
}

/** Addresses that no contact has. */
const addresses = (mint: Mint) => ({ email: mint.email(), phone: mint.phone() })

const grace = { firstName: 'Grace', lastName: 'Hopper' }

/** The bodies of the operations that resolve a conversation from addresses. */
const resolving = {
  findOrCreateConversation: (sent: Addresses) => ({ body: sent }),
  createContactWithConversation: (sent: Addresses) => ({ body: { ...grace, ...sent } }),
} as const

/** A conversation as every operation shows it that creates, finds or reads it. */
async function showByEach({ ask, make, some }: Tools) {
  const sent = some.contact()
  const { firstName, lastName, email, phone } = sent
  const contact = await make.contact(sent)
  const { _id: contactId } = contact
  const created = (await ask('createConversation', { body: { contactId } })).data
  const answered = [
    created,
    (await ask('createConversation', { body: { contactId } })).data,
    (await ask('findOrCreateConversation', { body: { email, phone } })).data,
    (await ask('createContactWithConversation', { body: { firstName, lastName, email, phone } })).data,
    (await ask('getConversation', { path: at(created) })).data,
  ]
  const { data } = await ask('listConversationsOfContact', { path: { contactId } })
  const listed = data.filter(({ _id }) => _id === created._id) // any other breaks a promise of its own
  return { sent, contact, created, answered, shown: [...answered, ...listed] }
}

/** A new conversation from each operation that makes one, and the addresses of its contact. */
async function makeByEach({ ask, make, mint }: Tools): Promise<readonly (readonly [Conversation, Addresses])[]> {
  const [ada, mary, joan] = [addresses(mint), addresses(mint), addresses(mint)]
  return [
    [await make.conversation(ada), ada],
    [(await ask('findOrCreateConversation', resolving.findOrCreateConversation(mary))).data, mary],
    [(await ask('createContactWithConversation', resolving.createContactWithConversation(joan))).data, joan],
  ]
}

keeps('conversation.oneEachContact', async ({ ask, make, some }) => {
  for (const first of [0, 1, 2]) {
    const { firstName, lastName, email, phone } = some.contact()
    const { _id: contactId } = await make.contact({ firstName, lastName, email, phone })
    const doors = [
      () => ask('createConversation', { body: { contactId } }),
      () => ask('findOrCreateConversation', { body: { email, phone } }),
      () => ask('createContactWithConversation', { body: { firstName, lastName, email, phone } }),
    ]
    // All at once, each of them first in turn: a server that looks before it creates can be overtaken by another request.
    const answers = await Promise.all([...doors.slice(first), ...doors.slice(0, first)].map((open) => open()))
    const listed = (await ask('listConversationsOfContact', { path: { contactId } })).data
    expect(listed.slice(1)).toEqual([])
    expect(new Set([...answers.map(({ data }) => data), ...listed].map(({ _id }) => _id)).size).toBe(1)
  }
})

keeps('conversation.hasIdTeamAndTime', async (given) => {
  const { contact, created, shown } = await showByEach(given)
  for (const conversation of shown) {
    for (const field of given.requirement.fields) expect(conversation).toHaveProperty(field, expect.stringMatching(/./))
    expect(conversation.teamId).toBe(created.teamId)
    if (conversation._id === created._id) expectSameTime(conversation.createdAt, created.createdAt)
  }
  // It cannot be older than its contact, within what the clocks of two machines may differ.
  const day = 24 * 60 * 60 * 1000
  expect(Date.parse(created.createdAt)).not.toBeLessThan(Date.parse(contact.createdAt) - day)
})

keeps('conversation.createdAtIsIso', async (given) => {
  for (const conversation of (await showByEach(given)).shown)
    expect(conversation).toHaveProperty('createdAt', timestamp)
})

keeps('conversation.contactIsPopulated', async (given) => {
  const { sent, created, shown } = await showByEach(given)
  for (const conversation of shown) {
    const contact = contactOf(conversation)
    for (const field of given.requirement.fields) expect(contact).toHaveProperty(field, expect.stringMatching(/./))
    // How it combines the two names is left open, but it is the same everywhere.
    expect(contact.name).toMatch(new RegExp(`${sent.firstName}|${sent.lastName}`))
    expect(contact.name).toBe(contactOf(created).name)
  }
  await keepsTellingNames(given)
})

/** A contact that is created with its conversation keeps names beyond ASCII, and long ones, unless they are refused. */
async function keepsTellingNames({ call, look, mint }: Tools): Promise<void> {
  for (const name of [tellingName, longName]) {
    const names = { firstName: name, lastName: name }
    const answer = await call('createContactWithConversation', { body: { ...names, ...addresses(mint) } })
    if (answer.succeeded)
      expect(await look('contact', { ...names, _id: contactOf(answer.data)._id })).toMatchObject(names)
  }
}

keeps('conversation.contactIsTheOneMeant', async (given) => {
  const { ask, mint } = given
  const { sent, contact, created, shown } = await showByEach(given)
  const meant = { _id: contact._id, email: sent.email, phoneNumber: sent.phone }
  for (const conversation of shown) expect(contactOf(conversation)).toMatchObject(asShown(meant))
  for (const [conversation, { email, phone }] of await makeByEach(given))
    expect(contactOf(conversation)).toMatchObject(asShown({ email, phoneNumber: phone }))
  const email = mint.email()
  await ask('updateContact', { path: { contactId: contact._id }, body: { email } })
  const { data } = await ask('getConversation', { path: at(created) })
  expect(contactOf(data)).toMatchObject(asShown({ ...meant, email }))
})

/** The fields by which two answers show the same conversation with the same contact. */
const identity = (conversation: Conversation) => ({
  _id: conversation._id,
  contactId: { _id: contactOf(conversation)._id },
})

keeps('conversation.idOpensIt', async (given) => {
  for (const [conversation] of await makeByEach(given)) {
    const { data } = await given.accepts('getConversation', { path: at(conversation) })
    expect(data).toMatchObject(identity(conversation))
    await given.accepts('listMessages', { path: at(conversation), query: { page: 1, limit: 10 } })
  }
})

keeps('conversation.findOrCreateAnswers200', async ({ call, mint, requirement }) => {
  const body = addresses(mint)
  expect((await call('findOrCreateConversation', { body })).status).toBe(requirement.status)
  expect((await call('findOrCreateConversation', { body })).status).toBe(requirement.status)
})

keeps('conversation.createWithContactAnswers200', async ({ call, mint, requirement }) => {
  const body = { ...grace, ...addresses(mint) }
  expect((await call('createContactWithConversation', { body })).status).toBe(requirement.status)
  expect((await call('createContactWithConversation', { body })).status).toBe(requirement.status)
})

keeps('conversation.createAnswers201', async ({ call, make, requirement }) => {
  const { _id: contactId } = await make.contact()
  expect((await call('createConversation', { body: { contactId } })).status).toBe(requirement.status)
})

keeps('conversation.createAgainAnswers200', async ({ call, make, requirement }) => {
  const body = atContact(await make.conversation())
  expect((await call('createConversation', { body })).status).toBe(requirement.status)
})

keeps('conversation.getAnswers200', async ({ call, make, requirement }) => {
  expect((await call('getConversation', { path: at(await make.conversation()) })).status).toBe(requirement.status)
})

keeps('conversation.listAnswers200', async ({ call, make, requirement }) => {
  const path = atContact(await make.conversation())
  expect((await call('listConversationsOfContact', { path })).status).toBe(requirement.status)
})

keeps('conversation.answersWithOne', async (given) => {
  const { created, answered } = await showByEach(given)
  const made = (await makeByEach(given)).map(([conversation]) => conversation)
  for (const conversation of [...answered, ...made])
    expect(conversation).toHaveProperty('_id', expect.stringMatching(/./))
  expect(answered.at(-1)).toMatchObject({ _id: created._id })
})

keeps('conversation.findRefusesUnlistedFields', async ({ mint, refuses }) => {
  await refuses('findOrCreateConversation', { body: { ...addresses(mint), ...grace } })
  await refuses('findOrCreateConversation', { body: { ...addresses(mint), nickname: 'Amazing' } })
})

keeps('conversation.emailAloneIsEnough', async ({ accepts, mint, requirement }) => {
  for (const operation of requirement.operations)
    await accepts(operation, resolving[operation]({ email: mint.email() }))
})

keeps('conversation.phoneAloneIsEnough', async ({ accepts, mint, requirement }) => {
  for (const operation of requirement.operations)
    await accepts(operation, resolving[operation]({ phone: mint.phone() }))
})

keeps('conversation.malformedEmailIsRefused', async ({ mint, requirement, refuses }) => {
  for (const operation of requirement.operations)
    for (const email of ['ada', 'ada.example.com', 'ada@'])
      await refuses(operation, resolving[operation]({ ...addresses(mint), email }))
})

keeps('conversation.malformedPhoneIsRefused', async ({ mint, requirement, refuses }) => {
  for (const operation of requirement.operations)
    for (const phone of ['ada', tooLong(mint.phone())])
      await refuses(operation, resolving[operation]({ ...addresses(mint), phone }))
})

keeps('conversation.nationalPhoneIsRefused', async ({ mint, requirement, refuses }) => {
  for (const operation of requirement.operations)
    await refuses(operation, resolving[operation]({ ...addresses(mint), phone: '0301234567' }))
})

keeps('conversation.missingContactIsMade', async ({ accepts, look, make, mint, requirement }) => {
  const other = await make.conversation()
  for (const operation of requirement.operations) {
    for (const sent of [{ email: mint.email() }, { phone: mint.phone() }, addresses(mint)]) {
      const { _id } = contactOf((await accepts(operation, resolving[operation](sent))).data)
      expect(_id).not.toBe(contactOf(other)._id)
      expect(await look('contact', { ...grace, _id })).toMatchObject(asShown({ ...sent, _id }))
    }
  }
})

keeps('conversation.missingConversationIsMade', async ({ accepts, make, mint, requirement }) => {
  for (const operation of requirement.operations) {
    const sent = addresses(mint)
    const { _id } = await make.contact(sent)
    const { data } = await accepts(operation, resolving[operation](sent))
    const opened = await accepts('getConversation', { path: at(data) })
    expect(identity(opened.data)).toEqual({ _id: data._id, contactId: { _id } })
  }
})

keeps('conversation.findAgainIsTheSame', async ({ accepts, ask, make, mint }) => {
  const both = addresses(mint)
  const { email, phone } = both
  const again = [
    { first: both, then: [both, { email }, { phone }] },
    ...[{ email: mint.email() }, { phone: mint.phone() }].map((one) => ({ first: one, then: [one] })),
  ]
  for (const { first, then } of again) {
    const { data } = await ask('findOrCreateConversation', { body: first })
    await make.conversation()
    for (const body of then)
      expect((await accepts('findOrCreateConversation', { body })).data).toMatchObject(identity(data))
  }
})

keeps('conversation.createWithContactRequires', async ({ mint, requires }) => {
  await requires('createContactWithConversation', () => ({ body: { ...grace, ...addresses(mint) } }))
})

keeps('conversation.newContactIsALead', async ({ ask, look, mint }) => {
  const { data } = await ask('createContactWithConversation', { body: { ...grace, ...addresses(mint) } })
  expect(await look('contact', { ...contactOf(data), ...grace })).toMatchObject({ lifecycleStage: 'Lead' })
})

keeps('conversation.newContactKeepsItsStage', async ({ accepts, look, mint }) => {
  const body = { ...grace, ...addresses(mint), lifecycleStage: 'Customer' }
  const { data } = await accepts('createContactWithConversation', { body })
  expect(await look('contact', { ...contactOf(data), ...grace })).toMatchObject({ lifecycleStage: 'Customer' })
})

keeps('conversation.newContactJoinsItsGroup', async ({ ask, call, look, mint, observe, target }) => {
  const groupId = target.places.group
  const answer = await call('createContactWithConversation', { body: { ...grace, ...addresses(mint), groupId } })
  if (!answer.succeeded) {
    await ask('createContactWithConversation', { body: { ...grace, ...addresses(mint) } })
    observe('contactReferences', 'refused')
    throw new Inconclusive('this server accepts only groups that exist')
  }
  expect(await look('contact', { ...contactOf(answer.data), ...grace })).toMatchObject({ groupIds: [groupId] })
})

keeps('conversation.emailFindsTheContact', async ({ accepts, make, mint }) => {
  const email = mint.email()
  const known = await make.conversation({ email })
  await make.conversation()
  const { data } = await accepts('createContactWithConversation', { body: { ...grace, email } })
  expect(data).toMatchObject(identity(known))
})

keeps('conversation.phoneFindsTheContact', async ({ accepts, make, mint }) => {
  const phone = mint.phone()
  const known = await make.conversation({ phone })
  await make.conversation()
  const { data } = await accepts('createContactWithConversation', { body: { ...grace, phone } })
  expect(data).toMatchObject(identity(known))
})

keeps('conversation.createRequires', async ({ make, requires }) => {
  const { _id: contactId } = await make.contact()
  await requires('createConversation', () => ({ body: { contactId } }))
})

keeps('conversation.createNeedsAKnownContact', async ({ ask, make, mint, refuses }) => {
  const { _id: deleted } = await make.contact()
  await ask('deleteContact', { path: { contactId: deleted } })
  for (const contactId of [mint.unknownId(), deleted]) await refuses('createConversation', { body: { contactId } })
})

keeps('conversation.createAgainReturnsTheFirst', async ({ accepts, make }) => {
  const first = await make.conversation()
  await make.conversation()
  const { data } = await accepts('createConversation', { body: atContact(first) })
  expect(data).toMatchObject(identity(first))
})

keeps('conversation.createAgainSaysSo', async ({ ask, make }) => {
  const { _id: contactId } = await make.contact()
  const first = await ask('createConversation', { body: { contactId } })
  const again = await ask('createConversation', { body: { contactId } })
  if (again.fields.message === undefined) throw new Inconclusive('the answers of this operation have no message')
  // That it is said is promised, not in which words.
  expect(again.message).not.toBe('')
  expect(again.message).not.toBe(first.message)
})

keeps('conversation.listHoldsTheConversation', async (given) => {
  for (const [conversation] of await makeByEach(given)) {
    const { data } = await given.accepts('listConversationsOfContact', { path: atContact(conversation) })
    expect(data.map(({ _id }) => _id)).toContain(conversation._id)
  }
})

keeps('conversation.listIsOfOneContact', async ({ ask, make }) => {
  const [one, two] = [await make.conversation(), await make.conversation()]
  for (const { own, other } of [
    { own: one, other: two },
    { own: two, other: one },
  ]) {
    const { contactId } = atContact(own)
    const { data } = await ask('listConversationsOfContact', { path: { contactId } })
    // A wrong conversation may be listed with the right contact.
    expect(data.filter(({ _id }) => _id === other._id)).toEqual([])
    expect(data.filter((listed) => contactOf(listed)._id !== contactId)).toEqual([])
  }
})
