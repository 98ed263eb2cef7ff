import { expect } from 'vitest'
import { sleep } from '../client/sleep.ts'
import { type Fields, fieldsOf } from '../client/answer.ts'
import type { Tools } from '../client/tools.ts'
import { promise } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { checkAccepted, checkRefused, eachValueAs } from './each-operation.ts'
import { deleteByEmail } from './effects.ts'
import { numbersIn } from '../judge/laws/contacts.ts'
import { keeps } from './keeps.ts'
import { expectStillThere, findOldest, keepsUpdatesOfOthers } from './other-records.ts'
import { asShown, expectSameTime, oncePerRun, precisionOf, unusualNames } from './values.ts'

type Contact = Schemas['Contact']

const at = ({ _id }: Contact) => ({ contactId: _id })

/** Waits until the times of the server differ. */
async function waitForNextTime({ createdAt }: Contact): Promise<void> {
  const precision = precisionOf(createdAt)
  if (precision > 1000) throw new Inconclusive('the times of this server are to the minute')
  await sleep(precision === 1 ? 10 : 1100)
}

/** A contact as it is created, after each of the two ways to update it, and as it is deleted. */
async function followLife({ ask, make, mint, some }: Tools): Promise<readonly Contact[]> {
  const { firstName, lastName, email, phone } = some.contact()
  const contact = await make.contact({ firstName, lastName, email, phone })
  await waitForNextTime(contact)
  const updated = await ask('updateContact', { path: at(contact), body: { source: mint.name('update') } })
  await waitForNextTime(contact)
  const upsert = { firstName, lastName, email, phone, source: mint.name('upsert') }
  const upserted = await ask('createOrUpdateContact', { body: upsert })
  return [contact, updated.data, upserted.data, (await ask('deleteContact', { path: at(contact) })).data]
}

keeps('contact.createdAtStays', async (context) => {
  // An older contact may have the phone number, but no older contact has the e-mail address.
  const { phone: _, ...body } = context.some.contact()
  const { data: contact } = await context.ask('createContact', { body })
  const { data: updated } = await context.ask('updateContact', { path: at(contact), body: { firstName: 'Augusta' } })
  expectSameTime(updated.createdAt, contact.createdAt)

  const [first = '', ...later] = (await followLife(context)).map(({ createdAt }) => createdAt)
  for (const createdAt of later) expectSameTime(createdAt, first)
})

keeps('contact.updatedAtMoves', async (context) => {
  const life = await followLife(context)
  for (const { createdAt, updatedAt } of life)
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt))
  const [created = NaN, updated = NaN, upserted] = life.map(({ updatedAt }) => Date.parse(updatedAt))
  expect(updated).toBeGreaterThan(created)
  expect(upserted).toBeGreaterThan(updated)
})

checkAccepted({
  'contact.lifecycleStagesAreTaken': eachValueAs('lifecycleStage'),
  // In this order no status returns to an earlier one, which a server may refuse.
  'contact.statusesAreTaken': eachValueAs('status'),
})

checkRefused({
  'contact.groupsAreAList': ({ target: { places } }) =>
    [places.group, [1], [{ _id: places.group }]].map((groupIds) => ({ groupIds })),
  'contact.additionalFieldsAreAnObject': () => ['plum', ['plum']].map((additionalFields) => ({ additionalFields })),
})

/** A group for a contact, unless the server accepts only groups that exist. */
function chooseGroups(tools: Tools): Promise<{ groupIds?: string[] }> {
  return oncePerRun(tools, 'groupIds', async () => {
    const groupIds = [tools.target.places.group]
    if ((await tools.call('createContact', { body: tools.some.contact({ groupIds }) })).succeeded) return { groupIds }
    tools.observe('contactReferences', 'refused')
    return {}
  })
}

/** Custom fields for a contact, unless the server accepts only defined ones. */
async function chooseCustomFields(tools: Tools, colour = 'teal'): Promise<{ additionalFields?: Fields }> {
  const additionalFields = { favouriteColour: colour }
  const isStored = await oncePerRun(tools, 'additionalFields', async () => {
    const { data, succeeded } = await tools.call('createContact', { body: tools.some.contact({ additionalFields }) })
    return succeeded && 'favouriteColour' in fieldsOf(data.additionalFields)
  })
  return isStored ? { additionalFields } : {}
}

/** A body with each field except the company. */
async function everyField(tools: Tools, fields: object = {}, colour?: string): Promise<Fields> {
  return {
    ...tools.some.contact({ status: 'in-progress', lifecycleStage: 'Ads' }),
    ...(await chooseCustomFields(tools, colour)),
    ...(await chooseGroups(tools)),
    ...fields,
  }
}

/** Expects unusual names that the server accepts to be stored as they are. */
async function keepsUnusualNames(
  write: (names: object) => object,
  { call }: Tools,
  operation: 'createContact' | 'updateContact' | 'createOrUpdateContact',
  path?: Readonly<Record<string, string>>,
): Promise<void> {
  for (const name of unusualNames) {
    const body = write({ firstName: name, lastName: name })
    const answer = await call(operation, { ...(path ? { path } : {}), body })
    if (answer.succeeded) expect(answer.data).toMatchObject(asShown(body))
  }
}

keeps('contact.createShowsWhatWasGiven', async ({ ask, call, readRecord, mint, some }, context) => {
  const body = await everyField(context)
  const { data: contact } = await ask('createContact', { body })
  for (const shown of [contact, await readRecord('contact', contact)]) expect(shown).toMatchObject(asShown(body))
  await keepsUnusualNames((names) => some.contact(names), context, 'createContact')
  if ('additionalFields' in body)
    for (const favouriteColour of [36, ['teal', 'grey']]) {
      const answer = await call('createContact', { body: some.contact({ additionalFields: { favouriteColour } }) })
      if (answer.succeeded) expect(fieldsOf(answer.data.additionalFields)).toHaveProperty('favouriteColour')
    }
  // A server that accepts one unknown group accepts two.
  const groupIds = [mint.unknownId(), mint.unknownId()]
  const inGroups = await call('createContact', { body: some.contact({ groupIds }) })
  const shown = inGroups.succeeded ? (inGroups.data.groupIds ?? []) : []
  expect(groupIds.filter((id) => shown.includes(id)).length).not.toBe(1)
  // A new contact has no fields of an earlier one.
  await ask('createContact', { body: some.contact() })
  const { email, ...withoutEmail } = some.contact()
  const answer = await call('createContact', { body: withoutEmail })
  if (!answer.succeeded) return
  expect(answer.data.email ?? '').toBe('')
  expect(fieldsOf(answer.data.additionalFields)).not.toHaveProperty('favouriteColour')
})

const changes = {
  firstName: 'Augusta',
  lastName: 'King',
  status: 'in-progress',
  lifecycleStage: 'Event',
} as const

/** From the status of this contact, the changes are one step. */
const makeOpenContact = ({ make }: Tools) => make.contact({ status: 'open' })

keeps('contact.updateShowsTheChange', async (context) => {
  const [contact, body] = [await makeOpenContact(context), await everyField(context, changes, 'plum')]
  const { data } = await context.ask('updateContact', { path: at(contact), body })
  for (const shown of [data, await context.readRecord('contact', data)]) expect(shown).toMatchObject(asShown(body))
  await keepsUnusualNames((names) => names, context, 'updateContact', at(contact))
  await keepsUpdatesOfOthers(context, 'contact')
})

keeps('contact.updateTakesAnyOneField', async ({ accepts, make }, context) => {
  const contact = await makeOpenContact(context)
  const fields = { ...(await everyField(context, changes, 'plum')), company: (await make.company())._id }
  for (const [field, value] of Object.entries(fields))
    await accepts('updateContact', { path: at(contact), body: { [field]: value } })
})

keeps('contact.deleteAnswersWithTheContact', async ({ ask, make }, context) => {
  const [body, { _id: company }] = [await everyField(context), await make.company()]
  const contact = await make.contact(body)
  await ask('updateContact', { path: at(contact), body: { company } })
  const deleted = (await ask('deleteContact', { path: at(contact) })).fields.data
  expect(deleted).toMatchObject(asShown({ ...body, company, _id: contact._id }))
})

keeps('contact.upsertShowsWhatWasGiven', async ({ ask, readRecord, some }, context) => {
  const made = some.upsert({ status: 'open', lifecycleStage: 'Customer', ...(await chooseCustomFields(context)) })
  const changed = { ...made, firstName: 'Amazing', lastName: 'Grace', status: 'in-progress', lifecycleStage: 'Event' }
  for (const body of [made, changed]) {
    const { data } = await ask('createOrUpdateContact', { body })
    for (const shown of [data, await readRecord('contact', data)]) expect(shown).toMatchObject(asShown(body))
  }
  await keepsUnusualNames((names) => some.upsert(names), context, 'createOrUpdateContact')
})

/** A message without numbers passes. */
function expectCount(message: string, count: number): void {
  const stated = numbersIn(message)
  if (stated.length > 0) expect(stated).toContain(count)
}

keeps('contact.upsertUpdates', async ({ accepts, ask, readRecord, make, mint }, context) => {
  const [email, phone] = [mint.email(), mint.phone()]
  const { _id } = await make.contact(await everyField(context, { email, phone, status: 'open' }))
  const names = { firstName: 'Grace', lastName: mint.surname('Hopper') }
  // An upsert may clear the fields that it does not send. Each then has the value of a new contact.
  const other = (await ask('createOrUpdateContact', { body: { ...names, email: mint.email(), phone: mint.phone() } }))
    .data
  const empty: Fields = { ...(await readRecord('contact', other)) }
  for (const fields of [{ source: mint.name('upsert') }, { status: 'in-progress' }, { lifecycleStage: 'Event' }]) {
    const before: Fields = { ...(await readRecord('contact', { _id, ...names })) }
    const body = { ...names, email, phone, ...fields }
    const { data } = await accepts('createOrUpdateContact', { body })
    for (const shown of [data, await readRecord('contact', data)]) {
      expect(shown).toMatchObject(asShown({ ...body, _id }))
      for (const [field, value] of Object.entries(shown ?? {}))
        if (writableFields.includes(field) && !(field in body))
          expect([before[field], empty[field], null, '']).toContainEqual(value)
    }
  }
  expectCount(await deleteByEmail(ask, email), 1)
})

const writableFields: readonly string[] = promise('contact.updateTakesAnyOneField').fields

keeps('contact.upsertRefusesPlainText', async ({ call, some }) => {
  const text = JSON.stringify(some.upsert())
  const { status } = await call('createOrUpdateContact', { text, contentType: 'text/plain' })
  expect([400, 415]).toContain(status) // 415 is the status of HTTP for it
})

/** Another contact with the same e-mail address, unless the server refuses or merges it. */
async function makeNamesake({ call, observe, some }: Tools, email: string, _id: string): Promise<Contact | undefined> {
  const other = await call('createContact', { body: some.contact({ email }) })
  observe('sameAddressTwice', other.status === 400 ? 'refused' : 'accepted')
  return other.status === 400 || other.data._id === _id ? undefined : other.data
}

keeps('contact.deleteSparesOthers', async ({ ask, call, readRecord, make, mint, some, readAnswer }, context) => {
  const [email, phone, source] = [mint.email(), mint.phone(), mint.name('contract')]
  const earlier = [...(await findOldest(context, 'contact')), await make.contact({ source })]
  const [{ contactId }, other] = [await make.conversation({ email, phone, source }), await make.conversation()]
  const namesake = await makeNamesake(context, email, contactId._id)
  const [deal, company] = [await call('createDeal', { body: some.deal() }), await make.company()]
  const samePhone = await call('createContact', { body: some.contact({ phone }) })
  await ask('deleteContact', { path: { contactId: contactId._id } })
  for (const one of [other.contactId, ...(namesake ? [namesake] : [])])
    expect(await readRecord('contact', one)).toMatchObject({ _id: one._id })
  if (samePhone.succeeded && samePhone.data._id !== contactId._id)
    expect(await readRecord('contact', samePhone.data)).toMatchObject(asShown({ _id: samePhone.data._id, phone }))
  expect((await call('getConversation', { path: { conversationId: other._id } })).status).toBe(200)
  for (const one of earlier) await expectStillThere(context, 'contact', one)
  expect((await readAnswer('company', company)).status).not.toBe(404)
  if (deal.succeeded) expect((await readAnswer('deal', deal.data)).status).not.toBe(404)
})

async function makeNamesakes(tools: Tools): Promise<readonly [string, Contact, Contact]> {
  const email = tools.mint.email()
  const one = await tools.make.contact({ email })
  const other = await makeNamesake(tools, email, one._id)
  if (!other) throw new Inconclusive('this server accepts no two contacts with the same e-mail address')
  return [email, one, other]
}

keeps('contact.deleteByEmailTakesAll', async ({ ask, refuses, mint }, context) => {
  const [email, ...contacts] = await makeNamesakes(context)
  await ask('deleteContactsByEmail', { query: { email } })
  for (const contact of contacts)
    await refuses('updateContact', { path: at(contact), body: { source: mint.name('update') } })
})

keeps('contact.deleteByEmailSparesOthers', async ({ ask, call, readRecord, make, mint }) => {
  const email = mint.email()
  await make.contact({ email })
  const others = [await make.contact()]
  for (const address of [`a${email}`, email.replace('@', 'a@'), email.replace('@', '-a@'), `${email}.au`])
    others.push(await make.contact({ email: address }))
  await ask('deleteContactsByEmail', { query: { email } })
  for (const other of others) expect(await readRecord('contact', other)).toMatchObject({ _id: other._id })

  // The specification leaves open when two addresses are equal. But if the server creates a contact for each of these
  // addresses, a delete of one leaves the others in place.
  for (const index of [0, 1]) {
    const addresses = similarAddresses(mint.email())
    const people: { readonly _id: string; readonly email: string }[] = []
    for (const address of addresses) {
      const answer = await call('findOrCreateConversation', { body: { email: address } })
      if (answer.succeeded) people.push({ _id: answer.data.contactId._id, email: address })
    }
    const deleted = people.find((one) => one.email === addresses[index])
    if (!deleted) continue
    await ask('deleteContactsByEmail', { query: { email: deleted.email } })
    for (const { _id } of people.filter((one) => one._id !== deleted._id))
      expect(await readRecord('contact', { _id, firstName: 'Ada' })).toMatchObject({ _id })
  }
})

/** With a tag, and with a dot: some mail services take these for the same address. */
const similarAddresses = (email: string) => [email, email.replace('@', '+post@'), email.replace(/(?=-\d+@)/, '.')]
