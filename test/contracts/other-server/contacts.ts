import type { Switches } from './switches.ts'
import {
  type Given,
  type Operation,
  recordAt,
  recordToDelete,
  refuse,
  refuseUnless,
  type Reply,
  showLacking,
} from './replies.ts'
import type { Fields, Stored, Team } from './team.ts'
import { custom, email, oneOf, optional, phoneOfContact, readBody, text, texts } from './values.ts'

const statuses = ['open', 'in-progress', 'closed']

const others = { email, phone: phoneOfContact, source: text, lifecycleStage: text, additionalFields: custom }
const onCreate = { 'firstName!': text, 'lastName!': text, ...others, status: oneOf(...statuses), groupIds: texts }
const onUpdate = { ...optional(onCreate), company: text }
const onUpsert = { 'firstName!': text, 'lastName!': text, ...others, status: text }

function showContact(contact: Stored, { team, switches }: Pick<Given, 'team' | 'switches'>): Fields {
  const { groupIds, additionalFields, ...rest } = contact
  const given = { groupIds: groupIds ?? [], additionalFields: additionalFields ?? {} }
  const names = ['firstName', 'lastName', 'email', 'phone', 'status', 'source', 'lifecycleStage', 'company']
  return showLacking({ ...rest, ...given, teamId: team.id }, names, switches)
}

/** A contact with what the server adds by itself. */
export function insertContact(fields: Fields, { team, switches }: Pick<Given, 'team' | 'switches'>): Stored {
  refuseSharedAddress(fields, undefined, { team, switches })
  const address = String(fields.email ?? fields.phone)
  const names = {
    none: {},
    address: { firstName: address, lastName: '' },
    unknown: { firstName: 'Unknown', lastName: 'Unknown' },
  }[switches.nameFromAddress]
  return team.insert('contact', {
    ...names,
    ...(switches.contactStatus === 'open' ? { status: 'open' } : {}),
    ...(switches.lifecycle === 'lead' ? { lifecycleStage: 'Lead' } : {}),
    ...fields,
  })
}

function refuseSharedAddress(
  fields: Fields,
  own: string | undefined,
  { team, switches }: Pick<Given, 'team' | 'switches'>,
) {
  if (switches.sameAddress !== 'refused') return
  for (const name of ['email', 'phone'] as const) {
    const taken = fields[name] !== undefined && team.find('contact', (one) => one[name] === fields[name])
    if (taken && taken._id !== own) refuse(switches)
  }
}

export function refuseUnknown(team: Team, fields: Fields, switches: Switches): void {
  if (switches.references === 'any') return
  const ids = {
    company: ['company', 'companyId'],
    contact: ['contact', 'contactId', 'contacts'],
  } as const
  for (const [kind, names] of Object.entries(ids))
    for (const id of names.flatMap((name) => fields[name] ?? []))
      refuseUnless(team.shelf(kind as 'company').get(id as string) !== undefined, switches, switches.references)
  for (const id of [fields.groupIds ?? [], fields.groupId ?? []].flat())
    refuseUnless(team.groups.includes(id as string), switches, switches.references)
}

/** The contact with these addresses; either may be undefined. */
export function contactWith({ email: address, phone }: Fields, { team, switches }: Pick<Given, 'team' | 'switches'>) {
  const hasEmail = (one: Stored) => address !== undefined && isSameEmail(one.email, address, switches)
  const hasPhone = (one: Stored) => phone !== undefined && one.phone === phone
  const hasAll = (one: Stored) =>
    (address !== undefined || phone !== undefined) &&
    (address === undefined || hasEmail(one)) &&
    (phone === undefined || hasPhone(one))
  const ways = {
    emailFirst: [hasAll, hasEmail, hasPhone],
    phoneFirst: [hasAll, hasPhone, hasEmail],
    allGiven: [hasAll],
  }
  return ways[switches.matching].map((is) => team.find('contact', is)).find((found) => found !== undefined)
}

function isSameEmail(one: unknown, other: unknown, { capitalsInEmails }: Switches): boolean {
  const plain = (address: unknown) => (capitalsInEmails === 'count' ? address : String(address).toLowerCase())
  return plain(one) === plain(other)
}

const createContact: Operation = ({ team, body, switches }) => {
  const fields = readBody(body, onCreate, switches)
  refuseUnknown(team, fields, switches)
  const known = switches.sameAddress === 'merged' ? contactWith(fields, { team, switches }) : undefined
  const contact = known ? team.update('contact', known, fields) : insertContact(fields, { team, switches })
  return { status: 201, message: 'Contact created', data: showContact(contact, { team, switches }) }
}

function change(contact: Stored, fields: Fields, { team, switches }: Given): Reply {
  refuseUnknown(team, fields, switches)
  refuseSharedAddress(fields, contact._id, { team, switches })
  const steps = statuses.indexOf(fields.status as string) - statuses.indexOf(contact.status as string)
  if (switches.statusMoves === 'stepByStep' && fields.status !== undefined)
    refuseUnless([0, 1].includes(steps), switches)
  const updated = team.update('contact', contact, fields)
  return { status: 200, message: 'Contact updated', data: showContact(updated, { team, switches }) }
}

const updateContact: Operation = (given) => {
  const { body, switches } = given
  const contact = recordAt(given, 'contact')
  const fields = readBody(body, onUpdate, switches)
  if (switches.emptyUpdate === 'refused') refuseUnless(Object.keys(fields).length > 0, switches)
  return change(contact, fields, given)
}

const createOrUpdateContact: Operation = (given) => {
  const { body, switches } = given
  const fields = readBody(body, onUpsert, switches)
  const known = contactWith(fields, given)
  if (known) return change(known, fields, given)
  return { status: 200, message: 'Contact created', data: showContact(insertContact(fields, given), given) }
}

function removeContact(contact: Stored, { team, switches }: Given): void {
  team.remove('contact', contact._id)
  if (switches.withContact === 'nothing') return
  for (const kind of ['conversation', 'message'] as const)
    for (const one of team.shelf(kind).all()) if (one.contactId === contact._id) team.remove(kind, one._id)
}

const deleteContact: Operation = (given) => {
  const contact = recordToDelete(given, 'contact')
  if (!contact) return { status: 200, message: 'Nothing to delete' }
  removeContact(contact, given)
  return { status: 200, message: 'Contact deleted', data: showContact(contact, given) }
}

const deleteContactsByEmail: Operation = (given) => {
  const { team, query, switches } = given
  const address = query.get('email') ?? refuse(switches)
  const meant = switches.emailsStored === 'lowerCase' ? address.toLowerCase() : address
  const contacts = team
    .shelf('contact')
    .all()
    .filter((contact) => isSameEmail(contact.email, meant, switches))
  if (contacts.length === 0 && switches.nobodyWithEmail === 404) refuse(switches, 404)
  for (const contact of contacts) removeContact(contact, given)
  return { status: 200, message: switches.deletedText(contacts.length, address) }
}

export const contacts = {
  'POST /api/contacts': createContact,
  'PUT /api/contacts/:id': updateContact,
  'DELETE /api/contacts/:id': deleteContact,
  'POST /api/contacts/createOrUpdateContact': createOrUpdateContact,
  'DELETE /api/contacts/deleteContactsByEmail': deleteContactsByEmail,
}
