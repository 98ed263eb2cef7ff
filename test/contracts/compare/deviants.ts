import type { OperationId } from '../../../spec/types.ts'
import { after, data, type Deviant, isGood, type Json, refusal } from './go-between.ts'

const lowerCase = (text: unknown) => String(text).toLowerCase()

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

/** Servers that are wrong in one thing, which no choice of the register describes. */
export const deviants: Readonly<Record<string, Deviant>> = {
  'a field appears after an update': data(['updateContact'], (contact, { sent }) => {
    if (Object.keys(sent).length > 0) contact.revision = 2
  }),
  'the total of a history is one too many': () => (exchanged) => {
    if (exchanged.operation === 'listMessages' && isGood(exchanged) && exchanged.answer.body.pagination.total > 1)
      exchanged.answer.body.pagination.total++
  },
  'a deleted contact leaves its conversations': stays('getConversation', 'deleteContact'),
  'the second page repeats the first': () => {
    let first: Json | undefined
    return (exchanged) => {
      if (exchanged.operation !== 'listTemplates' || !isGood(exchanged)) return
      if (exchanged.query.get('page') === '1') first = exchanged.answer.body.data
      else if (first && exchanged.answer.body.data.length > 0) exchanged.answer.body.data = first
    }
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
  'an update of a deal rounds the amount': data(['updateDeal'], (deal) => (deal.amount = Math.round(deal.amount))),
  'an update of a contact moves its creation': data(['updateContact'], (contact) => {
    contact.createdAt = contact.updatedAt
  }),
  'a conversation has another id when read': data(['getConversation'], (conversation) => {
    conversation._id = `${String(conversation._id).slice(0, -4)}ffff`
  }),
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
  'a history of three is in no order': data(['listMessages'], (days) => {
    for (const day of days as Json[]) if (day.messages.length > 2) day.messages.push(day.messages.shift())
  }),
  'a send moves a contact to in-progress': after(
    ({ operation, answer }) => (operation === 'sendLiveMessage' ? answer.body.data.contactId : undefined),
    (contact) => contact.status && (contact.status = 'in-progress'),
  ),
  'a list of templates cuts their content': data(['listTemplates'], (list) => {
    for (const template of list as Json[]) template.content = String(template.content).slice(0, 10)
  }),
  'an updated template is read with its old name': () => {
    const names = new Map<string, string>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      if (operation === 'createTemplate' && isGood(exchanged)) names.set(answer.body.data._id, answer.body.data.name)
      if (operation === 'getTemplate' && isGood(exchanged) && names.has(id)) answer.body.data.name = names.get(id)
    }
  },
  'the third update of a company is refused': () => {
    const updates = new Map<string, number>()
    return (exchanged) => {
      const { operation, id } = exchanged
      if (operation !== 'updateCompany' || !isGood(exchanged)) return
      updates.set(id, (updates.get(id) ?? 0) + 1)
      if ((updates.get(id) ?? 0) >= 3) Object.assign(exchanged.answer, refusal(400, 'too many updates'))
    }
  },
  'a number of a company becomes a text': data(['updateCompany'], (company) => {
    if (company.employeeCount !== undefined) company.employeeCount = String(company.employeeCount)
  }),
  'an unknown quote is a bad request':
    () =>
    ({ operation, answer }) => {
      if (operation === 'updateQuote' && answer.status === 404) Object.assign(answer, refusal(400, 'no such quote'))
    },
  'a deleted deal is still updated': stays('updateDeal', 'deleteDeal'),
  'the name in a conversation is turned round': data(
    ['findOrCreateConversation', 'getConversation'],
    ({ contactId }) => {
      contactId.name = String(contactId.name).split(' ').toReversed().join(', ')
    },
  ),
  'e-mails lack their subject in the history': data(['listMessages'], (days) => {
    for (const day of days as Json[]) for (const message of day.messages) delete message.subject
  }),
  'a limit of 3 lists 2': data(['listTemplates'], (list, { query }) => {
    if (query.get('limit') === '3') list.length = Math.min(list.length, 2)
  }),
  'custom fields vanish after the third update': () => {
    const updates = new Map<string, number>()
    return (exchanged) => {
      const { operation, id, sent, answer } = exchanged
      if (operation !== 'updateContact' || !isGood(exchanged)) return
      if (Object.keys(sent).length > 0) updates.set(id, (updates.get(id) ?? 0) + 1)
      if ((updates.get(id) ?? 0) >= 3) answer.body.data.additionalFields = {}
    }
  },
  'a second e-mail opens a new conversation': () => {
    const sent = new Map<string, number>()
    return (exchanged) => {
      if (exchanged.operation !== 'sendEmailMessage' || !isGood(exchanged)) return
      const message = exchanged.answer.body.data as Json
      sent.set(message.contactId, (sent.get(message.contactId) ?? 0) + 1)
      if ((sent.get(message.contactId) ?? 0) > 1)
        message.conversationId = `${String(message.conversationId).slice(0, -4)}eeee`
    }
  },
  'the second page of a history is in the opposite order': data(['listMessages'], (days, { query }) => {
    if (Number(query.get('page')) > 1) for (const day of days as Json[]) (day.messages as Json[]).reverse()
  }),
  'a full last page promises another one': () => (exchanged) => {
    const { operation, answer, query } = exchanged
    if (operation !== 'listTemplates' || !isGood(exchanged)) return
    const { totalResults } = answer.body.pagination as Json
    if (totalResults > 0 && totalResults % Number(query.get('limit')) === 0) answer.body.pagination.totalPages++
  },
  'false is not kept': data(['updateQuote'], (quote) => {
    if (quote.acceptOnlinePayment === false) delete quote.acceptOnlinePayment
  }),
  'a list in a custom field becomes a text': data(['createContact', 'updateContact'], (contact) => {
    if (contact.additionalFields?.tags) contact.additionalFields.tags = String(contact.additionalFields.tags)
  }),
  'a conversation shows the name of before an update': () => {
    const names = new Map<string, string>()
    return (exchanged) => {
      const contact = exchanged.answer.body.data?.contactId as Json | undefined
      if (!isGood(exchanged) || typeof contact?.name !== 'string') return
      const before = names.get(contact._id) ?? contact.name
      names.set(contact._id, before)
      contact.name = before
    }
  },
  'a filtered history counts all messages': () => {
    const totals = new Map<string, number>()
    return (exchanged) => {
      const { operation, id, query, answer } = exchanged
      if (operation !== 'listMessages' || !isGood(exchanged)) return
      const { pagination } = answer.body
      if (query.get('channel') === null) totals.set(id, pagination.total)
      else pagination.total = Math.max(pagination.total, totals.get(id) ?? 0)
    }
  },
  'the other team gets 401 for what it may not see': () => (exchanged) => {
    const { asOther, answer } = exchanged
    if (asOther && answer.status === 404) Object.assign(answer, refusal(401, 'Unauthorized'))
  },
  'a deal forgets its company when that is updated': () => {
    const updated = new Set<string>()
    return (exchanged) => {
      const { operation, id, sent, answer } = exchanged
      // An empty update is the read before a delete; without its company, a deal then looks as with referencesAfterDelete.
      if (operation === 'updateCompany' && isGood(exchanged) && Object.keys(sent).length > 0) updated.add(id)
      if (operation === 'updateDeal' && isGood(exchanged) && updated.has(answer.body.data?.companyId))
        delete answer.body.data.companyId
    }
  },
  'an emptied text comes back as null': data(['updateContact', 'updateCompany', 'updateDeal'], (record) => {
    for (const [name, value] of Object.entries(record)) if (value === '') record[name] = null
  }),
  'a long text is cut': data(['sendLiveMessage'], (message) => {
    message.content = String(message.content).slice(0, 200)
  }),
  'spaces around a name are cut': data(['createCompany', 'updateCompany'], (company) => {
    if (company.name) company.name = String(company.name).trim()
  }),
  'an amount of 0 is lost': data(['createDeal', 'updateDeal'], (deal) => {
    if (deal.amount === 0) delete deal.amount
  }),
  'the history of a deleted contact is empty, not gone': () => {
    const conversations = new Map<string, string>()
    const gone = new Set<string>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      const told = answer.body.data as Json | undefined
      if (isGood(exchanged) && told?.contactId?._id) conversations.set(told._id, told.contactId._id)
      if (operation === 'deleteContact' && answer.status === 200) gone.add(id)
      if (operation === 'listMessages' && answer.status === 404 && gone.has(conversations.get(id) ?? ''))
        Object.assign(answer, {
          status: 200,
          body: {
            success: true,
            message: 'none',
            data: [],
            pagination: { total: 0, currentPage: 1, totalPages: 0, hasMore: false },
          },
        })
    }
  },
  'a quote has the name that its deal had at first': () => {
    const names = new Map<string, string>()
    return (exchanged) => {
      const { operation, sent, answer } = exchanged
      if (!isGood(exchanged)) return
      if (operation === 'createDeal') names.set(answer.body.data._id, answer.body.data.name)
      if (operation === 'createQuote' && sent.name === undefined)
        answer.body.data.name = names.get(sent.dealId) ?? answer.body.data.name
    }
  },
  'a published quote can no longer be changed': () => {
    const published = new Set<string>()
    return (exchanged) => {
      const { operation, id, sent, answer } = exchanged
      if (operation !== 'updateQuote' || !isGood(exchanged)) return
      if (published.has(id)) Object.assign(answer, refusal(400, 'the quote is published'))
      else if (sent.status === 'published') published.add(id)
    }
  },
  'a template that was sent in bulk cannot be deleted': () => {
    const used = new Set<string>()
    return (exchanged) => {
      const { operation, id, sent, answer } = exchanged
      if (operation === 'sendBulkMessages' && isGood(exchanged) && sent.templateId) used.add(sent.templateId)
      if (operation === 'deleteTemplate' && answer.status === 200 && used.has(id))
        Object.assign(answer, refusal(400, 'the template is in use'))
    }
  },
  'several contacts that are deleted by e-mail address count as one': () => (exchanged) => {
    const { operation, answer } = exchanged
    if (operation === 'deleteContactsByEmail' && isGood(exchanged))
      answer.body.message = String(answer.body.message).replace(/\d+/, (count) => String(Math.min(Number(count), 1)))
  },
  'an e-mail address has one conversation for ever, even that of a deleted contact': () => {
    const conversations = new Map<string, string>()
    return (exchanged) => {
      const { operation, answer } = exchanged
      if (!/^(findOrCreateConversation|createContactWithConversation)$/.test(operation) || !isGood(exchanged)) return
      const conversation = answer.body.data as Json
      const address = lowerCase(conversation.contactId.email ?? conversation._id)
      conversation._id = conversations.get(address) ?? conversation._id
      conversations.set(address, conversation._id)
    }
  },
  'a deletion answers with the contact as it was created': () => {
    const created = new Map<string, Json>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      if (operation === 'createContact' && isGood(exchanged)) created.set(answer.body.data._id, answer.body.data)
      if (operation === 'deleteContact' && isGood(exchanged)) answer.body.data = created.get(id) ?? answer.body.data
    }
  },
  'a contact that came with a conversation and a group has no groups': after(
    ({ operation, sent, answer }) =>
      operation === 'createContactWithConversation' && sent.groupId ? answer.body.data.contactId._id : undefined,
    (contact) => (contact.groupIds = []),
  ),
  'a contact was updated before it was created': data(['updateContact'], (contact) => {
    contact.updatedAt = new Date(Date.parse(contact.createdAt) - 86_400_000).toISOString()
  }),
  'a send moves the creation of its conversation': () => {
    const sends = new Map<string, string>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      if (!isGood(exchanged)) return
      if (/^send.*Message$/.test(operation)) sends.set(answer.body.data.conversationId, answer.body.data.createdAt)
      if (operation === 'getConversation') answer.body.data.createdAt = sends.get(id) ?? answer.body.data.createdAt
    }
  },
  'a send in an unknown conversation is a server error':
    () =>
    ({ operation, sent, answer }) => {
      if (operation.startsWith('send') && sent.conversationId && answer.status === 404)
        Object.assign(answer, refusal(500, 'Internal server error'))
    },
  'the answer to an e-mail to several contacts names the last': data(['sendEmailMessage'], (message, { sent }) => {
    if (sent.recipientIds?.length > 1) message.contactId = sent.recipientIds.at(-1)
  }),
  'a message that no send has named is incoming in the history': () => {
    const named = new Set<string>()
    return (exchanged) => {
      const { operation, answer } = exchanged
      if (!isGood(exchanged)) return
      if (/^send.*Message$/.test(operation)) named.add(answer.body.data._id)
      if (operation !== 'listMessages') return
      for (const day of answer.body.data as Json[])
        for (const message of day.messages) if (!named.has(message._id)) message.direction = 'incoming'
    }
  },
  'a history filtered by SMS is empty': data(['listMessages'], (_, { query, answer }) => {
    if (query.get('channel') !== 'sms') return
    answer.body.data = []
    Object.assign(answer.body.pagination, { total: 0, totalPages: 0, hasMore: false })
  }),
  'a list of templates never has more': data(['listTemplates'], (_, { answer }) => {
    answer.body.pagination.hasMore = false
  }),
  'a page of templates beyond the last has the number of the last': data(['listTemplates'], (_, { answer }) => {
    const { pagination } = answer.body
    pagination.currentPage = Math.min(pagination.currentPage, Math.max(1, pagination.totalPages))
  }),
  'an updated SMS template is pending': data(['updateTemplate'], (template) => {
    if (template.templateType === 'sms') template.status = 'pending'
  }),
  'a repeated answer has no data': () => {
    const keys = new Set<string>()
    return (exchanged) => {
      const { key, asOther, answer } = exchanged
      if (key === undefined || !isGood(exchanged)) return
      if (keys.has(`${key} ${asOther}`)) delete answer.body.data
      keys.add(`${key} ${asOther}`)
    }
  },
  'a company loses its custom fields in an update without them': data(['updateCompany'], (company, { sent }) => {
    if (sent.additionalFields === undefined) delete company.additionalFields
  }),
  'the second change of the stage of a deal is ignored': () => {
    const stages = new Map<string, string>()
    return (exchanged) => {
      const { operation, id, sent, answer } = exchanged
      if (operation !== 'updateDeal' || !isGood(exchanged) || !answer.body.data) return
      const stage = stages.get(id)
      if (stage !== undefined) answer.body.data.stage = stage
      else if (sent.stage !== undefined) stages.set(id, sent.stage)
    }
  },
  'the contact of a deal is a record instead of its id': data(['createDeal', 'updateDeal'], (deal) => {
    if (typeof deal.contactId === 'string') deal.contactId = { _id: deal.contactId }
  }),
}
