import { fieldsOf } from '../../client/answer.ts'
import type { SingleSend } from '../../client/operations/messages.ts'
import { singleSends } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { kindOf, type Looks } from './looks.ts'
import { customFields, groups } from './values.ts'
import { from, path } from './moves/move.ts'
import type { RecordKind } from './moves/records.ts'
import { allPages } from './pages.ts'
import type { Pen } from './pen.ts'
import type { StepInput } from './walk.ts'
import type { Conversation } from './walker.ts'

/** Some requests about the same thing, which steps drawn one by one seldom put together. */
type Episode = (pen: Pen, looks: Looks) => void

const types = ['sms', 'email', 'whatsapp']
const statuses = ['pending', 'approved', 'rejected']

/** More templates than a page holds; all pages; and again after one of them is deleted. */
const templateList: Episode = (pen) => {
  const { walker } = pen
  const list = (page: object) => pen.add('listTemplates', { query: { ...page, types, statuses } })
  for (let made = walker.draw(10) - 4; made < 0 || walker.templates.size < 11; made++) {
    if (pen.addGood('createTemplate', pen.draft('createTemplate')) === undefined) return
  }
  const { size } = walker.templates
  list({ page: 1, limit: 100 })
  // Often one that ends with the last item.
  for (const page of allPages(size, walker.anyOf([size, Math.ceil(size / 2), 3, 10, 1 + walker.draw(12)]))) list(page)
  pen.addGood('deleteTemplate', pen.draft('deleteTemplate'))
  list({ page: 1, limit: walker.oneOf([10, 100]) })
}

/** More messages than a page holds, and all pages. */
const history: Episode = (pen) => {
  const { walker } = pen
  if (!walker.target.loopback) return
  const body = { email: walker.mint.email(), phone: walker.mint.phone() }
  const n = pen.addGood('findOrCreateConversation', { body })
  if (n === undefined) return
  const conversation = { id: from(n, 'data._id'), person: { id: from(n, 'data.contactId._id') } }
  const length = 3 + walker.draw(10)
  for (let sent = 0; sent < length; sent++) sendInto(pen, conversation, walker.oneOf(singleSends))
  for (const page of allPages(length, walker.anyOf([length, Math.ceil(length / 2), 3, 3, 2 + walker.draw(6)])))
    pen.add('listMessages', { ...path('conversationId', conversation.id), query: { ...page } })
  const channel = walker.oneOf(['chat', 'chat', 'email', 'sms'])
  pen.add('listMessages', { ...path('conversationId', conversation.id), query: { page: 1, limit: 100, channel } })
}

/** The life of a contact: what it is given, what is sent to it, and how it goes, seen in every way. */
const contact: Episode = (pen, looks) => {
  const { walker } = pen
  const created = pen.addGood('createContact', pen.draft('createContact'))
  const opened = created && pen.addGood('createConversation', { body: { contactId: from(created, 'data._id') } })
  if (created === undefined || opened === undefined) return
  const [contactId, conversationId] = [from(created, 'data._id'), from(opened, 'data._id')]
  for (let turns = 3 + walker.draw(4); turns > 0; turns--) {
    const way = walker.draw(10)
    if (way < 5) {
      const changes = { ...pen.draft('updateContact'), ...path('contactId', contactId) }
      pen.addGood('updateContact', changes)
    } else if (way < 6) {
      const body = walker.someOf({ groupIds: () => groups(walker), additionalFields: () => customFields(walker) })
      pen.addGood('updateContact', { ...path('contactId', contactId), body })
    } else if (walker.target.loopback) {
      const operation = walker.oneOf(singleSends)
      for (let times = walker.oneOf([1, 2]); times > 0; times--)
        sendInto(pen, { id: conversationId, person: { id: contactId } }, operation)
    }
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

/** The life of a record: changed several times, seen after each, and deleted. */
const record: Episode = (pen, looks) => {
  const { walker } = pen
  const kind = walker.oneOf<RecordKind>(['company', 'product', 'deal', 'quote', 'quote'])
  const by = (verb: string) => `${verb}${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as OperationId
  if (kind === 'quote' && walker.records.deal.size === 0) pen.addGood('createDeal', pen.draft('createDeal'))
  const n = pen.addGood(by('create'), pen.draft(by('create')))
  if (n === undefined) return
  const at = path(`${kind}Id`, from(n, 'data._id'))
  for (let turns = 2 + walker.draw(4); turns > 0; turns--) {
    pen.addGood(by('update'), { ...pen.draft(by('update')), ...at })
    looks.record(kind, from(n, 'data._id'))
  }
  if (walker.chance(30)) return
  pen.addGood(by('delete'), at)
  looks.record(kind, from(n, 'data._id'))
  pen.add(by('delete'), at)
}

/** The life of a template, which is read and listed. */
const template: Episode = (pen) => {
  const { walker } = pen
  const created = pen.draft('createTemplate')
  const n = pen.addGood('createTemplate', created)
  if (n === undefined || !created) return
  const at = path('templateId', from(n, 'data._id'))
  const { templateType } = fieldsOf(created.body ?? created.fields)
  const look = () => {
    pen.add('getTemplate', at)
    if (walker.chance(40)) pen.add('listTemplates', { query: { page: 1, limit: 100, types, statuses } })
  }
  look()
  for (let turns = 1 + walker.draw(3); turns > 0; turns--) {
    const change = pen.draft('updateTemplate')
    pen.addGood('updateTemplate', change && { ...at, body: { ...fieldsOf(change.body), templateType } })
    look()
  }
  pen.addGood('deleteTemplate', at)
  look()
  pen.add('deleteTemplate', at)
}

/** A bulk send to several people, and what each of them has got. */
const bulk: Episode = (pen, looks) => {
  const { walker } = pen
  const draft = pen.draft('sendBulkMessages')
  if (!draft || !walker.target.loopback || walker.bulkPause === undefined) return
  const of = fieldsOf(draft.body).channel === 'email' ? 'email' : 'phone'
  const people = Array.from({ length: 2 + walker.draw(3) }, () => walker.mint[of]())
  pen.addGood('sendBulkMessages', { ...draft, body: { ...fieldsOf(draft.body), to: people.join(',') } })
  for (const person of people) looks.reached({ [of]: person })
}

/** A key used again: with the same request, with another body, and elsewhere. */
const key: Episode = (pen, looks) => {
  const { walker } = pen
  const taking: readonly OperationId[] = [
    'createContact',
    'createCompany',
    'createProduct',
    'createDeal',
    'createTemplate',
    'updateCompany',
    'sendLiveMessage',
  ]
  const operation = walker.oneOf(taking)
  const [first, other] = [pen.draft(operation), pen.draft(operation)]
  if (!first || !other) return
  const keyed = { key: walker.mint.key() }
  const n = pen.addGood(operation, { ...first, ...keyed })
  pen.addGood(operation, { ...first, ...keyed })
  if (walker.chance(60)) pen.add(operation, { ...other, ...keyed })
  if (walker.chance(40)) {
    const elsewhere = walker.oneOf(taking)
    pen.add(elsewhere, withKey(pen.draft(elsewhere), keyed))
  }
  if (n !== undefined && kindOf(operation)) looks.at(operation, n, first)
}

const withKey = (draft: StepInput | undefined, keyed: { key: string }) => draft && { ...draft, ...keyed }

function sendInto(pen: Pen, { id: conversationId, person }: Conversation, operation: SingleSend): void {
  const draft = pen.draft(operation)
  if (!draft) return
  const { to, contactId, recipientId, recipientIds, ...body } = fieldsOf(draft.body)
  const inEmail = operation === 'sendEmailMessage' && person ? { recipientIds: [person.id] } : {}
  pen.addGood(operation, { ...draft, body: { ...body, conversationId, ...inEmail } })
}

export const episodes: readonly Episode[] = [
  templateList,
  history,
  contact,
  contact,
  record,
  record,
  template,
  bulk,
  key,
  key,
]
