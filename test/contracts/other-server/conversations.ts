import { contactWith, insertContact, refuseUnknown } from './contacts.ts'
import { type Given, type Operation, recordAt, refuse, refuseUnless, type Reply, showLacking } from './replies.ts'
import type { Fields, Stored } from './team.ts'
import { email, phone, readBody, text } from './values.ts'

type Ground = Pick<Given, 'team' | 'switches'>

export function conversationOf(contact: Stored, { team, switches }: Ground): { conversation: Stored; isNew: boolean } {
  const known = team.find('conversation', ({ contactId }) => contactId === contact._id)
  if (known) return { conversation: known, isNew: false }
  const conversation = team.insert('conversation', { contactId: contact._id })
  if (switches.systemMessages === 'atStart')
    team.insert('message', {
      channel: 'chat',
      direction: 'incoming',
      content: 'Conversation started',
      status: 'delivered',
      conversationId: conversation._id,
      contactId: contact._id,
    })
  return { conversation, isNew: true }
}

function show({ _id, contactId, createdAt }: Stored, { team, switches }: Ground): Fields {
  const contact = team.shelf('contact').get(contactId as string) ?? { _id: contactId }
  const { firstName = '', lastName = '', email: address, phone: phoneNumber } = contact as Fields
  const name = firstName === '' ? String(address ?? phoneNumber) : `${String(firstName)} ${String(lastName)}`.trim()
  const populated = showLacking(
    { _id: contactId, name, email: address, phoneNumber },
    ['email', 'phoneNumber'],
    switches,
  )
  return { _id, teamId: team.id, contactId: populated, createdAt }
}

const answer = (message: string, contact: Stored, given: Given): Reply => ({
  status: 200,
  message,
  data: show(conversationOf(contact, given).conversation, given),
})

const findOrCreateConversation: Operation = (given) => {
  const { body, switches } = given
  const sent = readBody(body, { email, phone }, switches, true)
  const isNamed = sent.email !== undefined || sent.phone !== undefined
  refuseUnless(isNamed, switches)
  return answer('Conversation found', resolveContact(sent, sent, given), given)
}

/** The known contact with these addresses, or a new one. */
const resolveContact = ({ email: address, phone: number }: Fields, all: Fields, given: Given): Stored =>
  contactWith({ email: address, phone: number }, given) ?? insertContact(all, given)

const createContactWithConversation: Operation = (given) => {
  const { team, body, switches } = given
  const readers = { 'firstName!': text, 'lastName!': text, email, phone, lifecycleStage: text, groupId: text }
  const sent = readBody(body, readers, switches)
  refuseUnknown(team, sent, switches)
  const { groupId, ...fields } = sent
  const groups = groupId === undefined ? {} : { groupIds: [groupId] }
  const contact = resolveContact(sent, { lifecycleStage: 'Lead', ...fields, ...groups }, given)
  return answer('Conversation ready', contact, given)
}

const createConversation: Operation = (given) => {
  const { team, body, switches } = given
  const { contactId } = readBody(body, { 'contactId!': text }, switches, true)
  const contact = team.shelf('contact').get(contactId as string) ?? refuse(switches, switches.unknownTarget)
  const { conversation, isNew } = conversationOf(contact, given)
  return {
    status: isNew ? 201 : 200,
    message: isNew ? 'Conversation created' : 'The conversation already exists',
    data: show(conversation, given),
  }
}

const getConversation: Operation = (given) => ({
  status: 200,
  message: 'Conversation found',
  data: show(recordAt(given, 'conversation', given.switches.lagOf === 'reads' ? given.switches.lag : 0), given),
})

const listConversationsOfContact: Operation = (given) => {
  const { team, path, switches } = given
  const [contactId] = path
  const known = team.shelf('contact').get(contactId ?? '', switches.lag)
  if (!known && switches.conversationsOfUnknown === 404) refuse(switches, 404)
  const own = team
    .shelf('conversation')
    .all(switches.lag)
    .filter((one) => one.contactId === contactId)
  const data = own.map((one) => show(one, given))
  return { status: 200, message: 'Conversations found', data }
}

export const conversations = {
  'POST /api/conversations/getConversationByPhoneAndEmail': findOrCreateConversation,
  'POST /api/contacts/create-new-conversation': createContactWithConversation,
  'POST /api/conversations': createConversation,
  'GET /api/conversations/:id': getConversation,
  'GET /api/conversations/getAllConversationsOfContact/:id': listConversationsOfContact,
}
