import { fieldsOf } from '../../../client/answer.ts'
import { singleSends } from '../../../spec/operation-groups.ts'
import { from, path } from '../moves/move.ts'
import { change, type Episode, make, sendInto } from './episode.ts'

/** The life of a contact: what it is given, what is sent to it, and how it goes, seen in every way. */
const life: Episode = (pen, looks) => {
  const { walker } = pen
  const email = walker.mint.email()
  const contactId = make(pen, 'createContact', { email })
  const conversationId = make(pen, 'createConversation', { contactId })
  change(pen, 'updateContact', path('contactId', contactId), 'all')
  for (let turns = 3 + walker.draw(3); turns > 0; turns--) {
    const way = walker.draw(10)
    if (way < 5) change(pen, 'updateContact', path('contactId', contactId), 'few')
    else if (way < 6) make(pen, 'createOrUpdateContact', { email })
    else if (walker.target.loopback)
      sendInto(pen, { id: conversationId, person: { id: contactId } }, walker.oneOf(singleSends))
    if (walker.chance(40)) looks.contact(contactId)
    else if (walker.chance(30)) pen.add('getConversation', path('conversationId', conversationId))
  }
  looks.everywhere(contactId, conversationId)
  if (walker.chance(30)) return
  pen.addGood('deleteContact', path('contactId', contactId))
  looks.everywhere(contactId, conversationId)
  pen.add('createConversation', { body: { contactId } })
  if (walker.target.loopback) pen.add('sendLiveMessage', { body: walker.some.chat({ contactId }) })
  pen.add('deleteContact', path('contactId', contactId))
}

/** The addresses of a contact: those that it had, those that it has, and those that are free again. */
const addresses: Episode = (pen, looks) => {
  const { walker } = pen
  const [of, deletion] = walker.deal('addresses', addressesAndDeletions)
  const [first, second] = [walker.mint[of](), walker.mint[of]()]
  const other = { email: undefined, phone: undefined }
  const contactId = make(pen, 'createContact', { ...other, [of]: first })
  const conversationId = make(pen, 'findOrCreateConversation', { ...other, [of]: first })
  pen.addGood('updateContact', { ...path('contactId', contactId), body: { [of]: second } })
  const ask = (address: string) => {
    const body = { ...other, [of]: address }
    const ways = ['findOrCreateConversation', 'createOrUpdateContact'] as const
    for (const way of walker.chance(50) ? ways : ways.toReversed()) make(pen, way, body)
  }
  for (const address of walker.chance(30) ? [second, first] : [second]) ask(address)
  looks.contact(contactId)
  if (deletion === 'by address') pen.addGood('deleteContactsByEmail', { query: { email: second } })
  else pen.addGood('deleteContact', path('contactId', contactId))
  looks.everywhere(contactId, conversationId)
  ask(second)
}

const addressesAndDeletions = [
  ['email', 'by id'],
  ['email', 'by address'],
  ['phone', 'by id'],
] as const

/** Several contacts with one address: which of them is meant, and how many are deleted. */
const namesakes: Episode = (pen, looks) => {
  const { walker } = pen
  const email = walker.mint.email()
  const contacts = Array.from({ length: 2 + walker.draw(2) }, () => make(pen, 'createContact', { email }))
  const conversations = contacts.slice(0, 2).map((contactId) => make(pen, 'createConversation', { contactId }))
  make(pen, 'findOrCreateConversation', { email, phone: undefined })
  make(pen, 'createOrUpdateContact', { email, phone: undefined })
  for (const contactId of contacts) looks.contact(contactId)
  pen.addGood('deleteContactsByEmail', { query: { email } })
  for (const contactId of contacts) looks.contact(contactId)
  for (const conversationId of conversations) pen.add('getConversation', path('conversationId', conversationId))
  pen.add('deleteContactsByEmail', { query: { email } })
}

/** A contact that is created with its conversation, and what finds both again. */
const arrival: Episode = (pen, looks) => {
  const { walker } = pen
  const draft = pen.draft('createContactWithConversation')
  if (!draft) return
  const addresses = { email: walker.mint.email(), phone: walker.mint.phone() }
  const body = { ...fieldsOf(draft.body), ...addresses, groupId: walker.mint.unknownId() }
  const n = pen.addGood('createContactWithConversation', { body })
  if (n === undefined) return
  const [contactId, conversationId] = [from(n, 'data.contactId._id'), from(n, 'data._id')]
  looks.everywhere(contactId, conversationId)
  pen.addGood('createContactWithConversation', { body: { ...body, firstName: 'Augusta' } })
  make(pen, 'findOrCreateConversation', { email: body.email, phone: undefined })
  make(pen, 'createConversation', { contactId })
  looks.contact(contactId)
  pen.add('listConversationsOfContact', path('contactId', contactId))
}

/** A contact through its statuses, with a message and other changes in between. */
const statuses: Episode = (pen, looks) => {
  const { walker } = pen
  const contactId = make(pen, 'createContact', { status: walker.oneOf(['open', 'in-progress', 'closed']) })
  const conversationId = make(pen, 'createConversation', { contactId })
  const at = path('contactId', contactId)
  for (const status of ['closed', 'in-progress'] as const) {
    pen.addGood('updateContact', { ...at, body: { status } })
    if (walker.target.loopback) sendInto(pen, { id: conversationId, person: { id: contactId } }, 'sendLiveMessage')
    change(pen, 'updateContact', at, 'few')
    looks.contact(contactId)
  }
}

export const contactEpisodes = [life, life, addresses, addresses, namesakes, arrival, statuses]
