import fc from 'fast-check'
import { create, people } from './records.ts'
import {
  type Act,
  any,
  customFields,
  type Fields,
  computed,
  oneOf,
  path,
  type Scene,
  some,
  text,
  type Value,
} from './story.ts'

const fieldsAtFirst = {
  firstName: oneOf('Ada', 'Augusta', 'Grace', 'Emmy', 'Zoë', 'mary ann', "D'Arcy"),
  lastName: oneOf('King', 'Hopper', 'Noether', 'Gödel', 'van der Waerden'),
  source: text('fair'),
  status: oneOf('open', 'in-progress', 'closed'),
  lifecycleStage: oneOf('Lead', 'Customer', 'Event', 'Live Chat'),
  additionalFields: customFields,
} satisfies Fields

const groups: fc.Arbitrary<Value> = fc.nat({ max: 2 }).map(
  (length) =>
    ({ model }: Scene) =>
      Array.from({ length }, () => model.mint.unknownId()),
)

type Address = (scene: Scene) => string | undefined

export const absent: Address = () => undefined
export const newEmail: Address = ({ model }) => model.mint.email()
export const newPhone: Address = ({ model }) => model.mint.phone()
const knownEmail: Address = ({ model }) => model.pick('email', 1) ?? model.mint.email()
const knownPhone: Address = ({ model }) => model.pick('phone', 1) ?? model.mint.phone()

const email = fc.constantFrom<Address[]>(
  ...[newEmail, newEmail, newEmail, newEmail, newEmail, absent, knownEmail],
  (scene) => knownEmail(scene)?.replace('email', 'EMAIL'),
)
const phone = fc.constantFrom<Address[]>(...[newPhone, newPhone, newPhone, newPhone, absent, knownPhone], (scene) =>
  newPhone(scene)?.replace('phone', 'spaced'),
)

const fields = { ...fieldsAtFirst, email, phone, groupIds: groups, company: any('company') } satisfies Fields

/** Mostly the addresses of the contact of a story. */
export const ownEmail: Address = ({ own, model }) => own.email ?? model.pick('email')
export const ownPhone: Address = ({ own, model }) => own.phone ?? model.pick('phone')
const addresses = fc.constantFrom<(readonly [Address, Address])[]>(
  [ownEmail, absent],
  [ownEmail, ownPhone],
  [absent, ownPhone],
  [ownEmail, newPhone],
  [newEmail, newPhone],
)

/** Creates a contact, or finds an existing one; the story continues with it. */
export const createContact: fc.Arbitrary<Act> = fc
  .tuple(
    fc.constantFrom('createContact', 'createOrUpdateContact'),
    some(fieldsAtFirst),
    email,
    phone,
    fc.option(groups),
  )
  .map(([operation, filled, email, phone, groupIds]) => async (scene: Scene) => {
    const given = { email: email(scene), phone: phone(scene), ...scene.fill(filled) }
    const inGroups = operation === 'createContact' && groupIds ? scene.fill([['groupIds', groupIds]]) : {}
    await toContact(scene, operation, { firstName: 'Ada', lastName: 'Lovelace', ...given, ...inGroups })
  })

async function toContact(scene: Scene, operation: 'createContact' | 'createOrUpdateContact', body: Addresses) {
  const n = await scene.send(operation, { body: { source: scene.model.mint.name('contract'), ...body } })
  if (n === undefined) return
  scene.adopt('contact', n)
  noteAddresses(scene, body)
}

interface Addresses {
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly firstName?: string
  readonly lastName?: string
}

function noteAddresses({ own, model }: Scene, { email, phone }: Addresses): void {
  if (email !== undefined) model.add('email', (own.email = email))
  if (phone !== undefined) model.add('phone', (own.phone = phone))
}

async function toConversation(
  scene: Scene,
  operation: 'findOrCreateConversation' | 'createContactWithConversation',
  body: Addresses,
): Promise<void> {
  const n = await scene.send(operation, { body })
  if (n === undefined) return
  scene.adopt('conversation', n)
  scene.adopt('contact', n, 'data.contactId._id')
  noteAddresses(scene, body)
}

export const arrive = (address: fc.Arbitrary<Address>): fc.Arbitrary<Act> =>
  fc
    .tuple(
      address,
      some({
        firstName: fieldsAtFirst.firstName,
        phone,
        lifecycleStage: oneOf('Customer', 'Lead'),
        groupId: computed(({ model }) => model.mint.unknownId()),
      }),
    )
    .map(([email, filled]) => async (scene: Scene) => {
      const body = { firstName: 'Ada', lastName: 'King', email: email(scene), ...scene.fill(filled) }
      await toConversation(scene, 'createContactWithConversation', body)
    })

export const find = (ways: fc.Arbitrary<readonly [Address, Address]>): fc.Arbitrary<Act> =>
  ways.map(([email, phone]) => async (scene: Scene) => {
    await toConversation(scene, 'findOrCreateConversation', { email: email(scene), phone: phone(scene) })
  })

export const upsert: fc.Arbitrary<Act> = fc
  .tuple(addresses, some(fieldsAtFirst))
  .map(([[email, phone], filled]) => async (scene: Scene) => {
    const given = { firstName: 'Grace', lastName: 'Hopper', ...scene.fill(filled) }
    await toContact(scene, 'createOrUpdateContact', { email: email(scene), phone: phone(scene), ...given })
  })

const change = fc.oneof(
  some(fields),
  fieldsAtFirst.status.map((status) => [['status', status]] as const),
)

export const updateOnly = (name: keyof typeof fields): fc.Arbitrary<Act> =>
  updateWith(fields[name].map((value) => [[name, value]] as const))

export const update = updateWith(change)

function updateWith(changed: typeof change): fc.Arbitrary<Act> {
  return changed.map((filled) => async (scene: Scene) => {
    const body: Addresses = scene.fill(filled)
    const n = await scene.send('updateContact', { ...path('contactId', scene.id('contact')), body })
    if (n !== undefined) noteAddresses(scene, body)
  })
}

export const converse: Act = async (scene) => {
  const n = await scene.send('createConversation', { body: { contactId: scene.id('contact') } })
  if (n !== undefined) scene.adopt('conversation', n)
}

export const createNamesake: Act = async (scene) => {
  await toContact(scene, 'createContact', { firstName: 'Emmy', lastName: 'Noether', email: ownEmail(scene) })
}

export const readContact: Act = (scene) =>
  scene.send('updateContact', { ...path('contactId', scene.id('contact')), body: {} })

export const readConversation: Act = (scene) =>
  scene.send('getConversation', path('conversationId', scene.id('conversation')))

export const listConversations: Act = (scene) =>
  scene.send('listConversationsOfContact', path('contactId', scene.id('contact')))

export const remove: Act = async (scene) => {
  const id = scene.id('contact')
  const n = await scene.send('deleteContact', path('contactId', id))
  if (n !== undefined) scene.model.remove('contact', id)
}

export const removeByEmail: Act = (scene) =>
  scene.send('deleteContactsByEmail', { query: { email: ownEmail(scene) ?? scene.model.mint.email() } })

const joinCompany: fc.Arbitrary<Act> = people.map((contacts) => async (scene: Scene) => {
  const companyId = scene.id('company')
  await scene.send('updateCompany', { ...path('companyId', companyId), body: scene.fill([['contacts', contacts]]) })
})

const always = (weight: number, act: Act) => ({ weight, arbitrary: fc.constant(act) })

export const contactOpenings: readonly fc.Arbitrary<Act>[] = [
  createContact,
  createContact.map((create) => async (scene: Scene) => {
    await create(scene)
    await converse(scene)
  }),
  arrive(fc.constant(newEmail)),
  find(fc.constantFrom<(readonly [Address, Address])[]>([newEmail, newPhone], [newEmail, absent], [absent, newPhone])),
]

export const contactActs = [
  { weight: 10, arbitrary: update },
  { weight: 4, arbitrary: upsert },
  { weight: 4, arbitrary: find(addresses) },
  { weight: 2, arbitrary: arrive(fc.constant(ownEmail)) },
  { weight: 1, arbitrary: joinCompany },
  { weight: 1, arbitrary: create('deal') },
  always(4, converse),
  always(2, createNamesake),
  always(1, remove),
  always(1, removeByEmail),
]

export const contactReads: readonly Act[] = [readContact, readContact, readConversation, listConversations]

export const contactRemovals: readonly Act[] = [remove, remove, removeByEmail]
