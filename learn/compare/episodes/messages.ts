import { fieldsOf } from '../../../client/answer.ts'
import { sendsByPhone, singleSends } from '../../../spec/operation-groups.ts'
import { from, path } from '../moves/move.ts'
import { allPages } from '../pages.ts'
import { type Episode, make, sendInto } from './episode.ts'

/** More messages than a page holds, and all pages. */
const history: Episode = (pen) => {
  const { walker } = pen
  const body = { email: walker.mint.email(), phone: walker.mint.phone() }
  const n = pen.addGood('findOrCreateConversation', { body })
  if (n === undefined) return
  const conversation = { id: from(n, 'data._id'), person: { id: from(n, 'data.contactId._id') } }
  const length = 6 + walker.draw(3)
  for (let sent = 0; sent < length; sent++) sendInto(pen, conversation, walker.oneOf(singleSends))
  const list = (query: object) =>
    pen.add('listMessages', { ...path('conversationId', conversation.id), query: { ...query } })
  for (const limit of [Math.ceil(length / 2), walker.oneOf([length, 3, 2])])
    for (const page of allPages(length, limit)) list(page)
  for (const channel of ['chat', 'email', 'sms']) list({ page: 1, limit: 100, channel })
}

/** A bulk send to several people, and what each of them has got. */
const bulk: Episode = (pen, looks) => {
  const { walker } = pen
  const draft = pen.draft('sendBulkMessages')
  if (!draft || walker.bulkPause === undefined) return
  const of = fieldsOf(draft.body).channel === 'email' ? 'email' : 'phone'
  const people = Array.from({ length: 3 }, () => walker.mint[of]())
  pen.addGood('sendBulkMessages', { ...draft, body: { ...fieldsOf(draft.body), to: people.join(',') } })
  for (const person of people) looks.reached({ [of]: person })
}

/** An e-mail to several contacts, and answers to it. */
const thread: Episode = (pen, looks) => {
  const { walker } = pen
  const recipientIds = Array.from({ length: 2 + walker.draw(2) }, () => make(pen, 'createContact'))
  const [first = walker.mint.unknownId(), second = first] = recipientIds
  const email = pen.message('sendEmailMessage')
  const n = email && pen.addGood('sendEmailMessage', { body: { ...email, recipientIds } })
  if (n === undefined) return
  const conversation = { id: from(n, 'data.conversationId'), person: { id: first } }
  const answered = walker.oneOf(['replyToMessageId', 'quotedMessageId', 'replyToMessageId'])
  sendInto(pen, conversation, 'sendEmailMessage', { [answered]: from(n, 'data._id') })
  looks.history(conversation.id)
  pen.add('listConversationsOfContact', path('contactId', second))
  looks.contact(second)
}

/** Each way to name whom a message is for, and what does not exist. */
const receivers: Episode = (pen, looks) => {
  const { walker } = pen
  const contactId = make(pen, 'createContact', { phone: walker.mint.phone() })
  const unknown = walker.mint.unknownId()
  const send = (receiver: object) => {
    const operation = walker.oneOf(sendsByPhone)
    const message = pen.message(operation)
    return message && pen.addGood(operation, { body: { ...message, ...receiver } })
  }
  const n = send({ recipientId: contactId })
  if (n !== undefined) looks.history(from(n, 'data.conversationId'))
  send({ contactId })
  send({ contactId, to: walker.mint.phone() })
  send({ conversationId: unknown })
  send(walker.oneOf(['contact', 'nobody']) === 'contact' ? { contactId: unknown } : {})
  const email = pen.message('sendEmailMessage')
  for (const receiver of [{ to: walker.mint.email() }, { recipientIds: [contactId, unknown] }])
    if (email) pen.addGood('sendEmailMessage', { body: { ...email, ...receiver } })
  pen.add('listConversationsOfContact', path('contactId', contactId))
}

/** Not beyond this machine, where a run may send few messages. */
const onlyHere =
  (episode: Episode): Episode =>
  (pen, looks) => {
    if (pen.walker.target.loopback) episode(pen, looks)
  }

export const messageEpisodes = [history, bulk, thread, receivers].map(onlyHere)
