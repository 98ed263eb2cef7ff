import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { removesForOthers } from './other-callers.ts'
import { findEldest, inARow, isStillThere } from './records.ts'
import { asShown } from './shown.ts'
import { deleteByEmail, expectCount } from './delete-by-email.ts'

type Contact = Schemas['Contact']

const at = ({ _id }: Contact) => ({ contactId: _id })

keeps('contact.deletedIsGone', async (given) => {
  const { ask, make, mint, refuses } = given
  for (const contact of await inARow(() => make.contact())) {
    await ask('deleteContact', { path: at(contact) })
    await refuses('updateContact', { path: at(contact), body: { source: mint.name('update') } })
  }
  await removesForOthers(given, 'contact')
})

/** Both ways to delete a contact that has an e-mail address. */
const deletions = [
  ({ ask }: Tools, contactId: string) => ask('deleteContact', { path: { contactId } }),
  ({ ask }: Tools, _: string, email: string) => ask('deleteContactsByEmail', { query: { email } }),
] as const

keeps('contact.deleteTakesTheConversation', async (given) => {
  const { ask, make, mint, refuses } = given
  for (const deleteContact of deletions) {
    const email = mint.email()
    const { _id: conversationId, contactId } = await make.conversation({ email })
    await ask('getConversation', { path: { conversationId } })
    await deleteContact(given, contactId._id, email)
    await refuses('getConversation', { path: { conversationId } })
  }
})

keeps('contact.deleteTakesTheMessages', async (given) => {
  const { ask, call, make, recipient } = given
  for (const deleteContact of deletions) {
    const email = recipient.email()
    const { _id: conversationId, contactId } = await make.conversation({ email })
    const history = { path: { conversationId }, query: { page: 1, limit: 10 } }
    await ask('sendLiveMessage', { body: { channel: 'chat', content: 'Hello Ada', conversationId } })
    expect(JSON.stringify((await ask('listMessages', history)).data)).toContain('Hello Ada')
    await deleteContact(given, contactId._id, email)
    expect(JSON.stringify((await call('listMessages', history)).body)).not.toContain('Hello Ada')
    // Nor are they there when somebody writes to the address again.
    const again = await call('findOrCreateConversation', { body: { email } })
    if (!again.succeeded) continue
    const { body } = await call('listMessages', { ...history, path: { conversationId: again.data._id } })
    expect(JSON.stringify(body)).not.toContain('Hello Ada')
  }
})

/** Another contact with the same e-mail address; none if the server refuses or merges it, which is left open. */
async function makeNamesake({ call, observe, some }: Tools, email: string, _id: string): Promise<Contact | undefined> {
  const other = await call('createContact', { body: some.contact({ email }) })
  observe('sameAddressTwice', other.status === 400 ? 'refused' : 'accepted')
  return other.status === 400 || other.data._id === _id ? undefined : other.data
}

keeps('contact.deleteSparesOthers', async (given) => {
  const { ask, call, look, make, mint, view } = given
  const email = mint.email()
  const phone = mint.phone()
  const source = mint.name('contract')
  const earlier = [...(await findEldest(given, 'contact')), await make.contact({ source })]
  const [contact, other] = [await make.conversation({ email, phone, source }), await make.conversation()]
  const alike = await makeNamesake(given, email, contact.contactId._id)
  const [deal, company] = [await call('createDeal', { body: given.some.deal() }), await make.company()]
  const samePhone = await call('createContact', { body: given.some.contact({ phone }) })
  await ask('deleteContact', { path: { contactId: contact.contactId._id } })
  expect(await look('contact', other.contactId)).toMatchObject({ _id: other.contactId._id })
  if (alike) expect(await look('contact', alike)).toMatchObject({ _id: alike._id })
  if (samePhone.succeeded && samePhone.data._id !== contact.contactId._id)
    expect(await look('contact', samePhone.data)).toMatchObject(asShown({ _id: samePhone.data._id, phone }))
  expect((await call('getConversation', { path: { conversationId: other._id } })).status).toBe(200)
  for (const one of earlier) await isStillThere(given, 'contact', one)
  // Nor records that do not name the contact.
  expect((await view('company', company)).status).not.toBe(404)
  if (deal.succeeded) expect((await view('deal', deal.data)).status).not.toBe(404)
})

keeps('contact.deleteByEmailRequires', async ({ make, mint, requires }) => {
  const email = mint.email()
  await make.contact({ email })
  await requires('deleteContactsByEmail', () => ({ query: { email } }))
})

async function makeNamesakes(given: Tools): Promise<readonly [string, Contact, Contact]> {
  const email = given.mint.email()
  const one = await given.make.contact({ email })
  const other = await makeNamesake(given, email, one._id)
  if (!other) throw new Inconclusive('this server accepts no two contacts with the same e-mail address')
  return [email, one, other]
}

keeps('contact.deleteByEmailTakesAll', async (given) => {
  const { ask, refuses, mint } = given
  const [email, ...contacts] = await makeNamesakes(given)
  await ask('deleteContactsByEmail', { query: { email } })
  for (const contact of contacts)
    await refuses('updateContact', { path: at(contact), body: { source: mint.name('update') } })
})

keeps('contact.deleteByEmailSparesOthers', async (given) => {
  const { ask, look, make, mint } = given
  const email = mint.email()
  await make.contact({ email })
  const others = [await make.contact()]
  for (const address of [`a${email}`, email.replace('@', 'a@'), email.replace('@', '-a@'), `${email}.au`])
    others.push(await make.contact({ email: address }))
  await ask('deleteContactsByEmail', { query: { email } })
  for (const other of others) expect(await look('contact', other)).toMatchObject({ _id: other._id })
  await sparesNearMisses(given)
})

/** With a tag, and with a dot, which some mail services take for the same address. */
const nearMissesOf = (email: string) => [email, email.replace('@', '+post@'), email.replace(/(?=-\d+@)/, '.')]

/**
 * When two addresses are equal is left open. But where the server itself holds people apart by their addresses, a delete
 * of the one leaves the others in place.
 */
async function sparesNearMisses({ ask, call, look, mint }: Tools): Promise<void> {
  for (const index of [0, 1, 2]) {
    const addresses = nearMissesOf(mint.email())
    const people: { readonly _id: string; readonly email: string }[] = []
    for (const email of addresses) {
      const answer = await call('findOrCreateConversation', { body: { email } })
      if (answer.succeeded) people.push({ _id: answer.data.contactId._id, email })
    }
    const meant = people.find(({ email }) => email === addresses[index])
    if (!meant) continue
    await ask('deleteContactsByEmail', { query: { email: meant.email } })
    for (const { _id } of people.filter((one) => one._id !== meant._id))
      expect(await look('contact', { _id, firstName: 'Ada' })).toMatchObject({ _id })
  }
}

keeps('contact.deleteByEmailSaysHowMany', async (given) => {
  const { ask, make, mint } = given
  const alone = mint.email()
  await make.contact({ email: alone })
  const forOne = await deleteByEmail(ask, alone)
  expectCount(forOne, 1)
  const [shared] = await makeNamesakes(given)
  const forTwo = await deleteByEmail(ask, shared)
  expectCount(forTwo, 2)
  // However it is said, and in whatever language, it is not the same for one and for two.
  expect(forTwo).not.toBe(forOne)
})
