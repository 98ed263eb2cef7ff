import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { expectStillThere, findOldest, removesForOthers } from './other-records.ts'
import { asShown, deleteByEmail, expectCount, inARow } from './values.ts'

type Contact = Schemas['Contact']

const at = ({ _id }: Contact) => ({ contactId: _id })

keeps('contact.deletedIsGone', async (context) => {
  const { ask, make, mint, refuses } = context
  for (const contact of await inARow(() => make.contact())) {
    await ask('deleteContact', { path: at(contact) })
    await refuses('updateContact', { path: at(contact), body: { source: mint.name('update') } })
  }
  await removesForOthers(context, 'contact')
})

/** Both operations that delete a contact with an e-mail address. */
const deletions = [
  ({ ask }: Tools, contactId: string) => ask('deleteContact', { path: { contactId } }),
  ({ ask }: Tools, _: string, email: string) => ask('deleteContactsByEmail', { query: { email } }),
] as const

keeps('contact.deleteTakesTheConversation', async (context) => {
  const { ask, make, mint, refuses } = context
  for (const deleteContact of deletions) {
    const email = mint.email()
    const { _id: conversationId, contactId } = await make.conversation({ email })
    await ask('getConversation', { path: { conversationId } })
    await deleteContact(context, contactId._id, email)
    await refuses('getConversation', { path: { conversationId } })
  }
})

keeps('contact.deleteTakesTheMessages', async (context) => {
  const { ask, call, make, recipient } = context
  for (const deleteContact of deletions) {
    const email = recipient.email()
    const { _id: conversationId, contactId } = await make.conversation({ email })
    const historyOf = (id: string) => ({ path: { conversationId: id }, query: { page: 1, limit: 10 } })
    await ask('sendLiveMessage', { body: { channel: 'chat', content: 'Hello Ada', conversationId } })
    expect(JSON.stringify((await ask('listMessages', historyOf(conversationId))).data)).toContain('Hello Ada')
    await deleteContact(context, contactId._id, email)
    // A new conversation with the address has no old messages either.
    const again = await call('findOrCreateConversation', { body: { email } })
    for (const id of [conversationId, ...(again.succeeded ? [again.data._id] : [])])
      expect(JSON.stringify((await call('listMessages', historyOf(id))).body)).not.toContain('Hello Ada')
  }
})

/** Another contact with the same e-mail address, unless the server refuses or merges it. */
async function makeNamesake({ call, observe, some }: Tools, email: string, _id: string): Promise<Contact | undefined> {
  const other = await call('createContact', { body: some.contact({ email }) })
  observe('sameAddressTwice', other.status === 400 ? 'refused' : 'accepted')
  return other.status === 400 || other.data._id === _id ? undefined : other.data
}

keeps('contact.deleteSparesOthers', async (context) => {
  const { ask, call, look, make, mint, some, view } = context
  const [email, phone, source] = [mint.email(), mint.phone(), mint.name('contract')]
  const earlier = [...(await findOldest(context, 'contact')), await make.contact({ source })]
  const [{ contactId }, other] = [await make.conversation({ email, phone, source }), await make.conversation()]
  const namesake = await makeNamesake(context, email, contactId._id)
  const [deal, company] = [await call('createDeal', { body: some.deal() }), await make.company()]
  const samePhone = await call('createContact', { body: some.contact({ phone }) })
  await ask('deleteContact', { path: { contactId: contactId._id } })
  for (const one of [other.contactId, ...(namesake ? [namesake] : [])])
    expect(await look('contact', one)).toMatchObject({ _id: one._id })
  if (samePhone.succeeded && samePhone.data._id !== contactId._id)
    expect(await look('contact', samePhone.data)).toMatchObject(asShown({ _id: samePhone.data._id, phone }))
  expect((await call('getConversation', { path: { conversationId: other._id } })).status).toBe(200)
  for (const one of earlier) await expectStillThere(context, 'contact', one)
  expect((await view('company', company)).status).not.toBe(404)
  if (deal.succeeded) expect((await view('deal', deal.data)).status).not.toBe(404)
})

async function makeNamesakes(tools: Tools): Promise<readonly [string, Contact, Contact]> {
  const email = tools.mint.email()
  const one = await tools.make.contact({ email })
  const other = await makeNamesake(tools, email, one._id)
  if (!other) throw new Inconclusive('this server accepts no two contacts with the same e-mail address')
  return [email, one, other]
}

keeps('contact.deleteByEmailTakesAll', async (context) => {
  const { ask, refuses, mint } = context
  const [email, ...contacts] = await makeNamesakes(context)
  await ask('deleteContactsByEmail', { query: { email } })
  for (const contact of contacts)
    await refuses('updateContact', { path: at(contact), body: { source: mint.name('update') } })
})

keeps('contact.deleteByEmailSparesOthers', async (context) => {
  const { ask, call, look, make, mint } = context
  const email = mint.email()
  await make.contact({ email })
  const others = [await make.contact()]
  for (const address of [`a${email}`, email.replace('@', 'a@'), email.replace('@', '-a@'), `${email}.au`])
    others.push(await make.contact({ email: address }))
  await ask('deleteContactsByEmail', { query: { email } })
  for (const other of others) expect(await look('contact', other)).toMatchObject({ _id: other._id })

  // The specification leaves open when two addresses are equal. But if the server creates a contact for each of these
  // addresses, a delete of one leaves the others in place.
  for (const index of [0, 1, 2]) {
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
      expect(await look('contact', { _id, firstName: 'Ada' })).toMatchObject({ _id })
  }
})

/** With a tag, and with a dot: some mail services take these for the same address. */
const similarAddresses = (email: string) => [email, email.replace('@', '+post@'), email.replace(/(?=-\d+@)/, '.')]

keeps('contact.deleteByEmailSaysHowMany', async (context) => {
  const { ask, make, mint } = context
  const email = mint.email()
  await make.contact({ email })
  const forOne = await deleteByEmail(ask, email)
  expectCount(forOne, 1)
  const [shared] = await makeNamesakes(context)
  const forTwo = await deleteByEmail(ask, shared)
  expectCount(forTwo, 2)
  // In any language the two messages differ.
  expect(forTwo).not.toBe(forOne)
})
