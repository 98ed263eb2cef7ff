import { after, data, type Deviant, isGood, refusal } from './deviant.ts'
import type { Json } from './go-between.ts'

/** More servers that are wrong in one thing. The random requests were not made for them. */
export const moreDeviants: Readonly<Record<string, Deviant>> = {
  'a price has one decimal': data(['createProduct', 'updateProduct'], (product) => {
    if (product.unitPrice !== undefined) product.unitPrice = Math.round(product.unitPrice * 10) / 10
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
  'an upsert keeps the last name of a known contact': () => {
    const names = new Map<string, string>()
    return (exchanged) => {
      const told = exchanged.answer.body.data as Json | undefined
      if (!isGood(exchanged) || typeof told?.lastName !== 'string') return
      const known = names.get(told._id)
      if (exchanged.operation === 'createOrUpdateContact' && known !== undefined) told.lastName = known
      else names.set(told._id, told.lastName)
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
  'a create that is repeated with its key answers 200': () => {
    const keys = new Set<string>()
    return (exchanged) => {
      const { key, answer } = exchanged
      if (key === undefined || !isGood(exchanged)) return
      if (keys.has(key) && answer.status === 201) answer.status = 200
      keys.add(key)
    }
  },
  'the second page of a history is in the opposite order': data(['listMessages'], (days, { query }) => {
    if (Number(query.get('page')) > 1) for (const day of days as Json[]) (day.messages as Json[]).reverse()
  }),
  'the total of templates counts deleted ones': () => {
    let deleted = 0
    return (exchanged) => {
      const { operation, answer } = exchanged
      if (operation === 'deleteTemplate' && answer.status === 200) deleted++
      if (operation === 'listTemplates' && isGood(exchanged)) {
        const { pagination } = answer.body as { pagination: Record<string, number> }
        pagination.totalResults = (pagination.totalResults ?? 0) + deleted
      }
    }
  },
  'a full last page promises another one': () => (exchanged) => {
    const { operation, answer, query } = exchanged
    if (operation !== 'listTemplates' || !isGood(exchanged)) return
    const { totalResults } = answer.body.pagination as Json
    if (totalResults > 0 && totalResults % Number(query.get('limit')) === 0) answer.body.pagination.totalPages++
  },
  'groups are added to those that a contact has': () => {
    const groups = new Map<string, Set<string>>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      if (operation !== 'updateContact' || !isGood(exchanged)) return
      const known = groups.get(id) ?? new Set()
      groups.set(id, known)
      for (const group of (answer.body.data.groupIds ?? []) as string[]) known.add(group)
      if (known.size > 0) answer.body.data.groupIds = [...known]
    }
  },
  'false is not kept': data(['updateQuote'], (quote) => {
    if (quote.acceptOnlinePayment === false) delete quote.acceptOnlinePayment
  }),
  'an accepted quote loses its expiry': after(
    ({ operation, id, sent }) => (operation === 'updateQuote' && sent.status === 'accepted' ? id : undefined),
    (quote) => delete quote.expirationDate,
  ),
  'a list in a custom field becomes a text': data(['createContact', 'updateContact'], (contact) => {
    if (contact.additionalFields?.tags) contact.additionalFields.tags = String(contact.additionalFields.tags)
  }),
  'an upsert sets the stage back': () => {
    const known = new Set<string>()
    return (exchanged) => {
      const contact = exchanged.answer.body.data as Json | undefined
      if (!isGood(exchanged) || contact?._id === undefined) return
      if (exchanged.operation === 'createOrUpdateContact' && known.has(contact._id)) contact.lifecycleStage = 'Lead'
      known.add(contact._id)
    }
  },
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
  'the third address of a bulk send gets nothing': () => {
    const left = new Set<string>()
    return ({ operation, sent, answer }) => {
      if (operation === 'sendBulkMessages') left.add(`${String(sent.to).split(',')[2] ?? ''} ${String(sent.content)}`)
      if (operation !== 'listMessages' || !answer.body.data) return
      for (const day of answer.body.data as Json[])
        day.messages = (day.messages as Json[]).filter(
          ({ content }) => ![...left].some((one) => one.length > 5 && !one.startsWith(' ') && one.endsWith(content)),
        )
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
  'only the first of two groups is kept': data(['updateContact'], (contact) => {
    if (contact.groupIds?.length > 1) contact.groupIds.length = 1
  }),
  'the other team gets 401 for what it may not see': () => (exchanged) => {
    const { asOther, answer } = exchanged
    if (asOther && answer.status === 404) Object.assign(answer, refusal(401, 'Unauthorized'))
  },
  'a new company has the number of an earlier one': () => {
    let number: number | undefined
    return (exchanged) => {
      if (exchanged.operation !== 'createCompany' || !isGood(exchanged)) return
      const company = exchanged.answer.body.data as Json
      company.employeeCount ??= number
      number = company.employeeCount
    }
  },
  'a deal forgets its company when that is updated': () => {
    const updated = new Set<string>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      if (operation === 'updateCompany' && isGood(exchanged)) updated.add(id)
      if (operation === 'updateDeal' && isGood(exchanged) && updated.has(answer.body.data?.companyId))
        delete answer.body.data.companyId
    }
  },
  'a phone number is shown with spaces after an update': data(['updateContact'], (contact, { sent }) => {
    if (sent.phone && contact.phone) contact.phone = String(contact.phone).replace(/(\d{4})$/, ' $1')
  }),
  'an emptied text comes back as null': data(['updateContact', 'updateCompany', 'updateDeal'], (record) => {
    for (const [name, value] of Object.entries(record)) if (value === '') record[name] = null
  }),
  'a message in a conversation loses its text beside media': data(
    ['sendLiveMessage', 'sendMessage'],
    (message, { sent }) => {
      if (sent.conversationId && sent.mediaUrl) delete message.content
    },
  ),
  'a long text is cut': data(['sendLiveMessage'], (message) => {
    message.content = String(message.content).slice(0, 200)
  }),
  'accents are lost': data(['createContact', 'updateContact', 'createOrUpdateContact'], (contact) => {
    for (const name of ['firstName', 'lastName'])
      if (contact[name]) contact[name] = String(contact[name]).normalize('NFD').replaceAll(/\p{M}/gu, '')
  }),
  'spaces around a name are cut': data(['createCompany', 'updateCompany'], (company) => {
    if (company.name) company.name = String(company.name).trim()
  }),
  'a number above a million is a text': data(['createDeal', 'updateDeal'], (deal) => {
    if (deal.amount > 1e6) deal.amount = String(deal.amount)
  }),
  'an amount of 0 is lost': data(['createDeal', 'updateDeal'], (deal) => {
    if (deal.amount === 0) delete deal.amount
  }),
  'a deleted company is still updated': () => {
    const last = new Map<string, Json>()
    const gone = new Set<string>()
    return (exchanged) => {
      const { operation, id, answer } = exchanged
      if (operation.endsWith('Company') && isGood(exchanged) && answer.body.data?._id)
        last.set(answer.body.data._id, answer.body)
      if (operation === 'deleteCompany' && answer.status === 200) gone.add(id)
      if (operation === 'updateCompany' && answer.status === 404 && gone.has(id))
        Object.assign(answer, { status: 200, body: last.get(id) })
    }
  },
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
}
