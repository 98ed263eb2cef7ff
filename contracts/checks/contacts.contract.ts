import { expect } from 'vitest'
import { sleep } from '../../client/sleep.ts'
import { fieldsOf } from '../../client/answer.ts'
import type { Tools } from '../../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { lookPastUpdates } from './each-operation.ts'
import { keeps } from './keeps.ts'
import { keepsUpdatesOfOthers } from './other-callers.ts'
import { asShown } from './shown.ts'
import { longName, tellingName } from './telling-values.ts'
import { expectSameTime, timestamp, unitOf } from './times.ts'
import { deleteByEmail, expectCount } from './delete-by-email.ts'

type Contact = Schemas['Contact']

const at = ({ _id }: Contact) => ({ contactId: _id })

/** A contact as each of the four operations answers with it. */
async function answersOf({ ask, make, some }: Tools): Promise<Contact[]> {
  const created = await make.contact()
  return [
    created,
    (await ask('updateContact', { path: at(created), body: { firstName: 'Augusta' } })).data,
    (await ask('createOrUpdateContact', { body: some.upsert() })).data,
    (await ask('deleteContact', { path: at(created) })).data,
  ]
}

keeps('contact.answersWithTheContact', async (given) => {
  for (const contact of await answersOf(given))
    for (const field of given.requirement.fields) expect(contact).toHaveProperty(field, expect.stringMatching(/./))
})

keeps('contact.timesAreIso', async (given) => {
  for (const contact of await answersOf(given))
    for (const field of given.requirement.fields) expect(contact).toHaveProperty(field, timestamp)
})

/** As long as the times of a server need to move. */
async function letTimePass({ createdAt }: Contact): Promise<void> {
  const unit = unitOf(createdAt)
  if (unit > 1000) throw new Inconclusive('the times of this server are to the minute')
  await sleep(unit === 1 ? 10 : 1100)
}

/** A contact as it is created, after each of the two ways to update it, and as it is deleted. */
async function followLife({ ask, make, mint, some }: Tools): Promise<readonly Contact[]> {
  const { firstName, lastName, email, phone } = some.contact()
  const contact = await make.contact({ firstName, lastName, email, phone })
  await letTimePass(contact)
  const updated = await ask('updateContact', { path: at(contact), body: { source: mint.name('update') } })
  await letTimePass(contact)
  const upsert = { firstName, lastName, email, phone, source: mint.name('upsert') }
  const upserted = await ask('createOrUpdateContact', { body: upsert })
  return [contact, updated.data, upserted.data, (await ask('deleteContact', { path: at(contact) })).data]
}

keeps('contact.createdAtStays', async (given) => {
  // A number may find somebody who was there before, but no address of the run does.
  const { phone: _, ...body } = given.some.contact()
  const { data: contact } = await given.ask('createContact', { body })
  const { data: updated } = await given.ask('updateContact', { path: at(contact), body: { firstName: 'Augusta' } })
  expectSameTime(updated.createdAt, contact.createdAt)

  const [first = '', ...later] = (await followLife(given)).map(({ createdAt }) => createdAt)
  for (const createdAt of later) expectSameTime(createdAt, first)
})

keeps('contact.updatedAtMoves', async (given) => {
  const life = await followLife(given)
  for (const { createdAt, updatedAt } of life)
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt))
  const [created = NaN, updated = NaN, upserted] = life.map(({ updatedAt }) => Date.parse(updatedAt))
  expect(updated).toBeGreaterThan(created)
  expect(upserted).toBeGreaterThan(updated)
})

keeps('contact.lifecycleStagesAreTaken', async ({ accepts, make, some, requirement }) => {
  const contact = await make.contact()
  for (const lifecycleStage of requirement.values) {
    await accepts('createContact', { body: some.contact({ lifecycleStage }) })
    await accepts('updateContact', { path: at(contact), body: { lifecycleStage } })
    await accepts('createOrUpdateContact', { body: some.upsert({ lifecycleStage }) })
  }
})

keeps('contact.createAnswers201', async ({ call, some, requirement }) => {
  expect((await call('createContact', { body: some.contact() })).status).toBe(requirement.status)
})

keeps('contact.updateAnswers200', async ({ call, make, requirement }) => {
  const answer = await call('updateContact', { path: at(await make.contact()), body: { firstName: 'Augusta' } })
  expect(answer.status).toBe(requirement.status)
})

keeps('contact.deleteAnswers200', async ({ call, make, requirement }) => {
  expect((await call('deleteContact', { path: at(await make.contact()) })).status).toBe(requirement.status)
})

keeps('contact.upsertAnswers200', async ({ call, some, requirement }) => {
  const body = some.upsert()
  expect((await call('createOrUpdateContact', { body })).status).toBe(requirement.status)
  expect((await call('createOrUpdateContact', { body })).status).toBe(requirement.status)
})

keeps('contact.deleteByEmailAnswers200', async ({ call, make, mint, requirement }) => {
  const email = mint.email()
  await make.contact({ email })
  expect((await call('deleteContactsByEmail', { query: { email } })).status).toBe(requirement.status)
})

keeps('contact.createRequires', async ({ requires, some }) => {
  await requires('createContact', () => ({ body: some.contact() }))
})

/** A group for a contact; none if the server accepts only groups that exist, which is left open. */
async function chooseGroups({ call, some, observe, target }: Tools): Promise<{ groupIds?: string[] }> {
  const groupIds = [target.places.group]
  if ((await call('createContact', { body: some.contact({ groupIds }) })).succeeded) return { groupIds }
  observe('contactReferences', 'refused')
  return {}
}

/** Custom fields for a contact; none if the server takes only those that somebody has defined. */
async function chooseCustomFields(
  { call, some }: Tools,
  colour = 'teal',
): Promise<{ additionalFields?: Record<string, unknown> }> {
  const additionalFields = { favouriteColour: colour }
  const answer = await call('createContact', { body: some.contact({ additionalFields }) })
  const isKept = answer.succeeded && 'favouriteColour' in fieldsOf(answer.data.additionalFields)
  return isKept ? { additionalFields } : {}
}

/** A body with each field except the company. */
async function everyField(given: Tools, fields: object = {}, colour?: string) {
  return {
    ...given.some.contact({ status: 'in-progress', lifecycleStage: 'Customer' }),
    ...(await chooseCustomFields(given, colour)),
    ...(await chooseGroups(given)),
    ...fields,
  }
}

keeps('contact.createShowsWhatWasGiven', async (given) => {
  const { ask, call, some } = given
  const body = await everyField(given)
  expect((await ask('createContact', { body })).data).toMatchObject(asShown(body))
  for (const name of [tellingName, longName]) {
    const telling = some.contact({ firstName: name, lastName: name })
    const answer = await call('createContact', { body: telling })
    if (answer.succeeded) expect(answer.data).toMatchObject(asShown(telling))
  }
  if ('additionalFields' in body) await keepsEveryCustomField(given)
  await keepsEveryGroup(given)
  await showsNothingElse(given)
})

/** A contact has nothing from the one that was created before it. */
async function showsNothingElse({ ask, call, some }: Tools): Promise<void> {
  await ask('createContact', { body: some.contact() })
  const { email, ...body } = some.contact()
  const answer = await call('createContact', { body })
  if (!answer.succeeded) return
  expect(answer.data.email ?? '').toBe('')
  expect(fieldsOf(answer.data.additionalFields)).not.toHaveProperty('favouriteColour')
}

/** A server that keeps a custom field keeps it whatever its type, unless it refuses that. */
async function keepsEveryCustomField({ call, some }: Tools): Promise<void> {
  for (const favouriteColour of [36, true, ['teal', 'grey'], { shade: 'teal' }]) {
    const body = some.contact({ additionalFields: { favouriteColour } })
    const answer = await call('createContact', { body })
    if (answer.succeeded) expect(fieldsOf(answer.data.additionalFields)).toHaveProperty('favouriteColour')
  }
}

/** A server that takes groups that nobody has made takes two as it takes one. */
async function keepsEveryGroup({ call, mint, some }: Tools): Promise<void> {
  const [one, other] = [mint.unknownId(), mint.unknownId()]
  const answer = await call('createContact', { body: some.contact({ groupIds: [one, other] }) })
  const groups = answer.succeeded ? (answer.data.groupIds ?? []) : []
  expect(groups.includes(one)).toBe(groups.includes(other))
}

keeps('contact.statusesAreTaken', async ({ accepts, ask, some, requirement }) => {
  // In this order no status goes back to an earlier one, which a server may refuse.
  const contact = (await ask('createContact', { body: some.contact() })).data
  for (const status of requirement.values) {
    await accepts('createContact', { body: some.contact({ status }) })
    await accepts('updateContact', { path: at(contact), body: { status } })
  }
})

keeps('contact.otherStatusesAreRefused', async ({ make, refuses, some }) => {
  const contact = await make.contact()
  await refuses('createContact', { body: { ...some.contact(), status: 'archived' } })
  await refuses('updateContact', { path: at(contact), body: { status: 'archived' } })
})

keeps('contact.groupsAreAList', async ({ make, refuses, some, target }) => {
  const contact = await make.contact()
  for (const groupIds of [target.places.group, [1], [{ _id: target.places.group }]]) {
    await refuses('createContact', { body: { ...some.contact(), groupIds } })
    await refuses('updateContact', { path: at(contact), body: { groupIds } })
  }
})

keeps('contact.additionalFieldsAreAnObject', async ({ make, refuses, some }) => {
  const contact = await make.contact()
  for (const additionalFields of ['plum', ['plum']]) {
    await refuses('createContact', { body: { ...some.contact(), additionalFields } })
    await refuses('updateContact', { path: at(contact), body: { additionalFields } })
    await refuses('createOrUpdateContact', { body: { ...some.upsert(), additionalFields } })
  }
})

const changes = {
  firstName: 'Augusta',
  lastName: 'King',
  status: 'in-progress',
  lifecycleStage: 'Event',
}

/** From its status to that of the changes is one step. */
const makeOpenContact = ({ make }: Tools) => make.contact({ status: 'open' })

keeps('contact.updateShowsTheChange', async (given) => {
  const [contact, body] = [await makeOpenContact(given), await everyField(given, changes, 'plum')]
  expect((await given.ask('updateContact', { path: at(contact), body })).data).toMatchObject(asShown(body))
  for (const name of [tellingName, longName]) {
    const telling = { firstName: name, lastName: name }
    const answer = await given.call('updateContact', { path: at(contact), body: telling })
    if (answer.succeeded) expect(answer.data).toMatchObject(telling)
  }
  await keepsUpdatesOfOthers(given, 'contact')
})

keeps('contact.updateSetsTheCompany', async ({ ask, look, make }) => {
  const [contact, { _id: company }] = [await make.contact(), await make.company()]
  expect((await ask('updateContact', { path: at(contact), body: { company } })).data).toMatchObject({ company })
  expect(await look('contact', contact)).toMatchObject({ company })
})

keeps('contact.updateKeepsTheRest', async (given) => {
  const { ask, look, make, mint } = given
  const [body, source] = [await everyField(given), mint.name('update')]
  const [contact, other] = [await make.contact(body), await make.contact()]
  const before = await lookPastUpdates(given, 'contact', other)
  const updated = await ask('updateContact', { path: at(contact), body: { source } })
  expect(updated.data).toMatchObject(asShown({ ...body, _id: contact._id, source }))
  expect(await look('contact', contact)).toMatchObject(asShown({ ...body, _id: contact._id, source }))
  // Nor does it change anybody else, whichever field it sends.
  await ask('updateContact', { path: at(contact), body: { ...changes, source: mint.name('update') } })
  expect(await lookPastUpdates(given, 'contact', other)).toEqual(before)
})

keeps('contact.updateTakesAnyOneField', async (given) => {
  const { accepts, make } = given
  const contact = await makeOpenContact(given)
  const fields = { ...(await everyField(given, changes, 'plum')), company: (await make.company())._id }
  for (const [field, value] of Object.entries(fields))
    await accepts('updateContact', { path: at(contact), body: { [field]: value } })
})

keeps('contact.deleteAnswersWithTheContact', async (given) => {
  const { ask, make } = given
  const [body, { _id: company }] = [await everyField(given), await make.company()]
  const contact = await make.contact(body)
  await ask('updateContact', { path: at(contact), body: { company } })
  const deleted = (await ask('deleteContact', { path: at(contact) })).fields.data
  expect(deleted).toMatchObject(asShown({ ...body, company, _id: contact._id }))
})

keeps('contact.upsertRequires', async ({ requires, some }) => {
  await requires('createOrUpdateContact', () => ({ body: some.upsert() }))
})

keeps('contact.upsertShowsWhatWasGiven', async (given) => {
  const { ask, some } = given
  const more = { status: 'open', lifecycleStage: 'Customer', ...(await chooseCustomFields(given)) }
  const made = some.upsert(more)
  expect((await ask('createOrUpdateContact', { body: made })).data).toMatchObject(asShown(made))
  const { email, phone } = made
  const changed = { ...some.upsert({ firstName: 'Amazing', lastName: 'Grace', ...more }), email, phone }
  expect((await ask('createOrUpdateContact', { body: changed })).data).toMatchObject(asShown(changed))
  for (const name of [tellingName, longName]) {
    const telling = some.upsert({ firstName: name, lastName: name })
    const answer = await given.call('createOrUpdateContact', { body: telling })
    if (answer.succeeded) expect(answer.data).toMatchObject(asShown(telling))
  }
})

keeps('contact.upsertCreates', async ({ accepts, look, make, some }) => {
  const other = await make.contact()
  const { data } = await accepts('createOrUpdateContact', { body: some.upsert() })
  expect(data._id).not.toBe(other._id)
  expect(await look('contact', data)).toMatchObject({ _id: data._id, firstName: data.firstName })
  expect(await look('contact', other)).toMatchObject({ _id: other._id, firstName: other.firstName })
  // With the same name, and other addresses.
  expect((await accepts('createOrUpdateContact', { body: some.upsert() })).data._id).not.toBe(data._id)
})

keeps('contact.upsertUpdates', async ({ accepts, ask, look, make, mint, some }) => {
  const [email, phone] = [mint.email(), mint.phone()]
  const { _id } = await make.contact({ email, phone })
  const body = some.upsert({ email, phone })
  expect((await accepts('createOrUpdateContact', { body })).data).toMatchObject(asShown({ ...body, _id }))
  expect(await look('contact', { _id, firstName: body.firstName })).toMatchObject(asShown({ ...body, _id }))
  expectCount(await deleteByEmail(ask, email), 1)
})

keeps('contact.upsertRefusesPlainText', async ({ call, requirement, some }) => {
  const text = JSON.stringify(some.upsert())
  const { status } = await call('createOrUpdateContact', { text, contentType: 'text/plain' })
  // 415 is what HTTP has for it.
  expect([requirement.status, 415]).toContain(status)
})
