import type { AssumptionName } from '../../spec/assumptions.ts'
import type { conversations } from '../../spec/assumptions/conversations.ts'
import { resolutions } from '../../spec/operation-groups.ts'
import { fieldsOf } from '../client/answer.ts'
import { byRefusal, byStatus, byValue, describe, Other, requireThat, requireUnchanged } from './finding.ts'
import { askOddly } from './odd-requests.ts'
import { type ProbeContext, tryEach, unknownId } from './probe.ts'
import { byFacts, byRefusalOf, createdWithout, isDeleted, isText, knownText } from './question.ts'
import { on, onSuccess, type Questions } from './question.ts'

const showingContact = [...resolutions, 'getConversation'] as const

export const conversationQuestions: Questions<typeof conversations> = {
  resolutionEndpoints: (context) =>
    tryEach(
      () => whichRefuse(context, () => ({ pigeon: 'grey' }), 'unlistedFields'),
      () => whichRefuse(context, () => ({ _id: context.mint.unknownId() }), 'serverFieldsSent'),
    ),

  nationalPhone: async ({ ask, call, mint }) => {
    await ask('findOrCreateConversation', { body: { email: mint.email(), phone: mint.phone() } })
    const phone = mint.phone().replace(/^\+1/, '')
    const answer = await call('findOrCreateConversation', { body: { email: mint.email(), phone } })
    if (answer.succeeded) requireUnchanged('the phone number', answer.data.contactId.phoneNumber, phone)
    return byRefusal(answer, 'refused', 'accepted')
  },

  resolveWithoutAddress: {
    ask: askOddly(({ mint }) => ['findOrCreateConversation', { body: { email: mint.email() } }], { body: {} }),
    read: on(['findOrCreateConversation'], (exchange) => {
      const field = exchange.isRefusedFor('email') ? 'email' : 'phone'
      const hasNone = exchange.sent.phone === undefined && exchange.sent.email === undefined
      return hasNone && byRefusalOf(field, exchange, 'refused', 'createsEmpty')
    }),
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

  newContactLifecycle: {
    ask: ({ make }) => make.contact({ lifecycleStage: undefined }),
    read: createdWithout(['lifecycleStage'], ([shown]) =>
      byValue('the lifecycle stage', typeof shown === 'string' ? shown.toLowerCase() : shown, {
        absent: null,
        lead: 'lead',
      }),
    ),
  },

  populatedName: {
    ask: ({ make }) => make.conversation({ firstName: 'Ada', lastName: 'Lovelace' }),
    read: onSuccess(showingContact, (exchange) => {
      const { _id, name } = fieldsOf(exchange.data.contactId)
      const [first, last] = ['firstName', 'lastName'].map((field) => knownText(exchange.facts, 'contact', _id, field))
      if (first === undefined || last === undefined) return undefined
      return byFacts(exchange, 'the name', name, { firstSpaceLast: `${first} ${last}`, firstOnly: first })
    }),
  },

  populatedAddress: {
    ask: ({ ask, mint }) => ask('findOrCreateConversation', { body: { phone: mint.phone() } }),
    read: onSuccess(showingContact, ({ data: { contactId } }) => {
      const { _id, email, phoneNumber } = fieldsOf(contactId)
      const missing = _id === undefined ? [] : [email, phoneNumber].filter((address) => !isText(address))
      const choices = { absent: undefined, emptyString: '' }
      return missing.length > 0 && byValue('an address that the contact does not have', missing[0], choices)
    }),
  },

  conversationsOfUnknownContact: {
    ask: async ({ call }, context) =>
      call('listConversationsOfContact', { path: { contactId: await unknownId(context, 'contact') } }),
    read: on(['listConversationsOfContact'], ({ request, answer, facts }) => {
      if (!isDeleted(facts, request.path.contactId)) return undefined
      const shown = [answer.fields.data ?? []].flat()
      if (answer.succeeded && shown.length > 0) throw new Other(`the list is ${describe(shown)}`)
      return byStatus(answer, { 404: 'notFound', ok: 'emptyList' })
    }),
  },
}

/** By a field that the other operations take. */
async function whichRefuse({ ask, call, make, some }: ProbeContext, odd: () => object, hiddenBy: AssumptionName) {
  const { succeeded } = await call('createContact', { body: { ...some.contact(), ...odd() } })
  requireThat(succeeded, `the other operations refuse such a field, too (${hiddenBy})`)
  const { _id: contactId } = await make.contact()
  const answer = await call('createConversation', { body: { contactId, ...odd() } })
  if (!answer.succeeded) await ask('createConversation', { body: { contactId } })
  return byRefusal(answer, 'allThree', 'byPhoneAndEmailOnly')
}
