import { NotFound } from '../../../mock/core/refusals.ts'
import * as matching from '../../../mock/rules/contacts/contact-matching.ts'
import * as resolving from '../../../mock/rules/contacts/contact-resolution.ts'
import * as newContacts from '../../../mock/rules/contacts/new-contact.ts'
import * as shown from '../../../mock/rules/conversations/conversation-view.ts'
import * as oneConversation from '../../../mock/rules/conversations/conversation-view.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { Schemas } from '../../../spec/types.ts'
import {
  type Break,
  changeOperation,
  changeReply,
  changeStatus,
  changeUncheckedBody,
  contactWithoutAddress,
  doBefore,
  ignoreComplaint,
  newContactEachTime,
  nothing,
  refuseWhen,
  replaceIn,
} from '../breaks.ts'

const { insertContact, leadStage } = newContacts
const { matchContact } = matching

/** Changes every conversation in the answers. */
function changeView(change: (conversation: Schemas['Conversation']) => object): Break {
  return replaceIn(
    shown,
    'showConversation',
    (original) =>
      (...given) =>
        change(original(...given)) as Schemas['Conversation'],
  )
}

/** Answers 201 when the contact is new. */
const answerNewContactsWith201 = (operation: 'findOrCreateConversation' | 'createContactWithConversation'): Break =>
  changeOperation(operation, (original) => async (given) => {
    const known = await matchContact(given.body, given.tx)
    return { ...(await original(given)), status: known ? 200 : 201 }
  })

/** A new contact is inserted differently. */
function changeInsertedContact(change: typeof insertContact): Break {
  return replaceIn(resolving, 'findOrInsertContact', (original) => async (fields, tx) => {
    return (await matchContact(fields, tx)) ? original(fields, tx) : change(fields, tx)
  })
}

export const conversations = {
  'conversation.oneEachContact': replaceIn(oneConversation, 'ensureConversation', () => async ({ _id }, { team }) => ({
    conversation: await team.conversations.insert({ contactId: _id }),
    isNew: true,
  })),
  'conversation.hasIdTeamAndTime': changeView(({ teamId, ...others }) => others),
  'conversation.createdAtIsIso': changeView((one) => ({ ...one, createdAt: one.createdAt.slice(0, 10) })),
  'conversation.contactIsPopulated': changeView((one) => ({ ...one, contactId: one.contactId._id })),
  'conversation.contactIsTheOneMeant': changeView(({ contactId: { phoneNumber, ...contact }, ...others }) => ({
    ...others,
    contactId: { ...contact, phoneNumber: phoneNumber?.slice(0, -1) },
  })),
  'conversation.idOpensIt': changeReply('findOrCreateConversation', (reply) => ({
    ...reply,
    data: { ...reply.data, _id: reply.data.contactId._id },
  })),
  'conversation.findOrCreateAnswers200': answerNewContactsWith201('findOrCreateConversation'),
  'conversation.createWithContactAnswers200': answerNewContactsWith201('createContactWithConversation'),
  'conversation.createAnswers201': changeStatus('createConversation', 200),
  'conversation.createAgainAnswers200': changeStatus('createConversation', 201),
  'conversation.getAnswers200': changeStatus('getConversation', 201),
  'conversation.listAnswers200': changeStatus('listConversationsOfContact', 201),
  'conversation.answersWithOne': changeReply('getConversation', (reply) => ({ ...reply, data: [reply.data] })),
  'conversation.findRefusesUnlistedFields': changeUncheckedBody('findOrCreateConversation', ({ email, phone }) => ({
    email,
    phone,
  })),
  'conversation.emailAloneIsEnough': refuseWhen('findOrCreateConversation', ({ phone }) => phone === undefined),
  'conversation.phoneAloneIsEnough': refuseWhen('findOrCreateConversation', ({ email }) => email === undefined),
  'conversation.malformedEmailIsRefused': ignoreComplaint(
    'findOrCreateConversation',
    'email must be an e-mail address',
  ),
  'conversation.malformedPhoneIsRefused': ignoreComplaint('findOrCreateConversation', 'phone must be in E.164 form'),
  'conversation.nationalPhoneIsRefused': ignoreComplaint('findOrCreateConversation', 'phone must be in E.164 form'),
  'conversation.missingContactIsMade': contactWithoutAddress,
  'conversation.missingConversationIsMade': doBefore('findOrCreateConversation', async ({ body, tx }) => {
    const { _id } = await resolving.resolveContact(body, tx)
    const [known] = await tx.team.conversations.find('contactId', _id)
    if (!known) throw new NotFound(nothing)
  }),
  'conversation.findAgainIsTheSame': newContactEachTime,
  'conversation.createWithContactRequires': ignoreComplaint('createContactWithConversation', 'lastName is required'),
  'conversation.requiredFieldsSuffice': refuseWhen(
    'createContactWithConversation',
    ({ email, phone }) => (email ?? phone) === undefined,
  ),
  'conversation.newContactIsALead': changeInsertedContact(insertContact),
  'conversation.newContactKeepsItsStage': changeInsertedContact((fields, tx) =>
    insertContact({ ...fields, ...leadStage }, tx),
  ),
  'conversation.newContactJoinsItsGroup': changeInsertedContact(({ groupIds, ...fields }, tx) =>
    insertContact({ ...leadStage, ...fields }, tx),
  ),
  'conversation.emailFindsTheContact': replaceIn(
    matching,
    'matchContact',
    (original) =>
      ({ phone }, tx) =>
        original(phone === undefined ? {} : { phone }, tx),
  ),
  'conversation.phoneFindsTheContact': replaceIn(
    matching,
    'matchContact',
    (original) =>
      ({ email }, tx) =>
        original(email === undefined ? {} : { email }, tx),
  ),
  'conversation.createRequires': changeUncheckedBody('createConversation', (body) => ({
    contactId: 'unknown',
    ...body,
  })),
  'conversation.createNeedsAKnownContact': doBefore('createConversation', async ({ body, tx: { team } }) => {
    const { contactId: _id } = body
    if (!(await team.contacts.get(_id))) await team.contacts.insert({ _id, firstName: 'Unknown', lastName: '' })
  }),
  'conversation.createAgainReturnsTheFirst': replaceIn(
    oneConversation,
    'ensureConversation',
    (original) => async (contact, tx) => {
      const known = await original(contact, tx)
      if (known.isNew) return known
      return { conversation: await tx.team.conversations.insert({ contactId: contact._id }), isNew: false }
    },
  ),
  'conversation.createAgainSaysSo': changeReply('createConversation', (reply) =>
    reply.status === 200 ? { ...reply, message: 'Conversation created' } : reply,
  ),
  'conversation.listHoldsTheConversation': changeReply('listConversationsOfContact', (reply) => ({
    ...reply,
    data: reply.data.slice(1),
  })),
  'conversation.listIsOfOneContact': changeReply('listConversationsOfContact', (reply) => ({
    ...reply,
    data: reply.data.map(({ contactId, ...one }) => ({ ...one, contactId: { ...contactId, _id: one._id } })),
  })),
} satisfies Partial<Record<PromiseId, Break>>
