import { expect } from 'vitest'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps, timestamp } from './keeps.ts'
import { sleep } from '../../client/pace.ts'
import type { Tools } from '../../client/tools.ts'

type Contact = Schemas['Contact']

const at = ({ _id }: Contact) => ({ contactId: _id })

/** What each of the four operations answers about a contact. */
async function answersOf({ ask, made, some }: Tools): Promise<Contact[]> {
  const created = await made.contact()
  return [
    created,
    (await ask('updateContact', { path: at(created), body: { status: 'closed' } })).data,
    (await ask('createOrUpdateContact', { body: some.upsert() })).data,
    (await ask('deleteContact', { path: at(created) })).data,
  ]
}

keeps('contact.answersWithTheContact', async (given) => {
  for (const contact of await answersOf(given))
    for (const field of given.promise.fields) expect(contact).toHaveProperty(field, expect.stringMatching(/./))
})

keeps('contact.timesAreIso', async (given) => {
  for (const contact of await answersOf(given))
    for (const field of given.promise.fields) expect(contact).toHaveProperty(field, timestamp)
})

/** A contact: created, after each of the two ways to update it, and in the answer to its deletion. */
async function throughItsLife({ ask, made, mint }: Tools): Promise<readonly Contact[]> {
  const contact = await made.contact()
  await sleep(10)
  const updated = await ask('updateContact', { path: at(contact), body: { source: mint.name('update') } })
  await sleep(10)
  const { firstName, lastName, email, phone } = contact
  const upsert = { firstName, lastName, email, phone, source: mint.name('upsert') }
  const upserted = await ask('createOrUpdateContact', { body: upsert })
  return [contact, updated.data, upserted.data, (await ask('deleteContact', { path: at(contact) })).data]
}

keeps('contact.createdAtStays', async (given) => {
  const [first, ...later] = (await throughItsLife(given)).map(({ createdAt }) => Date.parse(createdAt))
  for (const createdAt of later) expect(createdAt).toBe(first)
})

keeps('contact.updatedAtMoves', async (given) => {
  const life = await throughItsLife(given)
  for (const { createdAt, updatedAt } of life)
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt))
  const [created = NaN, updated = NaN, upserted] = life.map(({ updatedAt }) => Date.parse(updatedAt))
  expect(updated).toBeGreaterThan(created)
  expect(upserted).toBeGreaterThan(updated)
})

keeps('contact.lifecycleStagesAreTaken', async ({ accepted, made, some, promise }) => {
  const contact = await made.contact()
  for (const lifecycleStage of promise.values) {
    await accepted('createContact', { body: some.contact({ lifecycleStage }) })
    await accepted('updateContact', { path: at(contact), body: { lifecycleStage } })
    await accepted('createOrUpdateContact', { body: some.upsert({ lifecycleStage }) })
  }
})

keeps('contact.createAnswers201', async ({ call, some, promise }) => {
  expect((await call('createContact', { body: some.contact() })).status).toBe(promise.status)
})

keeps('contact.updateAnswers200', async ({ call, made, promise }) => {
  const answer = await call('updateContact', { path: at(await made.contact()), body: { status: 'closed' } })
  expect(answer.status).toBe(promise.status)
})

keeps('contact.deleteAnswers200', async ({ call, made, promise }) => {
  expect((await call('deleteContact', { path: at(await made.contact()) })).status).toBe(promise.status)
})

keeps('contact.upsertAnswers200', async ({ call, some, promise }) => {
  const body = some.upsert()
  expect((await call('createOrUpdateContact', { body })).status).toBe(promise.status)
  expect((await call('createOrUpdateContact', { body })).status).toBe(promise.status)
})

keeps('contact.deleteByEmailAnswers200', async ({ call, made, mint, promise }) => {
  const email = mint.email()
  await made.contact({ email })
  expect((await call('deleteContactsByEmail', { query: { email } })).status).toBe(promise.status)
})

keeps('contact.createRequires', async ({ requires, some }) => {
  await requires('createContact', () => ({ body: some.contact() }))
})

/** A group to be in; none where the server takes none but groups that it has, which is left open. */
async function groupsTaken({ call, some, observe, target }: Tools): Promise<{ groupIds?: string[] }> {
  const groupIds = [target.places.group]
  if ((await call('createContact', { body: some.contact({ groupIds }) })).succeeded) return { groupIds }
  observe('contactReferences', 'refused')
  return {}
}

/** A body with each field, but for the company. */
async function everyField(given: Tools, fields: object = {}) {
  return {
    ...given.some.contact({ status: 'in-progress', lifecycleStage: 'Customer' }),
    additionalFields: { favouriteColour: 'teal' },
    ...(await groupsTaken(given)),
    ...fields,
  }
}

keeps('contact.createShowsWhatWasGiven', async (given) => {
  const body = await everyField(given)
  expect((await given.ask('createContact', { body })).data).toMatchObject(body)
})

keeps('contact.statusesAreTaken', async ({ accepted, ask, some, promise }) => {
  // In this order no status goes back, which a server may refuse.
  const contact = (await ask('createContact', { body: some.contact() })).data
  for (const status of promise.values) {
    await accepted('createContact', { body: some.contact({ status }) })
    await accepted('updateContact', { path: at(contact), body: { status } })
  }
})

keeps('contact.otherStatusesAreRefused', async ({ made, refused, some }) => {
  const contact = await made.contact()
  await refused('createContact', { body: { ...some.contact(), status: 'archived' } })
  await refused('updateContact', { path: at(contact), body: { status: 'archived' } })
})

keeps('contact.groupsAreAList', async ({ made, refused, some, target }) => {
  const contact = await made.contact()
  for (const groupIds of [target.places.group, [1]]) {
    await refused('createContact', { body: { ...some.contact(), groupIds } })
    await refused('updateContact', { path: at(contact), body: { groupIds } })
  }
})

const changes = {
  firstName: 'Augusta',
  lastName: 'King',
  status: 'closed',
  lifecycleStage: 'Event',
  additionalFields: { favouriteColour: 'plum' },
}

keeps('contact.updateShowsTheChange', async (given) => {
  const { ask, made } = given
  const [contact, body] = [await made.contact(), await everyField(given, changes)]
  expect((await ask('updateContact', { path: at(contact), body })).data).toMatchObject(body)
})

keeps('contact.updateSetsTheCompany', async ({ ask, look, made }) => {
  const [contact, { _id: company }] = [await made.contact(), await made.company()]
  expect((await ask('updateContact', { path: at(contact), body: { company } })).data).toMatchObject({ company })
  expect(await look('contact', contact)).toMatchObject({ company })
})

keeps('contact.updateKeepsTheRest', async (given) => {
  const { ask, look, made, mint } = given
  const [body, source] = [await everyField(given), mint.name('update')]
  const contact = await made.contact(body)
  const updated = await ask('updateContact', { path: at(contact), body: { source } })
  expect(updated.data).toMatchObject({ ...body, _id: contact._id, source })
  expect(await look('contact', contact)).toMatchObject({ ...body, _id: contact._id, source })
})

keeps('contact.updateTakesAnyOneField', async (given) => {
  const { accepted, made } = given
  const contact = await made.contact()
  const fields = { ...(await everyField(given, changes)), company: (await made.company())._id }
  for (const [field, value] of Object.entries(fields))
    await accepted('updateContact', { path: at(contact), body: { [field]: value } })
})

keeps('contact.deleteAnswersWithTheContact', async (given) => {
  const { ask, made } = given
  const [body, { _id: company }] = [await everyField(given), await made.company()]
  const contact = await made.contact(body)
  await ask('updateContact', { path: at(contact), body: { company } })
  expect((await ask('deleteContact', { path: at(contact) })).data).toMatchObject({ ...body, company, _id: contact._id })
})

keeps('contact.deletedIsGone', async ({ ask, made, mint, refused }) => {
  const contact = await made.contact()
  await ask('deleteContact', { path: at(contact) })
  await refused('updateContact', { path: at(contact), body: { source: mint.name('update') } })
})

/** Both ways to delete a contact that has an e-mail address. */
const deletions = [
  ({ ask }: Tools, contactId: string) => ask('deleteContact', { path: { contactId } }),
  ({ ask }: Tools, _: string, email: string) => ask('deleteContactsByEmail', { query: { email } }),
] as const

keeps('contact.deleteTakesTheConversation', async (given) => {
  const { ask, made, mint, refused } = given
  for (const deleteContact of deletions) {
    const email = mint.email()
    const { _id: conversationId, contactId } = await made.conversation({ email })
    await ask('getConversation', { path: { conversationId } })
    await deleteContact(given, contactId._id, email)
    await refused('getConversation', { path: { conversationId } })
  }
})

keeps('contact.deleteTakesTheMessages', async (given) => {
  const { ask, call, made, recipient } = given
  for (const deleteContact of deletions) {
    const email = recipient.email()
    const { _id: conversationId, contactId } = await made.conversation({ email })
    const said = { path: { conversationId }, query: { page: 1, limit: 10 } }
    await ask('sendLiveMessage', { body: { channel: 'chat', content: 'Hello Ada', conversationId } })
    expect(JSON.stringify((await ask('listMessages', said)).data)).toContain('Hello Ada')
    await deleteContact(given, contactId._id, email)
    expect(JSON.stringify((await call('listMessages', said)).body)).not.toContain('Hello Ada')
  }
})

/** Another with the e-mail address of a contact, where the server lets it have it: whether it does is left open. */
async function namesake({ call, observe, some }: Tools, email: string): Promise<Contact | undefined> {
  const other = await call('createContact', { body: some.contact({ email }) })
  observe('sameAddressTwice', other.status === 400 ? 'refused' : 'accepted')
  return other.status === 400 ? undefined : other.data
}

keeps('contact.deleteSparesOthers', async (given) => {
  const { ask, call, look, made, mint } = given
  const email = mint.email()
  const [contact, other] = [await made.conversation({ email }), await made.conversation()]
  const alike = await namesake(given, email)
  await ask('deleteContact', { path: { contactId: contact.contactId._id } })
  expect(await look('contact', other.contactId)).toMatchObject({ _id: other.contactId._id })
  if (alike) expect(await look('contact', alike)).toMatchObject({ _id: alike._id })
  expect((await call('getConversation', { path: { conversationId: other._id } })).status).toBe(200)
})

keeps('contact.upsertRequires', async ({ requires, some }) => {
  await requires('createOrUpdateContact', () => ({ body: some.upsert() }))
})

keeps('contact.upsertShowsWhatWasGiven', async ({ ask, some }) => {
  const more = { status: 'open', lifecycleStage: 'Customer', additionalFields: { favouriteColour: 'teal' } }
  const made = some.upsert(more)
  expect((await ask('createOrUpdateContact', { body: made })).data).toMatchObject(made)
  const { email, phone } = made
  const changed = { ...some.upsert({ firstName: 'Amazing', lastName: 'Grace', ...more }), email, phone }
  expect((await ask('createOrUpdateContact', { body: changed })).data).toMatchObject(changed)
})

keeps('contact.upsertCreates', async ({ accepted, look, made, some }) => {
  const other = await made.contact()
  const { data } = await accepted('createOrUpdateContact', { body: some.upsert() })
  expect(data._id).not.toBe(other._id)
  expect(await look('contact', data)).toMatchObject({ _id: data._id, firstName: data.firstName })
  expect(await look('contact', other)).toMatchObject({ _id: other._id, firstName: other.firstName })
})

keeps('contact.upsertUpdates', async ({ accepted, ask, look, made, mint, some }) => {
  const [email, phone] = [mint.email(), mint.phone()]
  const { _id } = await made.contact({ email, phone })
  const body = some.upsert({ email, phone })
  expect((await accepted('createOrUpdateContact', { body })).data).toMatchObject({ ...body, _id })
  expect(await look('contact', { _id, firstName: body.firstName })).toMatchObject({ ...body, _id })
  expect(await deletedBy(ask, email)).toMatch(one)
})

keeps('contact.upsertRefusesPlainText', async ({ refused, some }) => {
  await refused('createOrUpdateContact', { text: JSON.stringify(some.upsert()), contentType: 'text/plain' })
})

keeps('contact.deleteByEmailRequires', async ({ made, mint, requires }) => {
  const email = mint.email()
  await made.contact({ email })
  await requires('deleteContactsByEmail', () => ({ query: { email } }))
})

async function namesakes(given: Tools): Promise<readonly [string, Contact, Contact]> {
  const email = given.mint.email()
  const one = await given.made.contact({ email })
  const other = await namesake(given, email)
  if (!other) throw new Inconclusive('here no two contacts have one e-mail address')
  return [email, one, other]
}

keeps('contact.deleteByEmailTakesAll', async (given) => {
  const { ask, refused, mint } = given
  const [email, ...contacts] = await namesakes(given)
  await ask('deleteContactsByEmail', { query: { email } })
  for (const contact of contacts)
    await refused('updateContact', { path: at(contact), body: { source: mint.name('update') } })
})

keeps('contact.deleteByEmailSparesOthers', async ({ ask, look, made, mint }) => {
  const email = mint.email()
  await made.contact({ email })
  const other = await made.contact()
  await ask('deleteContactsByEmail', { query: { email } })
  expect(await look('contact', other)).toMatchObject({ _id: other._id })
})

keeps('contact.deleteByEmailSaysHowMany', async (given) => {
  const { ask, made, mint } = given
  const alone = mint.email()
  await made.contact({ email: alone })
  expect(await deletedBy(ask, alone)).toMatch(one)
  const [shared] = await namesakes(given)
  expect(await deletedBy(ask, shared)).toMatch(two)
})

const [one, two] = [/\b1\b/, /\b2\b/]

/** What a delete by e-mail says, without the address, which has numbers of its own. */
async function deletedBy(ask: Tools['ask'], email: string): Promise<string> {
  return (await ask('deleteContactsByEmail', { query: { email } })).message.replaceAll(email, '')
}
