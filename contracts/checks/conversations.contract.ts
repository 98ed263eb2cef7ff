import { expect } from 'vitest'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import type { Mint } from '../../client/mint.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps, timestamp } from './keeps.ts'
import type { Tools } from '../../client/tools.ts'

type Conversation = Schemas['Conversation']
type Addresses = BodyOf<'findOrCreateConversation'>

const at = ({ _id }: Pick<Conversation, '_id'>) => ({ conversationId: _id })
const withIt = (conversation: Conversation) => ({ contactId: contactOf(conversation)._id })

/** Whom it is with. That this is shown is a promise of its own, and without it no other can be judged. */
function contactOf({ contactId }: { readonly contactId: unknown }): Conversation['contactId'] {
  if (typeof contactId !== 'object' || contactId === null) throw new Inconclusive('no contact stands in a conversation')
  return contactId as Conversation['contactId']
}

/** Addresses that nobody has. */
const addresses = (mint: Mint) => ({ email: mint.email(), phone: mint.phone() })

const grace = { firstName: 'Grace', lastName: 'Hopper' }

/** What either operation is asked that resolves a conversation from addresses. */
const resolving = {
  findOrCreateConversation: (sent: Addresses) => ({ body: sent }),
  createContactWithConversation: (sent: Addresses) => ({ body: { ...grace, ...sent } }),
} as const

/** The conversation of a known contact as every operation shows it: it is created, asked for again and read. */
async function shownByEach({ ask, made, some }: Tools) {
  const sent = some.contact()
  const { firstName, lastName, email, phone } = sent
  const contact = await made.contact(sent)
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
  const listed = data.filter(({ _id }) => _id === created._id) // whatever else stands there breaks a promise of its own
  return { sent, contact, created, answered, shown: [...answered, ...listed] }
}

/** A new conversation from each operation that makes one, and the addresses of its contact. */
async function newFromEach({ ask, made, mint }: Tools): Promise<readonly (readonly [Conversation, Addresses])[]> {
  const [ada, mary, joan] = [addresses(mint), addresses(mint), addresses(mint)]
  return [
    [await made.conversation(ada), ada],
    [(await ask('findOrCreateConversation', resolving.findOrCreateConversation(mary))).data, mary],
    [(await ask('createContactWithConversation', resolving.createContactWithConversation(joan))).data, joan],
  ]
}

keeps('conversation.oneEachContact', async ({ ask, made, some }) => {
  for (const first of [0, 1, 2]) {
    const { firstName, lastName, email, phone } = some.contact()
    const { _id: contactId } = await made.contact({ firstName, lastName, email, phone })
    const doors = [
      () => ask('createConversation', { body: { contactId } }),
      () => ask('findOrCreateConversation', { body: { email, phone } }),
      () => ask('createContactWithConversation', { body: { firstName, lastName, email, phone } }),
    ]
    // At once, and each is the first once: whoever looks before it creates may be overtaken by another.
    const answers = await Promise.all([...doors.slice(first), ...doors.slice(0, first)].map((open) => open()))
    const listed = (await ask('listConversationsOfContact', { path: { contactId } })).data
    expect(listed.slice(1)).toEqual([])
    expect(new Set([...answers.map(({ data }) => data), ...listed].map(({ _id }) => _id)).size).toBe(1)
  }
})

keeps('conversation.hasIdTeamAndTime', async (given) => {
  const { contact, created, shown } = await shownByEach(given)
  for (const conversation of shown) {
    for (const field of given.promise.fields) expect(conversation).toHaveProperty(field, expect.stringMatching(/./))
    expect(conversation.teamId).toBe(created.teamId)
    if (conversation._id === created._id) expect(Date.parse(conversation.createdAt)).toBe(Date.parse(created.createdAt))
  }
  // It cannot be older than its contact, whatever the clocks of two machines say.
  const day = 24 * 60 * 60 * 1000
  expect(Date.parse(created.createdAt)).not.toBeLessThan(Date.parse(contact.createdAt) - day)
})

keeps('conversation.createdAtIsIso', async (given) => {
  for (const conversation of (await shownByEach(given)).shown)
    expect(conversation).toHaveProperty('createdAt', timestamp)
})

keeps('conversation.contactIsPopulated', async (given) => {
  const { sent, created, shown } = await shownByEach(given)
  for (const conversation of shown) {
    const contact = contactOf(conversation)
    for (const field of given.promise.fields) expect(contact).toHaveProperty(field, expect.stringMatching(/./))
    // However it is made of the two, it is the same everywhere.
    expect(contact.name).toMatch(new RegExp(`${sent.firstName}|${sent.lastName}`))
    expect(contact.name).toBe(contactOf(created).name)
  }
})

keeps('conversation.contactIsTheOneMeant', async (given) => {
  const { ask, mint } = given
  const { sent, contact, created, shown } = await shownByEach(given)
  const meant = { _id: contact._id, email: sent.email, phoneNumber: sent.phone }
  for (const conversation of shown) expect(contactOf(conversation)).toMatchObject(meant)
  for (const [conversation, { email, phone }] of await newFromEach(given))
    expect(contactOf(conversation)).toMatchObject({ email, phoneNumber: phone })
  const email = mint.email()
  await ask('updateContact', { path: { contactId: contact._id }, body: { email } })
  const { data } = await ask('getConversation', { path: at(created) })
  expect(contactOf(data)).toMatchObject({ ...meant, email })
})

/** What makes two answers the same conversation, with the same contact. */
const identity = (conversation: Conversation) => ({
  _id: conversation._id,
  contactId: { _id: contactOf(conversation)._id },
})

keeps('conversation.idOpensIt', async (given) => {
  for (const [conversation] of await newFromEach(given)) {
    const { data } = await given.accepted('getConversation', { path: at(conversation) })
    expect(data).toMatchObject(identity(conversation))
    await given.accepted('listMessages', { path: at(conversation), query: { page: 1, limit: 10 } })
  }
})

keeps('conversation.findOrCreateAnswers200', async ({ call, mint, promise }) => {
  const body = addresses(mint)
  expect((await call('findOrCreateConversation', { body })).status).toBe(promise.status)
  expect((await call('findOrCreateConversation', { body })).status).toBe(promise.status)
})

keeps('conversation.createWithContactAnswers200', async ({ call, mint, promise }) => {
  const body = { ...grace, ...addresses(mint) }
  expect((await call('createContactWithConversation', { body })).status).toBe(promise.status)
  expect((await call('createContactWithConversation', { body })).status).toBe(promise.status)
})

keeps('conversation.createAnswers201', async ({ call, made, promise }) => {
  const { _id: contactId } = await made.contact()
  expect((await call('createConversation', { body: { contactId } })).status).toBe(promise.status)
})

keeps('conversation.createAgainAnswers200', async ({ call, made, promise }) => {
  const body = withIt(await made.conversation())
  expect((await call('createConversation', { body })).status).toBe(promise.status)
})

keeps('conversation.getAnswers200', async ({ call, made, promise }) => {
  expect((await call('getConversation', { path: at(await made.conversation()) })).status).toBe(promise.status)
})

keeps('conversation.listAnswers200', async ({ call, made, promise }) => {
  const path = withIt(await made.conversation())
  expect((await call('listConversationsOfContact', { path })).status).toBe(promise.status)
})

keeps('conversation.answersWithOne', async (given) => {
  const { created, answered } = await shownByEach(given)
  const made = (await newFromEach(given)).map(([conversation]) => conversation)
  for (const conversation of [...answered, ...made])
    expect(conversation).toHaveProperty('_id', expect.stringMatching(/./))
  expect(answered.at(-1)).toMatchObject({ _id: created._id })
})

keeps('conversation.findRefusesUnlistedFields', async ({ mint, refused }) => {
  await refused('findOrCreateConversation', { body: { ...addresses(mint), ...grace } })
  await refused('findOrCreateConversation', { body: { ...addresses(mint), nickname: 'Amazing' } })
})

keeps('conversation.emailAloneIsEnough', async ({ accepted, mint, promise }) => {
  for (const operation of promise.operations) await accepted(operation, resolving[operation]({ email: mint.email() }))
})

keeps('conversation.phoneAloneIsEnough', async ({ accepted, mint, promise }) => {
  for (const operation of promise.operations) await accepted(operation, resolving[operation]({ phone: mint.phone() }))
})

keeps('conversation.malformedEmailIsRefused', async ({ mint, promise, refused }) => {
  for (const operation of promise.operations)
    for (const email of ['ada', 'ada.example.com', 'ada@'])
      await refused(operation, resolving[operation]({ ...addresses(mint), email }))
})

keeps('conversation.malformedPhoneIsRefused', async ({ mint, promise, refused }) => {
  const tooLong = `${mint.phone()}00`
  for (const operation of promise.operations)
    for (const phone of ['ada', '0301234567', tooLong])
      await refused(operation, resolving[operation]({ ...addresses(mint), phone }))
})

keeps('conversation.missingContactIsMade', async ({ accepted, look, made, mint, promise }) => {
  const other = await made.conversation()
  for (const operation of promise.operations) {
    for (const sent of [{ email: mint.email() }, { phone: mint.phone() }, addresses(mint)]) {
      const { _id } = contactOf((await accepted(operation, resolving[operation](sent))).data)
      expect(_id).not.toBe(contactOf(other)._id)
      expect(await look('contact', { ...grace, _id })).toMatchObject({ ...sent, _id })
    }
  }
})

keeps('conversation.missingConversationIsMade', async ({ accepted, made, mint, promise }) => {
  for (const operation of promise.operations) {
    const sent = addresses(mint)
    const { _id } = await made.contact(sent)
    const { data } = await accepted(operation, resolving[operation](sent))
    const opened = await accepted('getConversation', { path: at(data) })
    expect(identity(opened.data)).toEqual({ _id: data._id, contactId: { _id } })
  }
})

keeps('conversation.findAgainIsTheSame', async ({ accepted, ask, made, mint }) => {
  const both = addresses(mint)
  const { email, phone } = both
  const again = [
    { first: both, then: [both, { email }, { phone }] },
    ...[{ email: mint.email() }, { phone: mint.phone() }].map((one) => ({ first: one, then: [one] })),
  ]
  for (const { first, then } of again) {
    const { data } = await ask('findOrCreateConversation', { body: first })
    await made.conversation()
    for (const body of then)
      expect((await accepted('findOrCreateConversation', { body })).data).toMatchObject(identity(data))
  }
})

keeps('conversation.createWithContactRequires', async ({ mint, requires }) => {
  await requires('createContactWithConversation', () => ({ body: { ...grace, ...addresses(mint) } }))
})

keeps('conversation.newContactIsALead', async ({ ask, look, mint }) => {
  const { data } = await ask('createContactWithConversation', { body: { ...grace, ...addresses(mint) } })
  expect(await look('contact', { ...contactOf(data), ...grace })).toMatchObject({ lifecycleStage: 'Lead' })
})

keeps('conversation.newContactKeepsItsStage', async ({ accepted, look, mint }) => {
  const body = { ...grace, ...addresses(mint), lifecycleStage: 'Customer' }
  const { data } = await accepted('createContactWithConversation', { body })
  expect(await look('contact', { ...contactOf(data), ...grace })).toMatchObject({ lifecycleStage: 'Customer' })
})

keeps('conversation.newContactJoinsItsGroup', async ({ ask, call, look, mint, observe, target }) => {
  const groupId = target.places.group
  const answer = await call('createContactWithConversation', { body: { ...grace, ...addresses(mint), groupId } })
  if (!answer.succeeded) {
    await ask('createContactWithConversation', { body: { ...grace, ...addresses(mint) } })
    observe('contactReferences', 'refused')
    throw new Inconclusive('here a contact joins no group but those that are there')
  }
  expect(await look('contact', { ...contactOf(answer.data), ...grace })).toMatchObject({ groupIds: [groupId] })
})

keeps('conversation.emailFindsTheContact', async ({ accepted, made, mint }) => {
  const email = mint.email()
  const known = await made.conversation({ email })
  await made.conversation()
  const { data } = await accepted('createContactWithConversation', { body: { ...grace, email } })
  expect(data).toMatchObject(identity(known))
})

keeps('conversation.phoneFindsTheContact', async ({ accepted, made, mint }) => {
  const phone = mint.phone()
  const known = await made.conversation({ phone })
  await made.conversation()
  const { data } = await accepted('createContactWithConversation', { body: { ...grace, phone } })
  expect(data).toMatchObject(identity(known))
})

keeps('conversation.createRequires', async ({ made, requires }) => {
  const { _id: contactId } = await made.contact()
  await requires('createConversation', () => ({ body: { contactId } }))
})

keeps('conversation.createNeedsAKnownContact', async ({ ask, made, mint, refused }) => {
  const { _id: deleted } = await made.contact()
  await ask('deleteContact', { path: { contactId: deleted } })
  for (const contactId of [mint.unknownId(), deleted]) await refused('createConversation', { body: { contactId } })
})

keeps('conversation.createAgainReturnsTheFirst', async ({ accepted, made }) => {
  const first = await made.conversation()
  await made.conversation()
  const { data } = await accepted('createConversation', { body: withIt(first) })
  expect(data).toMatchObject(identity(first))
})

keeps('conversation.createAgainSaysSo', async ({ ask, made }) => {
  const body = withIt(await made.conversation())
  expect((await ask('createConversation', { body })).message).toMatch(/already exists/i)
})

keeps('conversation.listHoldsTheConversation', async (given) => {
  for (const [conversation] of await newFromEach(given)) {
    const { data } = await given.accepted('listConversationsOfContact', { path: withIt(conversation) })
    expect(data.map(({ _id }) => _id)).toContain(conversation._id)
  }
})

keeps('conversation.listIsOfOneContact', async ({ ask, made }) => {
  const [one, two] = [await made.conversation(), await made.conversation()]
  for (const { own, other } of [
    { own: one, other: two },
    { own: two, other: one },
  ]) {
    const { contactId } = withIt(own)
    const { data } = await ask('listConversationsOfContact', { path: { contactId } })
    // One of somebody else may be shown with the contact that was asked for.
    expect(data.filter(({ _id }) => _id === other._id)).toEqual([])
    expect(data.filter((listed) => contactOf(listed)._id !== contactId)).toEqual([])
  }
})
