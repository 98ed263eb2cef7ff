import { contactWrites, resolutions } from '../../../spec/operation-groups.ts'
import { contactStatuses } from '../../../spec/forms.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { contactWith } from '../other-server/contacts.ts'
import type { Given } from '../other-server/replies.ts'
import type { Fields, Team } from '../other-server/team.ts'
import {
  accept,
  alsoSets,
  changeBody,
  changed,
  changeData,
  changeHeader,
  changeNew,
  changeOperation,
  changeQuery,
  changeReply,
  changeTeams,
  changeUpdate,
  type Deviant,
  echoOnly,
  fill,
  forgetUpdates,
  findNone,
  isoOf,
  keepDeleted,
  pick,
  refuseWhen,
  replaceOnUpdate,
  withData,
  without,
} from './deviant.ts'

const contactAt = ({ team, path }: Given) => team.shelf('contact').get(path[0] ?? '')

const contactsWithEmail = ({ team }: Given, email: unknown) =>
  team
    .shelf('contact')
    .all()
    .filter((contact) => contact.email === email)

/** A request that creates a contact answers 201. */
const answer201ForNew = (id: OperationId) =>
  changeOperation(id, (original, given) => {
    const known = contactWith(given.body as Fields, given)
    return { ...original(given), status: known ? 200 : 201 }
  })

export const contacts = {
  'contact.answersWithTheContact': changeData(contactWrites, without('teamId')),
  'contact.timesAreIso': changeData(contactWrites, (one) => ({
    ...one,
    updatedAt: isoOf(one.updatedAt).replace('T', ' '),
  })),
  'contact.createdAtStays': changeData('updateContact', (one) => ({ ...one, createdAt: one.updatedAt })),
  'contact.updatedAtMoves': changeData('updateContact', (one) => ({ ...one, updatedAt: one.createdAt })),
  'contact.lifecycleStagesAreTaken': refuseWhen(contactWrites, ({ lifecycleStage }) =>
    String(lifecycleStage).includes(' '),
  ),
  'contact.upsertAnswers200': answer201ForNew('createOrUpdateContact'),
  'contact.createRequires': fill('createContact', { lastName: 'Unknown' }),
  'contact.requiredFieldsSuffice': refuseWhen('createContact', ({ email, phone }) => (email ?? phone) === undefined),
  'contact.upsertRequiredFieldsSuffice': refuseWhen('createOrUpdateContact', ({ email }) => email === undefined),
  'contact.createShowsWhatWasGiven': [
    changeBody('createContact', without('status')),
    echoOnly('createContact', 'source'),
  ],
  'contact.statusesAreTaken': refuseWhen('updateContact', ({ status }, given) => {
    const orderOf = (name: unknown) => contactStatuses.findIndex((known) => known === name)
    return orderOf(status) > orderOf(contactAt(given)?.status)
  }),
  'contact.otherStatusesAreRefused': accept('updateContact', { status: 'open' }),
  'contact.groupsAreAList': accept('updateContact', { groupIds: [] }),
  'contact.additionalFieldsAreAnObject': accept('createContact', { additionalFields: {} }),
  'contact.updateShowsTheChange': [
    changeUpdate('contact', (record, fields, team) => team.shelf('contact').put({ ...fields, ...record })),
    echoOnly('updateContact', 'status'),
  ],
  'contact.updateSetsTheCompany': changeBody('updateContact', without('company')),
  'contact.updateKeepsTheRest': [
    forgetUpdates('contact'),
    replaceOnUpdate('contact'),
    alsoSets('updateContact', 'email', { phone: '' }),
    alsoSets('updateContact', 'status', { lifecycleStage: 'Customer' }),
  ],
  'contact.updateTakesAnyOneField': refuseWhen('updateContact', ({ firstName }) => firstName === undefined),
  'contact.deleteAnswersWithTheContact': changeData('deleteContact', pick('_id')),
  'contact.deletedIsGone': keepDeleted('contact'),
  'contact.deleteTakesTheConversation': keepDeleted('conversation'),
  'contact.deleteTakesTheMessages': keepDeleted('conversation', 'message'),
  'contact.deleteSparesOthers': changeData('deleteContact', (contact, given) => {
    for (const { _id } of contactsWithEmail(given, contact.email)) given.team.remove('contact', _id)
    return contact
  }),
  'contact.upsertRequires': fill('createOrUpdateContact', { firstName: 'Unknown' }),
  'contact.upsertShowsWhatWasGiven': [
    changeBody('createOrUpdateContact', (body, given) => ({ ...body, ...contactWith(body, given) })),
    echoOnly('createOrUpdateContact', 'status'),
  ],
  'contact.upsertCreates': refuseWhen('createOrUpdateContact', (body, given) => !contactWith(body, given), 404),
  'contact.upsertUpdates': [
    findNone('contact'),
    alsoSets('createOrUpdateContact', 'status', { lifecycleStage: 'Other' }),
  ],
  'contact.upsertRefusesPlainText': changeHeader('content-type', (type) =>
    type.startsWith('text/') ? 'application/json' : type,
  ),
  'contact.deleteByEmailRequires': changeQuery('deleteContactsByEmail', (query) => {
    if (!query.has('email')) query.set('email', '')
  }),
  'contact.deleteByEmailTakesAll': changeOperation('deleteContactsByEmail', (original, given) => {
    const [, ...others] = contactsWithEmail(given, given.query.get('email'))
    const reply = original(given)
    for (const contact of others) given.team.shelf('contact').put(contact)
    return reply
  }),
  'contact.deleteByEmailSparesOthers': changeReply('deleteContactsByEmail', (reply, { team }) => {
    for (const { _id } of team.shelf('contact').all()) team.remove('contact', _id)
    return reply
  }),
  'contact.deleteByEmailSaysHowMany': changeReply('deleteContactsByEmail', (reply) => ({
    ...reply,
    message: reply.message.replace('2', '1'),
  })),
} satisfies Partial<Record<PromiseId, Deviant | readonly Deviant[]>>

const views = [...resolutions, 'getConversation', 'listConversationsOfContact'] as const

const contactIn = ({ contactId }: Fields) => contactId as Fields

/** Conversations show this field of a contact as they first did. */
const asFirstSeen = (field: string): Deviant => ({
  deviation: (teams) => {
    const known = new Map<unknown, unknown>()
    const stale = changeData(views, (one) => {
      const contact = contactIn(one)
      if (!known.has(contact._id)) known.set(contact._id, contact[field])
      return { ...one, contactId: { ...contact, [field]: known.get(contact._id) } }
    })
    return stale.deviation?.(teams) ?? {}
  },
})

/** A contact that is created for an address does not get the address. */
export const contactWithoutAddress = changeNew('contact', without('email', 'phone'))

/** One conversation for each contact and channel: a conversation has the channel of its first message. */
const oneEachChannel: Deviant = changeTeams((team) => {
  const insert = team.insert.bind(team)
  const channels = new Map<unknown, unknown>()
  return {
    insert: (kind, fields) => {
      if (kind !== 'message') return insert(kind, fields)
      const { channel, contactId, conversationId } = fields
      const isOfChannel = (id: unknown) => (channels.get(id) ?? channel) === channel
      const others = team
        .shelf('conversation')
        .all()
        .filter((one) => one.contactId === contactId)
      const own = isOfChannel(conversationId)
        ? conversationId
        : (others.find(({ _id }) => isOfChannel(_id)) ?? insert('conversation', { contactId }))._id
      channels.set(own, channel)
      return insert('message', { ...fields, conversationId: own })
    },
  }
})

/** A standalone send starts another conversation. */
function startAnother(id: OperationId, concerns: (body: Fields) => boolean): Deviant {
  return changeOperation(id, (original, given) => {
    const body = given.body as Fields
    if (body.conversationId !== undefined || !concerns(body)) return original(given)
    const find: Team['find'] = (kind, isMeant) => (kind === 'conversation' ? undefined : given.team.find(kind, isMeant))
    return original({ ...given, team: changed(given.team, { find }) })
  })
}

export const conversations = {
  'conversation.oneEachContact': [
    findNone('conversation'),
    oneEachChannel,
    startAnother('sendEmailMessage', ({ to }) => to === undefined),
    startAnother('sendMessage', ({ channel }) => channel === 'whatsapp'),
    startAnother('sendBulkMessages', ({ channel }) => channel === 'sms'),
  ],
  'conversation.hasIdTeamAndTime': changeData(views, without('teamId')),
  'conversation.createdAtIsIso': changeData(views, (one) => ({ ...one, createdAt: isoOf(one.createdAt).slice(0, 10) })),
  'conversation.contactIsPopulated': changeData(views, (one) => ({ ...one, contactId: contactIn(one)._id })),
  'conversation.contactIsTheOneMeant': [
    changeData(views, (one) => ({
      ...one,
      contactId: { ...contactIn(one), phoneNumber: String(contactIn(one).phoneNumber).slice(0, -1) },
    })),
    asFirstSeen('phoneNumber'),
    asFirstSeen('name'),
  ],
  'conversation.idOpensIt': changeData('findOrCreateConversation', (one) => ({ ...one, _id: contactIn(one)._id })),
  'conversation.findOrCreateAnswers200': answer201ForNew('findOrCreateConversation'),
  'conversation.createWithContactAnswers200': answer201ForNew('createContactWithConversation'),
  'conversation.answersWithOne': changeReply('getConversation', (reply) => ({ ...reply, data: [reply.data] })),
  'conversation.findRefusesUnlistedFields': changeBody('findOrCreateConversation', pick('email', 'phone')),
  'conversation.emailAloneIsEnough': refuseWhen('findOrCreateConversation', ({ phone }) => phone === undefined),
  'conversation.phoneAloneIsEnough': refuseWhen('findOrCreateConversation', ({ email }) => email === undefined),
  'conversation.malformedEmailIsRefused': accept('findOrCreateConversation', { email: 'ada@example.com' }),
  'conversation.malformedPhoneIsRefused': accept('findOrCreateConversation', { phone: '+14155550123' }),
  'conversation.nationalPhoneIsRefused': accept('findOrCreateConversation', { phone: '+14155550123' }),
  'conversation.missingContactIsMade': contactWithoutAddress,
  'conversation.missingConversationIsMade': refuseWhen(
    'findOrCreateConversation',
    (body, given) => {
      const contact = contactWith(body, given)
      return !given.team.find('conversation', ({ contactId }) => contactId === contact?._id)
    },
    404,
  ),
  'conversation.findAgainIsTheSame': findNone('contact'),
  'conversation.createWithContactRequires': fill('createContactWithConversation', { lastName: 'Unknown' }),
  'conversation.requiredFieldsSuffice': refuseWhen(
    'createContactWithConversation',
    ({ email, phone }) => (email ?? phone) === undefined,
  ),
  'conversation.newContactIsALead': changeNew('contact', without('lifecycleStage')),
  'conversation.newContactKeepsItsStage': changeNew('contact', (contact) => ({ ...contact, lifecycleStage: 'Lead' })),
  'conversation.newContactJoinsItsGroup': changeNew('contact', without('groupIds')),
  'conversation.emailFindsTheContact': findNone('contact'),
  'conversation.phoneFindsTheContact': findNone('contact'),
  'conversation.createRequires': fill('createConversation', { contactId: 'unknown' }),
  'conversation.createNeedsAKnownContact': changeBody('createConversation', (body, { team }) =>
    team.shelf('contact').get(String(body.contactId)) ? body : { contactId: team.insert('contact', {})._id },
  ),
  'conversation.createAgainReturnsTheFirst': changeReply('createConversation', (reply, { team }) => {
    const { contactId } = reply.data as { contactId?: unknown }
    const another = () => team.insert('conversation', { contactId })._id
    return reply.status === 200 ? withData(reply, { _id: another() }) : reply
  }),
  'conversation.createAgainSaysSo': [
    changeReply('createConversation', (reply) => ({ ...reply, message: 'Conversation created' })),
    changeReply('createConversation', (reply) => ({ ...reply, message: `Conversation created at ${Date.now()}` })),
    changeReply('createConversation', (reply) => ({ ...reply, message: reply.status === 200 ? 'OK' : reply.message })),
  ],
  'conversation.listHoldsTheConversation': changeReply('listConversationsOfContact', (reply) => ({
    ...reply,
    data: (reply.data as Fields[]).slice(1),
  })),
  'conversation.listIsOfOneContact': changeData('listConversationsOfContact', (one) => ({
    ...one,
    contactId: { ...contactIn(one), _id: one._id },
  })),
} satisfies Partial<Record<PromiseId, Deviant | readonly Deviant[]>>
