import type { OperationId } from '../../../spec/types.ts'
import { after, data, type Deviant, isGood, refusal } from './deviant.ts'
import type { Json } from './go-between.ts'

/** Answers with what the record was, once it is deleted. */
const stays =
  (shown: OperationId, deleted: OperationId): Deviant =>
  () => {
    const last = new Map<string, Json>()
    const gone = new Set<string>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      if (isGood(exchanged) && answer.body.data?._id) last.set(answer.body.data._id, answer.body)
      if (operation === deleted && answer.status === 200) gone.add(id)
      if (operation !== shown || answer.status !== 404) return
      const before = last.get(id)
      if (before && (gone.has(id) || gone.has(before.data.contactId?._id)))
        Object.assign(answer, { status: 200, body: before })
    }
  }

const contactViews = ['createContact', 'updateContact', 'createOrUpdateContact'] as const

/** Servers that are wrong in one thing, which no choice of the register describes. */
export const deviants: Readonly<Record<string, Deviant>> = {
  'the second send has another status': () => {
    const sent = new Map<string, number>()
    return (exchanged) => {
      if (!/^send(Live|Email)?Message$/.test(exchanged.operation) || !isGood(exchanged)) return
      const message = exchanged.answer.body.data as Json
      sent.set(message.contactId, (sent.get(message.contactId) ?? 0) + 1)
      if ((sent.get(message.contactId) ?? 0) > 1) message.status = 'queued'
    }
  },
  'a field appears after an update': data(['updateContact'], (contact, { sent }) => {
    if (Object.keys(sent).length > 0) contact.revision = 2
  }),
  'a list of templates drops its 11th record': data(['listTemplates'], (list) => list.splice(10, 1)),
  'the total of a history is one too many': () => (exchanged) => {
    if (exchanged.operation === 'listMessages' && isGood(exchanged) && exchanged.answer.body.pagination.total > 1)
      exchanged.answer.body.pagination.total++
  },
  'an update of the first name clears the source': after(
    ({ operation, id, sent }) => (operation === 'updateContact' && sent.firstName ? id : undefined),
    (contact) => delete contact.source,
  ),
  'a deleted contact leaves its conversations': stays('getConversation', 'deleteContact'),
  'a deleted contact has an empty list of conversations': () => {
    const gone = new Set<string>()
    return ({ operation, id, answer }) => {
      if (operation === 'deleteContact' && answer.status === 200) gone.add(id)
      if (operation === 'listConversationsOfContact' && gone.has(id))
        Object.assign(answer, { status: 200, body: { success: true, message: 'none', data: [{}] } })
    }
  },
  'the second page repeats the first': () => {
    let first: Json | undefined
    return (exchanged) => {
      if (exchanged.operation !== 'listTemplates' || !isGood(exchanged)) return
      if (exchanged.query.get('page') === '1') first = exchanged.answer.body.data
      else if (first && exchanged.answer.body.data.length > 0) exchanged.answer.body.data = first
    }
  },
  'there is always more': () => (exchanged) => {
    if (exchanged.operation === 'listMessages' && exchanged.answer.body.pagination?.total > 0)
      exchanged.answer.body.pagination.hasMore = true
  },
  'an update of a product ignores the cost': () => {
    const costs = new Map<string, number>()
    return (exchanged) => {
      const { operation, answer } = exchanged
      if (!isGood(exchanged) || !operation.endsWith('Product') || !answer.body.data?._id) return
      const product = answer.body.data as Json
      if (operation === 'createProduct') costs.set(product._id, product.unitCost)
      else if (costs.has(product._id)) product.unitCost = costs.get(product._id)
    }
  },
  'the phone of a company gets another name': data(['createCompany', 'updateCompany'], (company) => {
    if (company.phone) [company.phoneNumber, company.phone] = [company.phone, undefined]
  }),
  'an update of a deal rounds the amount': data(['updateDeal'], (deal) => (deal.amount = Math.round(deal.amount))),
  'a published quote is a draft': data(['updateQuote'], (quote) => {
    if (quote.status === 'published') quote.status = 'draft'
  }),
  'an update of a contact moves its creation': data(['updateContact'], (contact) => {
    contact.createdAt = contact.updatedAt
  }),
  'an update of a contact does not move its updatedAt': data(['updateContact'], (contact) => {
    contact.updatedAt = contact.createdAt
  }),
  'a conversation has another id when read': data(['getConversation'], (conversation) => {
    conversation._id = `${String(conversation._id).slice(0, -4)}ffff`
  }),
  'an upsert that creates answers 201': () => (exchanged) => {
    const { operation, answer } = exchanged
    if (operation === 'createOrUpdateContact' && /creat/i.test(answer.body.message)) answer.status = 201
  },
  'the count of deleted contacts is one too many': () => (exchanged) => {
    const { operation, answer } = exchanged
    if (operation === 'deleteContactsByEmail' && isGood(exchanged))
      answer.body.message = String(answer.body.message).replace(/\d+/, (count) => String(Number(count) + 1))
  },
  'an existing conversation answers 201': () => (exchanged) => {
    if (exchanged.operation === 'createConversation' && isGood(exchanged)) exchanged.answer.status = 201
  },
  'a list of conversations has each twice': data(['listConversationsOfContact'], (list) =>
    list.push(...(list as Json[])),
  ),
  'the subject of an e-mail is in lower case': data(['sendEmailMessage'], (message) => {
    message.subject = String(message.subject).replace('Your', 'your')
  }),
  'a history of three is in no order': data(['listMessages'], (days) => {
    for (const day of days as Json[]) if (day.messages.length > 2) day.messages.push(day.messages.shift())
  }),
  'a custom field of 0 is lost': data(contactViews, (contact) => {
    if (contact.additionalFields?.pigeons === 0) delete contact.additionalFields.pigeons
  }),
  'a send moves a contact to in-progress': after(
    ({ operation, answer }) => (operation === 'sendLiveMessage' ? answer.body.data.contactId : undefined),
    (contact) => contact.status && (contact.status = 'in-progress'),
  ),
  'a send empties the groups of a contact': after(
    ({ operation, answer }) => (/^send.*Message$/.test(operation) ? answer.body.data?.contactId : undefined),
    (contact) => contact.groupIds && (contact.groupIds = ['group-of-senders']),
  ),
  'a list of templates cuts their content': data(['listTemplates'], (list) => {
    for (const template of list as Json[]) template.content = String(template.content).slice(0, 10)
  }),
  'an update of a template resets its language': data(['updateTemplate'], (template) => {
    if (template.language) template.language = 'en_GB'
  }),
  'an updated template is read with its old name': () => {
    const names = new Map<string, string>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      if (operation === 'createTemplate' && isGood(exchanged)) names.set(answer.body.data._id, answer.body.data.name)
      if (operation === 'getTemplate' && isGood(exchanged) && names.has(id)) answer.body.data.name = names.get(id)
    }
  },
  'a deleted template is still read': stays('getTemplate', 'deleteTemplate'),
  'the third update of a company is refused': () => {
    const updates = new Map<string, number>()
    return (exchanged) => {
      const { operation, id } = exchanged
      if (operation !== 'updateCompany' || !isGood(exchanged)) return
      updates.set(id, (updates.get(id) ?? 0) + 1)
      if ((updates.get(id) ?? 0) >= 3) Object.assign(exchanged.answer, refusal(400, 'too many updates'))
    }
  },
  'a quote without a name is untitled': data(['createQuote'], (quote, { sent }) => {
    if (sent.name === undefined) quote.name = 'Untitled'
  }),
  'a number of a company becomes a text': data(['updateCompany'], (company) => {
    if (company.employeeCount !== undefined) company.employeeCount = String(company.employeeCount)
  }),
  'messages of a bulk send are queued in the history': () => {
    const inBulk = new Set<string>()
    return (exchanged) => {
      const { operation, sent, answer } = exchanged
      if (operation === 'sendBulkMessages') inBulk.add(sent.content as string)
      if (operation !== 'listMessages' || !isGood(exchanged)) return
      for (const day of answer.body.data as Json[])
        for (const message of day.messages) if (inBulk.has(message.content as string)) message.status = 'queued'
    }
  },
  'an unknown quote is a bad request':
    () =>
    ({ operation, answer }) => {
      if (operation === 'updateQuote' && answer.status === 404) Object.assign(answer, refusal(400, 'no such quote'))
    },
  'an empty update of a product is refused':
    () =>
    ({ operation, sent, answer }) => {
      if (operation === 'updateProduct' && answer.status === 200 && Object.keys(sent).length === 0)
        Object.assign(answer, refusal(400, 'nothing to update'))
    },
  'a deleted deal is still updated': stays('updateDeal', 'deleteDeal'),
  'a phone number loses its plus': data(contactViews, (contact) => {
    if (contact.phone) contact.phone = String(contact.phone).slice(1)
  }),
  'the name in a conversation is turned round': data(
    ['findOrCreateConversation', 'getConversation'],
    ({ contactId }) => {
      contactId.name = String(contactId.name).split(' ').toReversed().join(', ')
    },
  ),
  'an update of the amount clears the date of a deal': after(
    ({ operation, id, sent }) => (operation === 'updateDeal' && sent.amount ? id : undefined),
    (deal) => delete deal.closeDate,
  ),
  'e-mails lack their subject in the history': data(['listMessages'], (days) => {
    for (const day of days as Json[]) for (const message of day.messages) delete message.subject
  }),
  'a status of a contact comes back in capitals': data(contactViews, (contact) => {
    if (contact.status === 'closed') contact.status = 'CLOSED'
  }),
  'a limit of 3 lists 2': data(['listTemplates'], (list, { query }) => {
    if (query.get('limit') === '3') list.length = Math.min(list.length, 2)
  }),
}
