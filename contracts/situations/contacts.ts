import { fieldsOf, idOf } from '../client/answer.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Story, StoryTools } from '../judge/story.ts'
import { keys, textOf, textPairs, withKey } from './writes.ts'

// Contacts: how one came about, what an update changes, how it is found again, and how it ends.

export const contactParameters = {
  came: ['posted', 'upserted', 'byEmail', 'byPhone', 'byBoth', 'withConversation', 'byEmailMessage', 'byPhoneMessage'],
  address: ['plain', 'plus', 'capitals'],
  texts: textPairs,
  /** Each update changes the next of them. */
  fields: [
    'firstName lastName phone',
    'email company additionalFields',
    'status lifecycleStage source',
    'groupIds two noGroups',
  ],
  key: keys,
  found: ['email upsert', 'phone message', 'both id', 'newEmailKnownPhone conversation'],
  ends: ['deleted', 'deletedByEmail', 'deletedAndMadeAgain', 'triedByAnotherTeam'],
} as const

type Values = { readonly [Name in keyof typeof contactParameters]: (typeof contactParameters)[Name][number] }

export const contactStory =
  ({ came, address, texts, fields, key, found, ends }: Values): Story =>
  async (tools) => {
    const { attempt, mint } = tools
    const [email, phone] = [addressOf(mint.email(), address), mint.phone()]
    const contact = { firstName: textOf(texts, 0), lastName: mint.surname('Lovelace'), email, phone }
    const id = await comeAbout(tools, came, contact, key, othersOf(tools, texts, found))
    if (id === undefined) return
    const path = { contactId: id }
    let known = { email, phone }
    for (const [time, field] of fields.split(' ').entries()) {
      const body = await changeOf(tools, field, textOf(texts, time), time, address)
      await withKey(tools, time === 0 ? key : 'none', 'updateContact', { path, body })
      known = { ...known, ...body }
    }
    await attempt('updateContact', { path, body: {} })
    for (const by of found.split(' ')) await find(tools, by, id, known)
    const listed = await attempt('listConversationsOfContact', { path })
    const [conversationId] = [listed?.fields.data].flat().map(idOf)
    await end(tools, ends, id, { ...contact, conversationId, address })
    if (!/^deleted(ByEmail)?$/.test(ends) || conversationId === undefined) return
    await attempt('getConversation', { path: { conversationId } })
    await attempt('listMessages', { path: { conversationId }, query: { page: 1, limit: 10 } })
  }

export const addressOf = (email: string, form: Values['address']) =>
  form === 'plus' ? email.replace('@', '+crm@') : form === 'capitals' ? email.replace(/^c/, 'C') : email

interface Contact {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone: string
}

/** The fields beside the names and addresses of a contact, with other values in each story. */
function othersOf({ mint, target }: StoryTools, texts: Values['texts'], found: Values['found']) {
  const at = textPairs.indexOf(texts)
  const stages = promise('contact.lifecycleStagesAreTaken').values
  return {
    lifecycleStage: stages[(4 * at + contactParameters.found.indexOf(found)) % stages.length],
    status: statuses[at],
    source: mint.name('Zoë 😀'),
    additionalFields: { favouriteColour: mint.name('blue') },
    groupIds: [target.places.group],
  }
}

async function comeAbout(
  tools: StoryTools,
  came: Values['came'],
  contact: Contact,
  key: Values['key'],
  { groupIds, ...others }: ReturnType<typeof othersOf>,
): Promise<string | undefined> {
  const { attempt, mint, some } = tools
  const { email, phone } = contact
  const sent = (
    operation: OperationId,
    body: object,
    elsewhere: object = { ...contact, lastName: mint.surname('Hopper'), email: mint.email(), phone: mint.phone() },
  ) => withKey(tools, key, operation, { body }, { body: elsewhere })
  if (came === 'posted') return idOf((await sent('createContact', { ...contact, ...others, groupIds }))?.fields.data)
  if (came === 'upserted') {
    const upserted = { ...contact, ...others, ...(key === 'new' && { email: undefined }) }
    return idOf((await sent('createOrUpdateContact', upserted))?.fields.data)
  }
  if (came === 'withConversation') {
    const { lifecycleStage } = others
    return contactIn(await sent('createContactWithConversation', { ...contact, lifecycleStage, groupId: groupIds[0] }))
  }
  if (came === 'byEmailMessage')
    return contactIn(await attempt('sendEmailMessage', { body: some.email({ to: email }) }))
  if (came === 'byPhoneMessage')
    return contactIn(
      await (key === 'none'
        ? attempt('sendMessage', { body: some.text({ to: phone }) })
        : attempt('sendLiveMessage', { body: some.chat({ to: phone }) })),
    )
  const body = came === 'byEmail' ? { email } : came === 'byPhone' ? { phone } : { email, phone }
  return contactIn(await sent('findOrCreateConversation', body, { email: mint.email() }))
}

function contactIn(answer: { readonly fields: { readonly data?: unknown } } | undefined): string | undefined {
  const { contactId } = fieldsOf(answer?.fields.data)
  return typeof contactId === 'string' ? contactId : idOf(contactId)
}

const stages = ['Ads', 'Customer', 'Event'] as const
const statuses = ['open', 'closed', 'in-progress'] as const

async function changeOf(
  { attempt, mint, some, target }: StoryTools,
  field: string,
  text: string,
  time: number,
  address: Values['address'],
): Promise<object> {
  const changed = `${text} ${time}`
  switch (field) {
    case 'email':
      return { email: addressOf(mint.email(), address) }
    case 'phone':
      return { phone: mint.phone() }
    case 'status':
      return { status: statuses[time] }
    case 'lifecycleStage':
      return { lifecycleStage: stages[time] }
    case 'groupIds':
      return { groupIds: [target.places.group] }
    case 'company':
      return { company: idOf((await attempt('createCompany', { body: some.company() }))?.fields.data) }
    case 'additionalFields':
      return { additionalFields: { favouriteColour: changed, tags: ['a', 'b'] } }
    case 'noGroups':
      return { groupIds: [] }
    case 'two':
      return { firstName: changed, source: mint.name('two') }
    case 'lastName':
      return { lastName: mint.surname(changed) }
    case 'source':
      return { source: mint.name(changed) }
    default:
      return { [field]: changed }
  }
}

async function find(
  { attempt, mint, some }: StoryTools,
  found: string,
  id: string,
  { email, phone }: Pick<Contact, 'email' | 'phone'>,
): Promise<void> {
  const names = { firstName: 'Grace', lastName: mint.surname('Hopper') }
  if (found === 'upsert') await attempt('createOrUpdateContact', { body: { ...names, email, phone } })
  else if (found === 'newEmailKnownPhone')
    await attempt('createContactWithConversation', { body: { ...names, email: mint.email(), phone } })
  else if (found === 'message') {
    await attempt('sendEmailMessage', { body: some.email({ to: email }) })
    await attempt('sendMessage', { body: some.text({ to: phone }) })
  } else if (found === 'id') await attempt('sendLiveMessage', { body: some.chat({ contactId: id }) })
  else if (found === 'conversation')
    for (let time = 0; time < 3; time++) await attempt('createConversation', { body: { contactId: id } })
  else {
    const addresses = found === 'email' ? { email } : found === 'phone' ? { phone } : { email, phone }
    const answer = await attempt('findOrCreateConversation', { body: addresses })
    const conversationId = idOf(answer?.fields.data)
    if (conversationId !== undefined) await attempt('getConversation', { path: { conversationId } })
    await attempt('createContactWithConversation', { body: { ...names, ...addresses } })
  }
}

interface Place {
  readonly conversationId: string | undefined
  readonly address: Values['address']
}

async function end(
  { attempt, call, mint, some, target }: StoryTools,
  ends: Values['ends'],
  id: string,
  { conversationId, address, ...contact }: Contact & Place,
): Promise<void> {
  const path = { contactId: id }
  if (ends === 'triedByAnotherTeam') {
    const caller = 'otherTeam'
    const { email, phone } = contact
    // The first of them makes the contact of the other team.
    const doors = [
      ['createOrUpdateContact', { ...contact, email: undefined }],
      ['findOrCreateConversation', { phone }],
    ] as const
    for (const [operation, body] of address === 'plain' ? doors : doors.toReversed())
      await attempt(operation, { body, caller })
    await attempt('updateContact', { path, body: { firstName: 'Mallory' }, caller })
    await attempt('listConversationsOfContact', { path, caller })
    await attempt('createConversation', { body: { contactId: id }, caller })
    await attempt('sendLiveMessage', { body: some.chat({ contactId: id }), caller })
    const theirs = contactIn(await attempt('findOrCreateConversation', { body: { email, phone }, caller }))
    if (conversationId !== undefined && theirs !== undefined)
      await attempt('sendEmailMessage', { body: some.email({ conversationId, recipientIds: [theirs] }) })
    await attempt('updateContact', { path, body: {} })
    return
  }
  if (ends === 'deletedByEmail') {
    const { email } = contact
    await attempt('createContact', { body: { firstName: 'Grace', lastName: mint.surname('Hopper'), email } })
    await attempt('deleteContactsByEmail', { query: { email } })
  } else await attempt('deleteContact', { path })
  await attempt('updateContact', { path, body: { firstName: 'Ada' } })
  if (ends === 'deletedAndMadeAgain') {
    const body = { ...contact, phone: mint.phone(), lifecycleStage: 'Ads', groupId: target.places.group }
    const made = contactIn(await attempt('createContactWithConversation', { body }))
    if (made === undefined) return
    await attempt('updateContact', { path: { contactId: made }, body: { phone: contact.phone } })
    await attempt('sendMessage', { body: some.text({ to: contact.phone }) })
  } else await attempt('createConversation', { body: { contactId: id } })
  await call('sendLiveMessage', { body: some.chat({ contactId: id }) }).catch(() => undefined)
}
