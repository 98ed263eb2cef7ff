import type { Fields, Act, Story } from '../story.ts'
import { oneOf, path, text } from '../story.ts'
import { customFields, people } from './records.ts'

type Address = (story: Story) => string | undefined

const absent: Address = () => undefined
const newEmail: Address = ({ plan }) => plan.mint.email()
const newPhone: Address = ({ plan }) => plan.mint.phone()
const knownEmail = ({ plan }: Story) => plan.known('email', 1) ?? plan.mint.email()
const knownPhone = ({ plan }: Story) => plan.known('phone', 1) ?? plan.mint.phone()
/** The addresses of the contact of the story, or the latest others. */
const ownEmail: Address = ({ own, plan }) => own.email ?? plan.known('email')
const ownPhone: Address = ({ own, plan }) => own.phone ?? plan.known('phone')

const anyEmail: Address = (story) =>
  story.plan.pickWeighted([
    [12, newEmail],
    [1, absent],
    [1, knownEmail],
    [1, () => knownEmail(story).replace('email', 'EMAIL')],
  ])(story)
const anyPhone: Address = (story) =>
  story.plan.pickWeighted([
    [10, newPhone],
    [1, absent],
    [1, knownPhone],
    [1, () => newPhone(story)?.replace('phone', 'spaced')],
  ])(story)

const ownAddresses: readonly (readonly [Address, Address])[] = [
  [ownEmail, absent],
  [ownEmail, ownPhone],
  [absent, ownPhone],
  [ownEmail, newPhone],
  [newEmail, newPhone],
]

const fieldsOfUpsert: Fields = {
  firstName: oneOf('Ada', 'Augusta', 'Grace', 'Emmy', 'Zoë', 'mary ann', "D'Arcy"),
  lastName: oneOf('King', 'Hopper', 'Noether', 'Gödel', 'van der Waerden'),
  source: text('fair'),
  status: oneOf('open', 'in-progress', 'closed'),
  lifecycleStage: oneOf('Lead', 'Customer', 'Event', 'Live Chat'),
  additionalFields: customFields,
}
const groupIds = ({ plan }: Story) => Array.from({ length: plan.pick([0, 1, 2, 2]) }, () => plan.mint.unknownId())
const fields: Fields = {
  ...fieldsOfUpsert,
  email: anyEmail,
  phone: anyPhone,
  groupIds,
  company: ({ plan }) => plan.anyId('company'),
}

interface Addresses {
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

function noteAddresses({ own, plan }: Story, { email, phone }: Addresses): void {
  if (email !== undefined) plan.addKnown('email', (own.email = email))
  if (phone !== undefined) plan.addKnown('phone', (own.phone = phone))
}

/** Creates or finds a contact, and makes it the contact of the story. */
function save(story: Story, operation: 'createContact' | 'createOrUpdateContact', body: Addresses & object): void {
  const n = story.send(operation, { body: { source: story.plan.mint.name('contract'), ...body } })
  if (n === undefined) return
  story.adopt('contact', n)
  noteAddresses(story, body)
}

export const createContact: Act = (story) => {
  const operation = story.plan.pick(['createContact', 'createOrUpdateContact'] as const)
  const addresses = { email: anyEmail(story), phone: anyPhone(story) }
  const groups = operation === 'createContact' && story.plan.chance(83) ? { groupIds: groupIds(story) } : {}
  const name = { firstName: 'Ada', lastName: 'Lovelace' }
  save(story, operation, { ...name, ...addresses, ...story.fillSome(fieldsOfUpsert), ...groups })
}

export const upsert: Act = (story) => {
  const [email, phone] = story.plan.pickInTurn(ownAddresses)
  const name = { firstName: 'Grace', lastName: 'Hopper' }
  save(story, 'createOrUpdateContact', {
    email: email(story),
    phone: phone(story),
    ...name,
    ...story.fillSome(fieldsOfUpsert),
  })
}

export const createNamesake: Act = (story) => {
  save(story, 'createContact', { firstName: 'Emmy', lastName: 'Noether', email: ownEmail(story) } as Addresses)
}

function resolve(
  story: Story,
  operation: 'findOrCreateConversation' | 'createContactWithConversation',
  body: Addresses,
): void {
  const n = story.send(operation, { body })
  if (n === undefined) return
  story.adopt('conversation', n)
  story.adopt('contact', n, 'data.contactId._id')
  noteAddresses(story, body)
}

const arrive =
  (email: Address): Act =>
  (story) => {
    const filled = story.fillSome({
      firstName: oneOf('Ada', 'Augusta', 'Zoë'),
      phone: anyPhone,
      lifecycleStage: oneOf('Customer', 'Lead'),
    })
    const group = story.plan.chance(50) ? { groupId: story.plan.mint.unknownId() } : {}
    const body = { firstName: 'Ada', lastName: 'King', email: email(story), ...filled, ...group }
    resolve(story, 'createContactWithConversation', body)
  }
export const arriveNew = arrive(newEmail)
export const arriveAgain = arrive(ownEmail)

const find =
  (ways: readonly (readonly [Address, Address])[]): Act =>
  (story) => {
    const [email, phone] = story.plan.pick(ways)
    resolve(story, 'findOrCreateConversation', { email: email(story), phone: phone(story) })
  }
export const findNew = find([[newEmail, newPhone]])
export const findByEmail = find([[ownEmail, absent]])
export const findByPhone = find([[absent, ownPhone]])

/** Changes the fields with these names; by default, some fields, and often the status. */
export const update =
  (...names: readonly string[]): Act =>
  (story) => {
    const isStatus = names.length === 0 && story.plan.chance(50)
    const chosen = isStatus ? ['status'] : names
    const body: Addresses = chosen.length > 0 ? story.fill(fields, chosen) : story.fillSome(fields, 1)
    const n = story.send('updateContact', { ...path('contact', story.id('contact')), body })
    if (n !== undefined) noteAddresses(story, body)
  }

export const converse: Act = (story) => {
  const n = story.send('createConversation', { body: { contactId: story.id('contact') } })
  if (n !== undefined) story.adopt('conversation', n)
}

export const readContact: Act = (story) =>
  story.send('updateContact', { ...path('contact', story.id('contact')), body: {} })

export const readConversation: Act = (story) =>
  story.send('getConversation', path('conversation', story.id('conversation')))

export const listConversations: Act = (story) =>
  story.send('listConversationsOfContact', path('contact', story.id('contact')))

export const removeContact: Act = (story) => {
  const id = story.id('contact')
  const n = story.send('deleteContact', path('contact', id))
  if (n !== undefined) story.plan.remove('contact', id)
}

export const removeByEmail: Act = (story) =>
  story.send('deleteContactsByEmail', { query: { email: ownEmail(story) ?? story.plan.mint.email() } })

const joinCompany: Act = (story) =>
  story.send('updateCompany', { ...path('company', story.id('company')), body: { contacts: people(story) } })

export const contactOpenings: readonly Act[] = [
  createContact,
  (story) => {
    createContact(story)
    converse(story)
  },
  arriveNew,
  find([
    [newEmail, newPhone],
    [newEmail, absent],
    [absent, newPhone],
  ]),
]

export const contactActs: readonly (readonly [number, Act])[] = [
  [10, update()],
  [4, upsert],
  [4, find(ownAddresses)],
  [2, arriveAgain],
  [1, joinCompany],
  [4, converse],
  [2, createNamesake],
  [1, removeContact],
  [1, removeByEmail],
]
