import { expect } from 'vitest'
import { fieldsOf } from '../client/answer.ts'
import type { Mint } from '../client/mint.ts'
import type { Input } from '../client/request.ts'
import { sleep } from '../client/sleep.ts'
import type { Tools } from '../client/tools.ts'
import type { BodyOf, OperationId, Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { checkRefused } from './each-operation.ts'
import { keeps } from './keeps.ts'
import { unlessRefused } from './other-records.ts'
import { anyText, asShown, expectSameTime, timestamp, unusualNames } from './values.ts'

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

/** A new conversation from each operation that creates one, and the addresses of its contact. */
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

interface Person {
  readonly contactId: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone: string
}

/** A request that finds the conversation of this contact, or creates it. */
type Way = (person: Person) => readonly [OperationId, body: object]

const resolvingWays: readonly Way[] = [
  ({ contactId }) => ['createConversation', { contactId }],
  ({ email, phone }) => ['findOrCreateConversation', { email, phone }],
  ({ contactId: _, ...addressed }) => ['createContactWithConversation', addressed],
]

function sendingWays({ some, target: { providers } }: Tools): readonly Way[] {
  const byEmail: readonly Way[] = [
    ({ email }) => ['sendEmailMessage', some.email({ to: email })],
    ({ contactId }) => ['sendEmailMessage', some.email({ recipientIds: [contactId] })],
    ({ email }) => ['sendBulkMessages', some.bulk('email', { to: email })],
  ]
  const channels = (['sms', 'whatsapp'] as const).filter((channel) => providers[channel])
  return [
    ({ phone }) => ['sendLiveMessage', some.chat({ to: phone })],
    ...(providers.email ? byEmail : []),
    ...channels.flatMap((channel): readonly Way[] => [
      ({ phone }) => ['sendMessage', some.text({ channel, to: phone })],
      ({ phone }) => ['sendBulkMessages', some.bulk(channel, { to: phone })],
    ]),
  ]
}

async function makePerson({ make, some }: Tools): Promise<Person> {
  const { firstName, lastName, email = '', phone = '' } = some.contact()
  const person = { firstName, lastName, email, phone }
  return { ...person, contactId: (await make.contact(person))._id }
}

const conversationsOf = async ({ contactId }: Person, { ask }: Tools) =>
  (await ask('listConversationsOfContact', { path: { contactId } })).data.map(({ _id }) => _id)

keeps('conversation.oneEachContact', async (context) => {
  for (const inTurn of eachFirst(resolvingWays)) await stayOneAtTheSameTime(inTurn, context)
  // On another machine a run may send only a few messages.
  const ways = [...resolvingWays, ...(context.target.loopback ? sendingWays(context) : [])]
  const people: (readonly [Person, readonly string[]])[] = []
  for (const inTurn of eachFirst(ways)) people.push(await converse(inTurn, context))
  // At the end, since a bulk send is queued.
  for (const [person, ids] of people)
    expect([...new Set([...ids, ...(await conversationsOf(person, context))])].slice(1)).toEqual([])
})

/** The same list beginning with each of its items. */
const eachFirst = <Item>(items: readonly Item[]) => items.map((_, at) => [...items.slice(at), ...items.slice(0, at)])

/** A server that reads before it creates may create two. */
async function stayOneAtTheSameTime(ways: readonly Way[], tools: Tools): Promise<void> {
  const person = await makePerson(tools)
  const found = await Promise.all(ways.map((way) => idFrom(way, person, tools)))
  const listed = await conversationsOf(person, tools)
  expect(listed.slice(1)).toEqual([])
  expect(new Set([...found.flat(), ...listed]).size).toBe(1)
}

/** A new contact, and the ids of its conversation: the first of these requests creates it, and all others find it. */
async function converse([first, ...others]: readonly Way[], tools: Tools): Promise<readonly [Person, string[]]> {
  const person = await makePerson(tools)
  const created = first ? await idFrom(first, person, tools) : []
  const ids = created.length > 0 ? created : await awaitConversation(person, tools)
  for (const way of others)
    for (const id of await idFrom(way, person, tools)) {
      if (ids[0] !== undefined) expect(id).toBe(ids[0])
      ids.push(id)
    }
  return [person, ids]
}

/** A bulk send returns no conversation, and may be sent a little later. */
async function awaitConversation(person: Person, tools: Tools): Promise<string[]> {
  for (let pause = 10; ; pause *= 2) {
    const { data, succeeded } = await tools.call('listConversationsOfContact', {
      path: { contactId: person.contactId },
    })
    const ids = succeeded ? data.map(({ _id }) => _id) : []
    if (ids.length > 0 || pause > 1000) return ids
    await sleep(pause)
  }
}

/** The id of the conversation in the response, if it has one. Other promises cover a refusal. */
async function idFrom(way: Way, person: Person, { call }: Tools): Promise<string[]> {
  const ids: unknown[] = []
  await unlessRefused(async () => {
    const [operation, body] = way(person)
    const { fields, succeeded } = await call(operation, { body })
    const { conversationId, _id } = fieldsOf(fields.data)
    if (succeeded) ids.push(conversationId ?? _id)
  })
  return ids.filter((id) => typeof id === 'string')
}

keeps('conversation.hasIdTeamAndTime', async (context) => {
  const { contact, created, shown } = await showByEach(context)
  for (const conversation of shown) {
    for (const field of context.requirement.fields) expect(conversation).toHaveProperty(field, anyText)
    expect(conversation.teamId).toBe(created.teamId)
    if (conversation._id === created._id) expectSameTime(conversation.createdAt, created.createdAt)
  }
  // A conversation is not older than its contact. The clocks of two machines may differ.
  const day = 24 * 60 * 60 * 1000
  expect(Date.parse(created.createdAt)).not.toBeLessThan(Date.parse(contact.createdAt) - day)
})

keeps('conversation.createdAtIsIso', async (context) => {
  for (const conversation of (await showByEach(context)).shown)
    expect(conversation).toHaveProperty('createdAt', timestamp)
})

keeps('conversation.contactIsPopulated', async ({ call, readRecord, mint, requirement }, context) => {
  const { sent, created, shown } = await showByEach(context)
  for (const conversation of shown) {
    const contact = contactOf(conversation)
    for (const field of requirement.fields) expect(contact).toHaveProperty(field, anyText)
    // The specification leaves open how a server combines the two names.
    expect(contact.name).toMatch(new RegExp(`${sent.firstName}|${sent.lastName}`))
    expect(contact.name).toBe(contactOf(created).name)
  }
  for (const name of unusualNames) {
    const names = { firstName: name, lastName: name }
    const answer = await call('createContactWithConversation', { body: { ...names, ...newAddresses(mint) } })
    if (!answer.succeeded) continue
    expect(await readRecord('contact', { ...names, _id: contactOf(answer.data)._id })).toMatchObject(names)
  }
})

keeps('conversation.contactIsTheOneMeant', async ({ ask, mint }, context) => {
  const { sent, contact, created, shown } = await showByEach(context)
  const meant = { _id: contact._id, email: sent.email, phoneNumber: sent.phone }
  for (const conversation of shown) expect(contactOf(conversation)).toMatchObject(asShown(meant))
  for (const [conversation, { email, phone }] of await makeByEach(context))
    expect(contactOf(conversation)).toMatchObject(asShown({ email, phoneNumber: phone }))
  const { email, phone } = newAddresses(mint)
  const body = { email, phone, firstName: 'Augusta', lastName: 'King' }
  await ask('updateContact', { path: { contactId: contact._id }, body })
  const { data } = await ask('getConversation', { path: at(created) })
  const name: unknown = expect.stringMatching(/Augusta|King/)
  expect(contactOf(data)).toMatchObject(asShown({ ...meant, email, phoneNumber: phone, name }))
})

keeps('conversation.idOpensIt', async (context) => {
  for (const [conversation] of await makeByEach(context)) {
    const { data } = await context.accepts('getConversation', { path: at(conversation) })
    expect(data).toMatchObject(identity(conversation))
    await context.accepts('listMessages', { path: at(conversation), query: { page: 1, limit: 10 } })
  }
})

keeps('conversation.answersWithOne', async (context) => {
  const { created, returned } = await showByEach(context)
  const made = (await makeByEach(context)).map(([conversation]) => conversation)
  for (const conversation of [...returned, ...made]) expect(conversation).toHaveProperty('_id', anyText)
  expect(returned.at(-1)).toMatchObject({ _id: created._id })
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

/** Messages in the most likely languages of a service. */
const saysItExists =
  /exist|esist|already|found|before|earlier|previous|\bha[sd]\b|bereits|schon|vorhanden|déjà|\bya\b|já|già/i
const saysOtherwise = /\b(ok|okay|done|success\w*|created|new|added|started)\b/i

/** A text without ids and counts. */
const wordsOf = (text: string) => text.replaceAll(/\S*\d\S*/g, '').trim()

keeps('conversation.createAgainSaysSo', async ({ ask, make }) => {
  const { _id: contactId } = await make.contact()
  const first = await ask('createConversation', { body: { contactId } })
  const again = await ask('createConversation', { body: { contactId } })
  if (again.fields.message === undefined) throw new Inconclusive('the responses of this operation have no message')
  expect(wordsOf(again.message)).not.toBeOneOf(['', wordsOf(first.message)])
  if (saysItExists.test(again.message)) return
  expect(again.message).not.toMatch(saysOtherwise)
  throw new Inconclusive(`“${again.message}” may say so in words that this check does not know`)
})

keeps('conversation.listHoldsTheConversation', async (context) => {
  for (const [conversation] of await makeByEach(context)) {
    const { data } = await context.accepts('listConversationsOfContact', { path: atContact(conversation) })
    expect(data.map(({ _id }) => _id)).toContain(conversation._id)
  }
})

keeps('conversation.listIsOfOneContact', async ({ ask, make }) => {
  const both = [await make.conversation(), await make.conversation()]
  for (const own of both) {
    const { contactId } = atContact(own)
    const { data } = await ask('listConversationsOfContact', { path: { contactId } })
    // A server may list a foreign conversation with this contact.
    const others = both.filter((one) => one !== own).map(({ _id }) => _id)
    expect(data.filter((listed) => others.includes(listed._id) || contactOf(listed)._id !== contactId)).toEqual([])
  }
})

checkRefused({
  'conversation.findRefusesUnlistedFields': () => [grace, { nickname: 'Amazing' }],
  'conversation.malformedEmailIsRefused': () => ['ada', 'ada.example.com', 'ada@'].map((email) => ({ email })),
  // The second has more digits than E.164 allows.
  'conversation.malformedPhoneIsRefused': ({ mint }) => [{ phone: 'ada' }, { phone: mint.phone().padEnd(17, '0') }],
  'conversation.nationalPhoneIsRefused': () => [{ phone: '0301234567' }],
})

const enough = { 'conversation.emailAloneIsEnough': 'email', 'conversation.phoneAloneIsEnough': 'phone' } as const

for (const [id, field] of Object.entries(enough) as [keyof typeof enough, 'email' | 'phone'][])
  keeps(id, async ({ accepts, mint, requirement }) => {
    for (const operation of requirement.operations)
      await accepts(operation, resolving(operation, { [field]: mint[field]() }, mint))
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

keeps('conversation.findAgainIsTheSame', async ({ accepts, ask, make, mint }) => {
  const both = newAddresses(mint)
  const [email, phone] = [{ email: mint.email() }, { phone: mint.phone() }]
  const cases = [
    { first: both, again: [both, { email: both.email }, { phone: both.phone }] },
    { first: email, again: [email] },
    { first: phone, again: [phone] },
  ]
  for (const { first, again } of cases) {
    const { data } = await ask('findOrCreateConversation', { body: first })
    await make.conversation()
    for (const body of again)
      expect((await accepts('findOrCreateConversation', { body })).data).toMatchObject(identity(data))
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

for (const [id, field] of [
  ['conversation.emailFindsTheContact', 'email'],
  ['conversation.phoneFindsTheContact', 'phone'],
] as const)
  keeps(id, async ({ accepts, make, mint }) => {
    const address = { [field]: mint[field]() }
    const known = await make.conversation(address)
    await make.conversation()
    const { data } = await accepts('createContactWithConversation', { body: { ...grace, ...address } })
    expect(data).toMatchObject(identity(known))
  })
