import * as reading from '../../../../mock/http/reading.ts'
import * as contactRules from '../../../../mock/rules/contacts.ts'
import { showContact } from '../../../../mock/rules/contacts.ts'
import * as requests from '../../../../mock/http/request.ts'
import * as conversationRules from '../../../../mock/rules/conversations.ts'
import type { Kind } from '../../../../fixtures/records.ts'
import { NotFound } from '../../../../mock/core/refusals.ts'
import { done, ok } from '../../../../mock/core/operation.ts'
import { Stamped, stampsOf } from '../../../../mock/core/team.ts'
import type { Transaction } from '../../../../mock/core/transaction.ts'
import { removeRecord } from '../../../../mock/rules/deletion.ts'
import { MemoryRecords } from '../../../../mock/store/memory/memory-records.ts'
import { contactStatuses } from '../../../../spec/forms.ts'
import type { PromiseId } from '../../../../spec/promises.ts'
import type { Schemas } from '../../../../spec/types.ts'
import {
  type Break,
  alsoSets,
  echoOnly,
  changeBody,
  changeOperation,
  changeReply,
  changeUncheckedBody,
  contactWithoutAddress,
  doBefore,
  ignoreComplaint,
  markDeleted,
  newContactEachTime,
  nothing,
  refuse,
  refuseWhen,
  replaceIn,
  wrap,
  replaceMethod,
} from '../breaks.ts'

const { findContactsByEmail, matchContact } = contactRules

export const contacts = {
  'contact.answersWithTheContact': wrap(stampsOf, 'contacts', (original, ...times) => {
    const { teamId, ...stamps } = original(...times)
    return stamps
  }),
  'contact.timesAreIso': wrap(stampsOf, 'contacts', (original, teamId, createdAt, updatedAt) =>
    original(teamId, createdAt, updatedAt.replace('T', ' ')),
  ),
  'contact.createdAtStays': wrap(stampsOf, 'contacts', (original, teamId, _createdAt, now) =>
    original(teamId, now, now),
  ),
  'contact.updatedAtMoves': wrap(stampsOf, 'contacts', (original, teamId, createdAt, now) =>
    original(teamId, createdAt, createdAt ?? now),
  ),
  'contact.lifecycleStagesAreTaken': wrap(contactRules, 'acceptContactFields', (original, fields, tx) => {
    if (fields.lifecycleStage?.includes(' ')) refuse('lifecycleStage must be one word')
    return original(fields, tx)
  }),
  'contact.upsertAnswers200': changeOperation('createOrUpdateContact', (original) => async (given) => {
    const known = await matchContact(given.body, given.tx)
    return { ...(await original(given)), status: known ? 200 : 201 }
  }),
  'contact.createRequires': ignoreComplaint('createContact', 'lastName is required'),
  'contact.requiredFieldsSuffice': refuseWhen('createContact', ({ email, phone }) => (email ?? phone) === undefined),
  'contact.upsertRequiredFieldsSuffice': refuseWhen('createOrUpdateContact', ({ email }) => email === undefined),
  'contact.createShowsWhatWasGiven': [
    wrap(contactRules, 'insertContact', (original, { status, ...fields }, tx) => original(fields, tx)),
    echoOnly('createContact', 'source'),
  ],
  'contact.statusesAreTaken': refuseWhen('updateContact', async ({ status: to = '' }, { path, tx: { team } }) => {
    const { status: from = '' } = (await team.contacts.get(path.contactId)) ?? {}
    return contactStatuses.indexOf(to) > contactStatuses.indexOf(from)
  }),
  'contact.otherStatusesAreRefused': ignoreComplaint('updateContact', 'status must be one of'),
  'contact.groupsAreAList': ignoreComplaint('updateContact', 'groupIds[0] must be a string'),
  'contact.additionalFieldsAreAnObject': ignoreComplaint('createContact', 'additionalFields must'),
  'contact.updateShowsTheChange': [
    replaceMethod(
      Stamped<Kind>,
      'update',
      (original) => (record, fields) => original(record, { ...fields, ...record }),
    ),
    echoOnly('updateContact', 'status'),
  ],
  'contact.updateSetsTheCompany': changeUncheckedBody('updateContact', ({ company, ...others }) => others),
  'contact.updateKeepsTheRest': [
    replaceMethod(Stamped<Kind>, 'update', (_original, records) => (record, fields) => records.replace(record, fields)),
    alsoSets('updateContact', 'email', { phone: '' }),
    alsoSets('updateContact', 'status', { lifecycleStage: 'Customer' }),
  ],
  'contact.updateTakesAnyOneField': refuseWhen('updateContact', ({ firstName }) => firstName === undefined),
  'contact.deleteAnswersWithTheContact': changeReply('deleteContact', (reply) => ({
    ...reply,
    data: { _id: reply.data._id },
  })),
  'contact.deletedIsGone': markDeleted('contacts'),
  'contact.deleteTakesTheConversation': deleteByEmail(({ email, ...others }, { team }) =>
    team.contacts.replace(others, others),
  ),
  'contact.deleteTakesTheMessages': deleteByEmail(({ _id }, tx) => removeRecord(tx.team.contacts, _id, tx)),
  'contact.deleteSparesOthers': changeReply('deleteContact', async (reply, { tx }) => {
    const alike = await findContactsByEmail(reply.data.email ?? '', tx)
    for (const { _id } of alike) await tx.team.contacts.remove(_id)
    return reply
  }),
  'contact.upsertRequires': ignoreComplaint('createOrUpdateContact', 'firstName is required'),
  'contact.upsertShowsWhatWasGiven': [
    changeBody('createOrUpdateContact', async (body, { tx }) => ({ ...body, ...(await matchContact(body, tx)) })),
    echoOnly('createOrUpdateContact', 'status'),
  ],
  'contact.upsertCreates': changeOperation('createOrUpdateContact', (original) => async (given) => {
    if (!(await matchContact(given.body, given.tx))) throw new NotFound(nothing)
    return original(given)
  }),
  'contact.upsertUpdates': [
    changeOperation('createOrUpdateContact', () => async ({ body, tx }) => {
      return ok('Contact updated', showContact(await contactRules.insertContact(body, tx), tx))
    }),
    alsoSets('createOrUpdateContact', 'status', { lifecycleStage: 'Other' }),
  ],
  'contact.upsertRefusesPlainText': wrap(reading, 'checkContentType', (original, headers, types, assumed) => {
    const isText = headers['content-type']?.startsWith('text/')
    if (isText) headers['content-type'] = 'application/json'
    original(headers, types, assumed)
  }),
  'contact.deleteByEmailRequires': wrap(requests, 'normalizeQuery', (original, query, id, assumed) => {
    const isMissing = id === 'deleteContactsByEmail' && query.email === undefined
    return isMissing ? { ...query, email: '' } : original(query, id, assumed)
  }),
  'contact.deleteByEmailTakesAll': wrap(contactRules, 'findContactsByEmail', async (original, email, tx) =>
    (await original(email, tx)).slice(0, 1),
  ),
  'contact.deleteByEmailSparesOthers': replaceMethod(
    MemoryRecords<Kind>,
    'remove',
    (original, records) => async (id) => {
      if (records.get(id)) for (const { _id } of await records.all()) original(_id)
    },
  ),
  'contact.deleteByEmailSaysHowMany': changeReply('deleteContactsByEmail', (reply) => ({
    ...reply,
    message: reply.message.replace('2', '1'),
  })),
} satisfies Partial<Record<PromiseId, Break | readonly Break[]>>

/** Deleting by e-mail does only this with each contact that has the address. */
function deleteByEmail(remove: (contact: Schemas['Contact'], tx: Transaction) => unknown): Break {
  return changeOperation('deleteContactsByEmail', () => async ({ query, tx }) => {
    const meant = await findContactsByEmail(query.email, tx)
    for (const contact of meant) await remove(contact, tx)
    return done(`${meant.length} contacts deleted`)
  })
}

const { insertContact, leadStage } = contactRules

/** Changes every conversation in the answers. */
function changeView(change: (conversation: Schemas['Conversation']) => object): Break {
  return wrap(
    conversationRules,
    'showConversation',
    (original, ...given) => change(original(...given)) as Schemas['Conversation'],
  )
}

/** Conversations show this field of a contact as they first did. */
const asFirstSeen =
  (field: 'phoneNumber' | 'name'): Break =>
  () => {
    const known = new Map<string, string | undefined>()
    return changeView(({ contactId, ...others }) => {
      if (!known.has(contactId._id)) known.set(contactId._id, contactId[field])
      return { ...others, contactId: { ...contactId, [field]: known.get(contactId._id) } }
    })()
  }

/** Answers 201 when the contact is new. */
const answerNewContactsWith201 = (operation: 'findOrCreateConversation' | 'createContactWithConversation'): Break =>
  changeOperation(operation, (original) => async (given) => {
    const known = await matchContact(given.body, given.tx)
    return { ...(await original(given)), status: known ? 200 : 201 }
  })

/** A new contact is inserted differently. */
function changeInsertedContact(change: typeof insertContact): Break {
  return wrap(conversationRules, 'findOrInsertContact', async (original, fields, tx) => {
    return (await matchContact(fields, tx)) ? original(fields, tx) : change(fields, tx)
  })
}

export const conversations = {
  'conversation.oneEachContact': replaceIn(
    conversationRules,
    'ensureConversation',
    () =>
      async ({ _id }, { team }) => ({
        conversation: await team.conversations.insert({ contactId: _id }),
        isNew: true,
      }),
  ),
  'conversation.hasIdTeamAndTime': changeView(({ teamId, ...others }) => others),
  'conversation.createdAtIsIso': changeView((one) => ({ ...one, createdAt: one.createdAt.slice(0, 10) })),
  'conversation.contactIsPopulated': changeView((one) => ({ ...one, contactId: one.contactId._id })),
  'conversation.contactIsTheOneMeant': [
    changeView(({ contactId: { phoneNumber, ...contact }, ...others }) => ({
      ...others,
      contactId: { ...contact, phoneNumber: phoneNumber?.slice(0, -1) },
    })),
    asFirstSeen('phoneNumber'),
    asFirstSeen('name'),
  ],
  'conversation.idOpensIt': changeReply('findOrCreateConversation', (reply) => ({
    ...reply,
    data: { ...reply.data, _id: reply.data.contactId._id },
  })),
  'conversation.findOrCreateAnswers200': answerNewContactsWith201('findOrCreateConversation'),
  'conversation.createWithContactAnswers200': answerNewContactsWith201('createContactWithConversation'),
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
    const { _id } = await conversationRules.resolveContact(body, tx)
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
  'conversation.emailFindsTheContact': wrap(contactRules, 'matchContact', (original, { phone }, tx) =>
    original(phone === undefined ? {} : { phone }, tx),
  ),
  'conversation.phoneFindsTheContact': wrap(contactRules, 'matchContact', (original, { email }, tx) =>
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
  'conversation.createAgainReturnsTheFirst': wrap(
    conversationRules,
    'ensureConversation',
    async (original, contact, tx) => {
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
} satisfies Partial<Record<PromiseId, Break | readonly Break[]>>
