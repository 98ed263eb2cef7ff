import { byRefusal, byStatus, byValue, describe, Other, requireUnchanged, requireThat } from './finding.ts'
import { type ProbeContext, type Probes, tryEach, unknownId } from './probe.ts'
import type { conversations } from '../../spec/assumptions/conversations.ts'

export const conversationProbes: Probes<typeof conversations> = {
  resolutionEndpoints: (context) =>
    tryEach(
      async () => {
        const { call, some } = context
        const odd = await call('createContact', { body: { ...some.contact(), pigeon: 'grey' } })
        requireThat(odd.succeeded, 'the other operations refuse unlisted fields too (unlistedFields)')
        return whichRefuse(context, { pigeon: 'grey' })
      },
      async () => {
        const { call, some, mint } = context
        const odd = await call('createContact', { body: { ...some.contact(), _id: mint.unknownId() } })
        requireThat(odd.succeeded, 'they refuse fields that the service sets, too (serverFieldsSent)')
        return whichRefuse(context, { _id: mint.unknownId() })
      },
    ),

  nationalPhone: async ({ ask, call, mint }) => {
    await ask('findOrCreateConversation', { body: { email: mint.email(), phone: mint.phone() } })
    const phone = mint.phone().replace(/^\+1/, '')
    const answer = await call('findOrCreateConversation', { body: { email: mint.email(), phone } })
    if (answer.succeeded) requireUnchanged('the phone number', answer.data.contactId.phoneNumber, phone)
    return byRefusal(answer, 'refused', 'accepted')
  },

  resolveWithoutAddress: async ({ call, ask, mint }) => {
    await ask('findOrCreateConversation', { body: { email: mint.email() } })
    return byRefusal(await call('findOrCreateConversation', { body: {} }), 'refused', 'createsEmpty')
  },

  existingContactOnCreate: async ({ ask, make, readRecord }) => {
    const contact = await make.contact({ lastName: 'Lovelace' })
    const body = { firstName: 'Grace', lastName: 'Hopper', email: contact.email, phone: contact.phone }
    const { data } = await ask('createContactWithConversation', { body })
    requireThat(data.contactId._id === contact._id, 'the contact is not found by its addresses')
    return byValue('the last name', (await readRecord('contact', contact))?.lastName, {
      untouched: 'Lovelace',
      updated: 'Hopper',
    })
  },

  groupOnReuse: async ({ ask, call, make, readRecord, target }) => {
    const contact = await make.contact()
    const { email, phone, firstName, lastName } = contact
    const body = { firstName, lastName, email, phone, groupId: target.places.group }
    const answer = await call('createContactWithConversation', { body })
    requireThat(
      answer.succeeded,
      `a group that --group-id does not name is refused (contactReferences): ${answer.summary}`,
    )
    requireThat(answer.data.contactId._id === contact._id, 'the contact is not found by its addresses')
    const fresh = await make.contact({ groupIds: [target.places.group] })
    requireThat(fresh.groupIds?.includes(target.places.group) === true, 'a contact does not show its groups')
    await ask('createConversation', { body: { contactId: contact._id } })
    const { groupIds = [] } = (await readRecord('contact', contact)) ?? {}
    return byValue('the groups', groupIds, { ignored: [], added: [target.places.group] })
  },

  addressFilledIn: async ({ ask, make, readRecord, mint }) => {
    const phone = mint.phone()
    const contact = await make.contact({ phone: undefined })
    requireThat(contact.phone === undefined || contact.phone === '', 'the contact has a phone number')
    const { data } = await ask('findOrCreateConversation', { body: { email: contact.email, phone } })
    requireThat(data.contactId._id === contact._id, 'the contact is not found by its e-mail address')
    const seen = (await readRecord('contact', contact))?.phone
    return byValue('the phone number', seen === '' ? undefined : seen, { untouched: undefined, filled: phone })
  },

  nameOfNewContact: async ({ ask, mint, readRecord }) => {
    const email = mint.email()
    const { data } = await ask('findOrCreateConversation', { body: { email } })
    const contact = await readRecord('contact', data.contactId)
    requireThat(contact !== undefined, 'the contact cannot be seen')
    return byValue('the name', [contact.firstName, contact.lastName], {
      addressAsFirstName: [email, ''],
      empty: ['', ''],
    })
  },

  newContactLifecycle: async ({ make }) => {
    const { lifecycleStage } = await make.contact({ lifecycleStage: undefined })
    return byValue('the lifecycle stage', lifecycleStage ?? undefined, { absent: undefined, lead: 'Lead' })
  },

  populatedName: async ({ ask, make }) => {
    const { _id } = await make.contact({ firstName: 'Ada', lastName: 'Lovelace' })
    const { data } = await ask('createConversation', { body: { contactId: _id } })
    return byValue('the name', data.contactId.name, { firstSpaceLast: 'Ada Lovelace', firstOnly: 'Ada' })
  },

  populatedAddress: async ({ ask, mint }) => {
    const { data } = await ask('findOrCreateConversation', { body: { phone: mint.phone() } })
    return byValue('the e-mail address', data.contactId.email, { absent: undefined, emptyString: '' })
  },

  conversationsOfUnknownContact: async ({ call }, context) => {
    const path = { contactId: await unknownId(context, 'contact') }
    const answer = await call('listConversationsOfContact', { path })
    if (answer.succeeded && answer.data.length > 0) throw new Other(`the list is ${describe(answer.data)}`)
    return byStatus(answer, { 404: 'notFound', ok: 'emptyList' })
  },
}

/** By a field that the other operations take. */
async function whichRefuse(
  { ask, call, make }: ProbeContext,
  field: object,
): Promise<'allThree' | 'byPhoneAndEmailOnly'> {
  const { _id: contactId } = await make.contact()
  const answer = await call('createConversation', { body: { contactId, ...field } })
  if (!answer.succeeded) await ask('createConversation', { body: { contactId } })
  return byRefusal(answer, 'allThree', 'byPhoneAndEmailOnly')
}
