import { operations } from '../../../spec/operations.ts'
import type { OperationId } from '../../../spec/types.ts'
import {
  answerUnknown,
  changeAnswers,
  changeBody,
  changeData,
  changePagination,
  changeReply,
  changeStatus,
  changeUpdate,
  type Deviant,
  keepDeleted,
  refuseWhen,
  showOtherPage,
  without,
} from '../deviants/deviant.ts'
import { type Given, recordAt } from '../other-server/replies.ts'
import type { Fields, Kind, Stored } from '../other-server/team.ts'

type Sent = Given & { readonly body: Fields }

/** Changes a field of the record in a reply, if there is one; without a new value the field is dropped. */
const changeField = (
  ids: OperationId | readonly OperationId[],
  field: string,
  change: (value: never, record: Stored, given: Sent) => unknown,
) =>
  changeData(ids, (record, given) =>
    record[field] === undefined
      ? record
      : { ...record, [field]: change(record[field] as never, record as Stored, given as Sent) },
  )

/** Changes the messages of each day of a history. */
const changeHistory = (change: (messages: readonly Fields[], given: Given) => readonly Fields[]) =>
  changeField('listMessages', 'messages', (messages: readonly Fields[], _, given) => change(messages, given))

const changeMessage = (id: OperationId, change: (count: number) => number) =>
  changeReply(id, (reply) => ({
    ...reply,
    message: reply.message.replace(/\d+/, (count) => String(change(Number(count)))),
  }))

/** Makes a deviant with separate state for each server. */
const perServer = (make: () => Deviant): Deviant => ({ deviation: (teams) => make().deviation?.(teams) ?? {} })

const updatesOf = ({ team, path }: Given, kind: Kind) => team.shelf(kind).count(path[0] ?? '') - 1

const isSent = (given: Given) => Object.keys(given.body as Fields).length > 0

const notFound = ({ switches }: Given) => ({ status: 404, message: switches.text404 })

const emptyHistory = { data: [], pagination: { total: 0, currentPage: 1, totalPages: 0, hasMore: false } }

const sends = ['sendLiveMessage', 'sendEmailMessage', 'sendMessage'] as const
const resolutions = ['findOrCreateConversation', 'createContactWithConversation'] as const

/** The answers to requests that succeeded. */
const keys = new Set<string>()

/** Servers that are wrong in one thing, which no choice of the register describes. */
export const deviants: Readonly<Record<string, Deviant>> = {
  'a field appears after an update': changeData('updateContact', (contact, given) =>
    isSent(given) ? { ...contact, revision: 2 } : contact,
  ),
  'the total of a history is one too many': changePagination('listMessages', (counts) =>
    counts.total > 1 ? { ...counts, total: counts.total + 1 } : counts,
  ),
  'a deleted contact leaves its conversations': keepDeleted('conversation'),
  'the second page repeats the first': showOtherPage('listTemplates', (query) => {
    if (query.get('page') === '2') query.set('page', '1')
  }),
  'an update of a product ignores the cost': changeBody('updateProduct', without('unitCost')),
  'an update of a deal rounds the amount': changeField('updateDeal', 'amount', Math.round),
  'an update of a contact moves its creation': changeField(
    'updateContact',
    'createdAt',
    (_, { updatedAt }) => updatedAt,
  ),
  'a conversation has another id when read': changeField(
    'getConversation',
    '_id',
    (id: string) => `${id.slice(0, -4)}ffff`,
  ),
  'the count of deleted contacts is one too many': changeMessage('deleteContactsByEmail', (count) => count + 1),
  'an existing conversation answers 201': changeStatus('createConversation', 201),
  'a list of conversations has each twice': changeReply('listConversationsOfContact', (reply) => ({
    ...reply,
    data: [reply.data ?? [], reply.data ?? []].flat(),
  })),
  'a history of three is in no order': changeHistory(([first = {}, ...others]) =>
    others.length > 1 ? [...others, first] : [first, ...others],
  ),
  'a send moves a contact to in-progress': changeData('sendLiveMessage', (message, { team }) => {
    const contact = team.shelf('contact').get(String(message.contactId))
    if (contact) team.shelf('contact').put({ ...contact, status: 'in-progress' })
    return message
  }),
  'a list of templates cuts their content': changeField('listTemplates', 'content', (content: string) =>
    content.slice(0, 10),
  ),
  'an updated template is read with its old name': changeField(
    'getTemplate',
    'name',
    (_, { _id }, { team }) => team.shelf('template').first(_id)?.name,
  ),
  'the third update of a company is refused': refuseWhen(
    'updateCompany',
    (_, given) => isSent(given) && updatesOf(given, 'company') >= 2,
  ),
  'a number of a company becomes a text': changeField('updateCompany', 'employeeCount', String),
  'an unknown quote is a bad request': answerUnknown('updateQuote', () => ({ status: 400, message: 'no such quote' })),
  'a deleted deal is still updated': keepDeleted('deal'),
  'the name in a conversation is turned round': changeField(
    ['findOrCreateConversation', 'getConversation'],
    'contactId',
    (contact: Fields) => ({ ...contact, name: String(contact.name).split(' ').toReversed().join(', ') }),
  ),
  'e-mails lack their subject in the history': changeHistory((messages) => messages.map(without('subject'))),
  'a limit of 3 lists 2': changeReply('listTemplates', (reply, { query }) =>
    query.get('limit') === '3' ? { ...reply, data: [reply.data ?? []].flat().slice(0, 2) } : reply,
  ),
  'custom fields vanish after the third update': changeField('updateContact', 'additionalFields', (fields, _, given) =>
    updatesOf(given, 'contact') >= 3 ? {} : fields,
  ),
  'a second e-mail opens a new conversation': perServer(() => {
    const written = new Set<unknown>()
    return changeField('sendEmailMessage', 'conversationId', (id: string, { contactId }) => {
      const isFirst = !written.has(contactId)
      written.add(contactId)
      return isFirst ? id : `${id.slice(0, -4)}eeee`
    })
  }),
  'the second page of a history is in the opposite order': changeHistory((messages, { query }) =>
    Number(query.get('page')) > 1 ? messages.toReversed() : messages,
  ),
  'a full last page promises another one': changePagination('listTemplates', (counts) => {
    const { totalResults, totalPages } = counts
    const isFull = totalResults > 0 && totalResults % (counts as unknown as { limit: number }).limit === 0
    return isFull ? { ...counts, totalPages: totalPages + 1 } : counts
  }),
  'false is not kept': changeField('updateQuote', 'acceptOnlinePayment', (value) =>
    value === false ? undefined : value,
  ),
  'a list in a custom field becomes a text': changeField(
    ['createContact', 'updateContact'],
    'additionalFields',
    (fields: Fields) => (fields.tags ? { ...fields, tags: (fields.tags as string[]).join(',') } : fields),
  ),
  'a conversation shows the name of before an update': perServer(() => {
    const names = new Map<unknown, unknown>()
    return changeField([...resolutions, 'getConversation', 'createConversation'], 'contactId', (contact: Fields) => {
      if (!names.has(contact._id)) names.set(contact._id, contact.name)
      return { ...contact, name: names.get(contact._id) }
    })
  }),
  'a filtered history counts all messages': changeReply('listMessages', (reply, { team, path }) => {
    const all = team.shelf('message').all()
    const total = all.filter(({ conversationId }) => conversationId === path[0]).length
    return { ...reply, pagination: { ...reply.pagination, total } }
  }),
  'the other team gets 401 for what it may not see': answerUnknown(Object.keys(operations) as OperationId[], (given) =>
    given.team.id === 'team-globex' ? { status: 401, message: 'Unauthorized' } : notFound(given),
  ),
  'a deal forgets its company when that is updated': changeData('updateCompany', (company, given) => {
    const deals = given.team.shelf('deal')
    // An empty update is the read before a delete; without its company, a deal then looks as with referencesAfterDelete.
    if (isSent(given))
      for (const deal of deals.all()) if (deal.companyId === company._id) deals.put({ ...deal, companyId: undefined })
    return company
  }),
  'an emptied text comes back as null': changeData(['updateContact', 'updateCompany', 'updateDeal'], (record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value === '' ? null : value])),
  ),
  'a long text is cut': changeField('sendLiveMessage', 'content', (content: string) => content.slice(0, 200)),
  'spaces around a name are cut': changeField(['createCompany', 'updateCompany'], 'name', (name: string) =>
    name.trim(),
  ),
  'an amount of 0 is lost': changeField(['createDeal', 'updateDeal'], 'amount', (amount) =>
    amount === 0 ? undefined : amount,
  ),
  'the history of a deleted contact is empty, not gone': answerUnknown('listMessages', (given) =>
    given.team.shelf('conversation').first(given.path[0] ?? '')
      ? { status: 200, message: 'none', ...emptyHistory }
      : notFound(given),
  ),
  'a quote has the name that its deal had at first': changeField('createQuote', 'name', (name, { dealId }, given) =>
    given.body.name === undefined ? given.team.shelf('deal').first(String(dealId))?.name : name,
  ),
  'a published quote can no longer be changed': refuseWhen(
    'updateQuote',
    (_, given) => recordAt(given, 'quote').status === 'published',
  ),
  'a template that was sent in bulk cannot be deleted': perServer(() => {
    const used = new Set<unknown>()
    return refuseWhen(['sendBulkMessages', 'deleteTemplate'], ({ templateId }, { path }) => {
      used.add(templateId)
      return path.some((id) => used.has(id))
    })
  }),
  'several contacts that are deleted by e-mail address count as one': changeMessage('deleteContactsByEmail', (count) =>
    Math.min(count, 1),
  ),
  'an e-mail address has one conversation for ever, even that of a deleted contact': perServer(() => {
    const conversations = new Map<string, unknown>()
    return changeData(resolutions, (conversation) => {
      const { email } = conversation.contactId as Fields
      const address = String(email ?? conversation._id).toLowerCase()
      if (!conversations.has(address)) conversations.set(address, conversation._id)
      return { ...conversation, _id: conversations.get(address) }
    })
  }),
  'a deletion answers with the contact as it was created': changeData('deleteContact', (contact, { team }) => ({
    ...contact,
    ...team.shelf('contact').first(String(contact._id)),
  })),
  'a contact that came with a conversation and a group has no groups': changeBody(
    'createContactWithConversation',
    without('groupId'),
  ),
  'a contact was updated before it was created': changeField(
    'updateContact',
    'updatedAt',
    (_, { createdAt }) => createdAt - 86_400_000,
  ),
  'a send moves the creation of its conversation': changeData(sends, (message, { team }) => {
    const conversation = team.shelf('conversation').get(String(message.conversationId))
    if (conversation) team.shelf('conversation').put({ ...conversation, createdAt: Date.now() })
    return message
  }),
  'a send in an unknown conversation is a server error': answerUnknown(sends, (given) =>
    (given.body as Fields).conversationId === undefined
      ? notFound(given)
      : { status: 500, message: 'Internal server error' },
  ),
  'the answer to an e-mail to several contacts names the last': changeField(
    'sendEmailMessage',
    'contactId',
    (id, _, { body: { recipientIds = [] } }) => (recipientIds as string[]).at(-1) ?? id,
  ),
  'a message that no send has named is incoming in the history': perServer(() => {
    const named = new Set<unknown>()
    const mark = (message: Fields) => (named.has(message._id) ? message : { ...message, direction: 'incoming' })
    return changeData([...sends, 'listMessages'], ({ messages, ...record }) => {
      if (messages !== undefined) return { ...record, messages: (messages as readonly Fields[]).map(mark) }
      named.add(record._id)
      return record
    })
  }),
  'a history filtered by SMS is empty': changeReply('listMessages', (reply, { query }) =>
    query.get('channel') === 'sms' ? { ...reply, ...emptyHistory } : reply,
  ),
  'a list of templates never has more': changePagination('listTemplates', (counts) => ({ ...counts, hasMore: false })),
  'a page of templates beyond the last has the number of the last': changePagination('listTemplates', (counts) => ({
    ...counts,
    currentPage: Math.min(counts.currentPage, Math.max(1, counts.totalPages)),
  })),
  'an updated SMS template is pending': changeField('updateTemplate', 'status', (status, { templateType }) =>
    templateType === 'sms' ? 'pending' : status,
  ),
  'a repeated answer has no data': changeAnswers(
    (answer, { headers: { 'idempotency-key': key, 'x-api-key': team } }) => {
      if (key === undefined || answer.status >= 300) return answer
      const isRepeated = keys.has(`${key} ${team}`)
      keys.add(`${key} ${team}`)
      return isRepeated ? { ...answer, text: JSON.stringify({ success: true, message: 'Done before' }) } : answer
    },
  ),
  'a company loses its custom fields in an update without them': changeField(
    'updateCompany',
    'additionalFields',
    (fields, _, { body }) => body.additionalFields && fields,
  ),
  'the second change of the stage of a deal is ignored': changeUpdate('deal', (deal, fields, team) => {
    const deals = team.shelf('deal')
    const isMoved = deal.stage !== deals.first(deal._id)?.stage
    return deals.put({ ...deal, ...fields, ...(isMoved && { stage: deal.stage }) })
  }),
  'the contact of a deal is a record instead of its id': changeField(
    ['createDeal', 'updateDeal'],
    'contactId',
    (id) => ({
      _id: id,
    }),
  ),
}
