import { after, data, type Deviant, isGood, refusal } from './deviant.ts'
import type { Json } from './go-between.ts'

const lowerCase = (text: unknown) => String(text).toLowerCase()

/** Servers with one mistake, written from the specification alone, without knowledge of the random requests. */
export const strangeDeviants: Readonly<Record<string, Deviant>> = {
  'an accepted quote wins its deal': after(
    ({ operation, sent, answer }) =>
      operation === 'updateQuote' && sent.status === 'accepted' ? answer.body.data.dealId : undefined,
    (deal) => (deal.stage = 'won'),
  ),
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
  'a second quote of a deal is refused': () => {
    const quotes = new Map<string, string>()
    return (exchanged) => {
      const { operation, sent, answer } = exchanged
      if (operation !== 'createQuote' || !isGood(exchanged)) return
      const first = quotes.get(sent.dealId) ?? answer.body.data._id
      quotes.set(sent.dealId, first)
      if (answer.body.data._id !== first) Object.assign(answer, refusal(400, 'the deal has a quote'))
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
  'the uniqueName of a deleted template stays taken': () => {
    const names = new Map<string, string>()
    const taken = new Set<string>()
    return (exchanged) => {
      const { operation, id, sent, answer } = exchanged
      const name = names.get(id)
      if (operation === 'deleteTemplate' && answer.status === 200 && name !== undefined) taken.add(name)
      if (operation !== 'createTemplate' || !isGood(exchanged) || sent.uniqueName === undefined) return
      names.set(answer.body.data._id, sent.uniqueName)
      if (taken.has(sent.uniqueName)) Object.assign(answer, refusal(400, 'the uniqueName is taken'))
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
  'a deletion by e-mail address leaves the conversation': () => {
    const last = new Map<string, Json>()
    const gone = new Set<string>()
    return (exchanged) => {
      const { operation, id, query, asOther, answer } = exchanged
      if (isGood(exchanged) && answer.body.data?.contactId?._id) last.set(answer.body.data._id, answer.body)
      if (operation === 'deleteContactsByEmail' && answer.status === 200) gone.add(lowerCase(query.get('email')))
      const before = last.get(id)
      if (operation !== 'getConversation' || answer.status !== 404 || !before || asOther) return
      if (gone.has(lowerCase(before.data.contactId.email))) Object.assign(answer, { status: 200, body: before })
    }
  },
  'several contacts that are deleted by e-mail address count as one': () => (exchanged) => {
    const { operation, answer } = exchanged
    if (operation === 'deleteContactsByEmail' && isGood(exchanged))
      answer.body.message = String(answer.body.message).replace(/\d+/, (count) => String(Math.min(Number(count), 1)))
  },
  'an upsert answers with the id of a deleted contact': () => {
    const gone = new Map<string, string>()
    return (exchanged) => {
      const { operation, id, sent, answer } = exchanged
      if (!isGood(exchanged)) return
      if (operation === 'deleteContact' && answer.body.data?.email) gone.set(lowerCase(answer.body.data.email), id)
      if (operation === 'createOrUpdateContact' && sent.email)
        answer.body.data._id = gone.get(lowerCase(sent.email)) ?? answer.body.data._id
    }
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
  'an upsert does not find a contact by an address from an update': () => {
    const updated = new Set<string>()
    return (exchanged) => {
      const { operation, sent, answer } = exchanged
      if (!isGood(exchanged) || !sent.email) return
      if (operation === 'updateContact') updated.add(lowerCase(sent.email))
      if (operation === 'createOrUpdateContact' && updated.has(lowerCase(sent.email)))
        answer.body.data._id = `${String(answer.body.data._id).slice(0, -4)}dddd`
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
  'a closed contact opens again with the next update': () => {
    const closed = new Set<string>()
    return (exchanged) => {
      const { operation, sent, answer } = exchanged
      if (!/^(create|update)Contact$/.test(operation) || !isGood(exchanged)) return
      const contact = answer.body.data as Json
      if (closed.has(contact._id) && sent.status === undefined) contact.status = 'open'
      if (contact.status === 'closed') closed.add(contact._id)
    }
  },
  'a contact that came with a conversation and a group has no groups': after(
    ({ operation, sent, answer }) =>
      operation === 'createContactWithConversation' && sent.groupId ? answer.body.data.contactId._id : undefined,
    (contact) => (contact.groupIds = []),
  ),
  'a contact without a phone number has null for one': data(['createContact', 'updateContact'], (contact) => {
    contact.phone ??= null
  }),
  'a contact was updated before it was created': data(['updateContact'], (contact) => {
    contact.updatedAt = new Date(Date.parse(contact.createdAt) - 86_400_000).toISOString()
  }),
  'an unknown contact is a success in its envelope':
    () =>
    ({ operation, answer }) => {
      if (operation === 'updateContact' && answer.status === 404) answer.body.success = true
    },
  'a send moves the creation of its conversation': () => {
    const sends = new Map<string, string>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      if (!isGood(exchanged)) return
      if (/^send.*Message$/.test(operation)) sends.set(answer.body.data.conversationId, answer.body.data.createdAt)
      if (operation === 'getConversation') answer.body.data.createdAt = sends.get(id) ?? answer.body.data.createdAt
    }
  },
  'a send in a conversation does not name its contact': data(
    ['sendLiveMessage', 'sendEmailMessage', 'sendMessage'],
    (message, { sent }) => {
      if (sent.conversationId) delete message.contactId
    },
  ),
  'a send in an unknown conversation is a server error':
    () =>
    ({ operation, sent, answer }) => {
      if (operation.startsWith('send') && sent.conversationId && answer.status === 404)
        Object.assign(answer, refusal(500, 'Internal server error'))
    },
  'recipientId is not known as an alias': () => (exchanged) => {
    const { operation, sent, answer } = exchanged
    if (!/^send(Live)?Message$/.test(operation) || !isGood(exchanged)) return
    if (sent.recipientId && !sent.contactId && !sent.to && !sent.conversationId)
      Object.assign(answer, refusal(400, 'a recipient id is required'))
  },
  'the answer to an e-mail to several contacts names the last': data(['sendEmailMessage'], (message, { sent }) => {
    if (sent.recipientIds?.length > 1) message.contactId = sent.recipientIds.at(-1)
  }),
  'the subject of a reply begins with Re': data(['sendEmailMessage'], (message, { sent }) => {
    if (sent.replyToMessageId) message.subject = `Re: ${message.subject}`
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
  'the first two messages of a day exchange their ids': data(['listMessages'], (days) => {
    for (const { messages } of days as Json[])
      if (messages.length > 1) [messages[0]._id, messages[1]._id] = [messages[1]._id, messages[0]._id]
  }),
  'a history filtered by SMS is empty': data(['listMessages'], (_, { query, answer }) => {
    if (query.get('channel') !== 'sms') return
    answer.body.data = []
    Object.assign(answer.body.pagination, { total: 0, totalPages: 0, hasMore: false })
  }),
  'the pages of a history are counted from 0': data(['listMessages'], (_, { answer }) => {
    answer.body.pagination.currentPage--
  }),
  'a list of templates never has more': data(['listTemplates'], (_, { answer }) => {
    answer.body.pagination.hasMore = false
  }),
  'a list of two types of templates has only the first': data(['listTemplates'], (list, { query, answer }) => {
    const [first, second] = query.getAll('types').flatMap((types) => types.split(','))
    if (second !== undefined) answer.body.data = (list as Json[]).filter(({ templateType }) => templateType === first)
  }),
  'a page of templates beyond the last has the number of the last': data(['listTemplates'], (_, { answer }) => {
    const { pagination } = answer.body
    pagination.currentPage = Math.min(pagination.currentPage, Math.max(1, pagination.totalPages))
  }),
  'a template has one more field when it is read again': () => {
    const read = new Set<string>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      if (operation !== 'getTemplate' || !isGood(exchanged)) return
      if (read.has(id)) answer.body.data.seen = true
      read.add(id)
    }
  },
  'an updated SMS template is pending': data(['updateTemplate'], (template) => {
    if (template.templateType === 'sms') template.status = 'pending'
  }),
  'the other team reads the templates of the first': () => {
    const last = new Map<string, Json>()
    return (exchanged) => {
      const { operation, id, asOther, answer } = exchanged
      if (operation === 'createTemplate' && isGood(exchanged) && !asOther) last.set(answer.body.data._id, answer.body)
      if (operation === 'getTemplate' && asOther && answer.status === 404 && last.has(id))
        Object.assign(answer, { status: 200, body: last.get(id) })
    }
  },
  'a repeated answer has no data': () => {
    const keys = new Set<string>()
    return (exchanged) => {
      const { key, asOther, answer } = exchanged
      if (key === undefined || !isGood(exchanged)) return
      if (keys.has(`${key} ${asOther}`)) delete answer.body.data
      keys.add(`${key} ${asOther}`)
    }
  },
  'a repeated update answers with what the record is now': () => {
    const now = new Map<string, Json>()
    const keys = new Set<string>()
    return (exchanged) => {
      const { operation, id, key, answer } = exchanged
      if (!operation.startsWith('update') || !isGood(exchanged) || !answer.body.data) return
      if (key !== undefined && keys.has(key)) answer.body.data = now.get(id) ?? answer.body.data
      now.set(id, answer.body.data)
      if (key !== undefined) keys.add(key)
    }
  },
  'a company loses its custom fields in an update without them': data(['updateCompany'], (company, { sent }) => {
    if (sent.additionalFields === undefined) delete company.additionalFields
  }),
  'a deal without a currency is in dollars': data(['createDeal', 'updateDeal'], (deal) => {
    deal.currency ??= 'USD'
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
  'the date of a deal gets a time of day': data(['createDeal', 'updateDeal'], (deal) => {
    if (/^\d{4}-\d\d-\d\d$/.test(deal.closeDate)) deal.closeDate = `${deal.closeDate}T00:00:00.000Z`
  }),
  'the contact of a deal is a record instead of its id': data(['createDeal', 'updateDeal'], (deal) => {
    if (typeof deal.contactId === 'string') deal.contactId = { _id: deal.contactId }
  }),
}
