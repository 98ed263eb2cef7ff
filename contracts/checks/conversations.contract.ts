import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import {
  type Addresses,
  addresses,
  at,
  contactOf,
  type Conversation,
  grace,
  identity,
  resolving,
} from './resolved-conversations.ts'
import { asShown } from './shown.ts'
import { longName, tellingName } from './telling-values.ts'
import { expectSameTime, timestamp } from './times.ts'

const atContact = (conversation: Conversation) => ({ contactId: contactOf(conversation)._id })

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
    [(await ask('findOrCreateConversation', resolving.findOrCreateConversation(mary, mint))).data, mary],
    [(await ask('createContactWithConversation', resolving.createContactWithConversation(joan, mint))).data, joan],
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
