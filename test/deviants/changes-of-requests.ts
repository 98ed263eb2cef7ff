import type { Incoming, Outgoing, Send } from '../../client/transport.ts'
import { operations } from '../../spec/operations.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { operationAsked } from './operation-asked.ts'

/** A go-between that makes a correct server look as if it broke these promises. */
interface GoBetween {
  readonly name: string
  readonly breaks: readonly PromiseId[]
  /** Promises whose checks run first, so that there is something to repeat. */
  readonly after?: readonly PromiseId[]
  /** A new one for each run, since some keep state. */
  readonly between: (send: Send, known: Known) => Send
}

/** The credential headers of each caller. */
interface Known {
  readonly team: Headers
  readonly otherTeam: Headers
  readonly admin: Headers
}
type Headers = Readonly<Record<string, string>>

const credentials = ['x-api-key', 'authorization']
const withoutCredential = ({ headers }: Outgoing): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !credentials.includes(name)))
const as = (who: Headers, request: Outgoing): Outgoing => ({
  ...request,
  headers: { ...withoutCredential(request), ...who },
})
const isFrom = (who: Headers, { headers }: Outgoing) =>
  Object.entries(who).every(([name, value]) => headers[name] === value)

/** With the credential of the other team. */
const asTheOther = ({ team, otherTeam }: Known, request: Outgoing) =>
  isFrom(team, request) ? as(otherTeam, request) : isFrom(otherTeam, request) ? as(team, request) : request

/** Rewrites each request. */
const rewriting =
  (rewrite: (request: Outgoing, known: Known) => Outgoing): GoBetween['between'] =>
  (send, known) =>
  (request, timeout) =>
    send(rewrite(request, known), timeout)

type Json = Readonly<Record<string, unknown>>

/** The same for the JSON of some operations. */
const rewritingBodies = (ids: readonly OperationId[], rewrite: (body: Json) => Json) =>
  rewriting((request) => {
    const body = isOf(request, ids) ? jsonOf(request) : undefined
    return body ? { ...request, body: Buffer.from(JSON.stringify(rewrite(body))) } : request
  })

/** The same for the query. */
const rewritingQueries = (ids: readonly OperationId[], rewrite: (query: URLSearchParams) => void) =>
  rewriting((request) => {
    if (!isOf(request, ids)) return request
    const url = new URL(request.url)
    rewrite(url.searchParams)
    return { ...request, url: url.href }
  })

function isOf(request: Outgoing, ids: readonly OperationId[]): boolean {
  const operation = operationAsked(request)
  return operation !== undefined && ids.includes(operation)
}

function jsonOf({ body, headers }: Outgoing): Json | undefined {
  if (!body || headers['content-type'] !== 'application/json') return undefined
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

const all = Object.values(operations)
const updates = all.filter(({ method }) => method === 'put').map(({ id }) => id)
const deletes = all.filter(({ method }) => method === 'delete').map(({ id }) => id)
const reads = all.filter(({ method }) => method === 'get').map(({ id }) => id)
const sends = ['sendLiveMessage', 'sendEmailMessage', 'sendMessage'] as const
const conversations = ['findOrCreateConversation', 'createContactWithConversation', 'createConversation'] as const
const hasAnId = ({ url }: Outgoing) => /[0-9a-f]{24}/.test(url)

const answering = (status: number, body: object): Incoming => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(body),
})

/** Gives missing fields a value. */
const fillIn = (fields: Json) => (body: Json) => ({ ...fields, ...body })

export const goBetweens: readonly GoBetween[] = [
  {
    name: 'a request without a credential is accepted',
    breaks: ['access.noCredentialIs401'],
    between: rewriting((request, { team }) =>
      credentials.some((name) => name in request.headers) ? request : as(team, request),
    ),
  },
  {
    name: 'any key is accepted',
    breaks: ['access.wrongKeyIs401'],
    between: rewriting((request, { team, otherTeam }) =>
      'x-api-key' in request.headers && !isFrom(otherTeam, request) ? as(team, request) : request,
    ),
  },
  {
    name: 'any token is accepted',
    breaks: ['access.wrongTokenIs401'],
    between:
      (send, { admin }) =>
      async (request, timeout) => {
        const answer = await send(request, timeout)
        return 'authorization' in request.headers && answer.status === 401 ? send(as(admin, request), timeout) : answer
      },
  },
  {
    name: 'no token is accepted',
    breaks: ['access.tokenIsAnAlternative'],
    between: rewriting((request) =>
      'authorization' in request.headers ? { ...request, headers: withoutCredential(request) } : request,
    ),
  },
  {
    name: 'the records of one team can be reached by another',
    breaks: ['access.readsStayInTheTeam', 'access.updatesStayInTheTeam', 'access.deletesStayInTheTeam'],
    between: (send, known) => async (request, timeout) => {
      const answer = await send(request, timeout)
      return answer.status === 404 && hasAnId(request) ? send(asTheOther(known, request), timeout) : answer
    },
  },
  {
    name: 'two teams share their records',
    breaks: ['access.sameAddressInTwoTeams', 'access.listsStayInTheTeam', 'access.deletesByEmailStayInTheTeam'],
    between: rewriting((request, { team, otherTeam }) => (isFrom(otherTeam, request) ? as(team, request) : request)),
  },
  {
    name: 'a send into a conversation of another team succeeds',
    breaks: ['access.sendsStayInTheTeam'],
    between: (send, known) => async (request, timeout) => {
      const answer = await send(request, timeout)
      return answer.status === 404 && isOf(request, sends) ? send(asTheOther(known, request), timeout) : answer
    },
  },
  {
    name: 'an agent has the rights of an admin',
    breaks: ['access.agentsListTheirOwnTemplates'],
    between: rewriting((request, { admin }) => ('authorization' in request.headers ? as(admin, request) : request)),
  },
  {
    name: 'recipientId is ignored',
    breaks: ['message.recipientIdMeansContactId'],
    between: rewritingBodies(sends, ({ recipientId: _, ...body }) => body),
  },
  {
    name: 'unlisted fields of a send are ignored',
    breaks: ['message.unlistedFieldsAreRefused'],
    between: rewritingBodies(sends, listedOf(sends)),
  },
  {
    name: 'unlisted fields are ignored when a conversation is resolved',
    breaks: ['conversation.findRefusesUnlistedFields'],
    between: rewritingBodies(conversations, listedOf(conversations)),
  },
  {
    name: 'an unknown status of a contact is replaced',
    breaks: ['contact.otherStatusesAreRefused'],
    between: rewritingBodies(['createContact', 'updateContact'], (body) =>
      'status' in body && !['open', 'in-progress', 'closed'].includes(String(body.status))
        ? { ...body, status: 'open' }
        : body,
    ),
  },
  {
    name: 'any channel is accepted as chat',
    breaks: ['message.liveIsChatOnly'],
    between: rewritingBodies(['sendLiveMessage'], (body) => ({ ...body, channel: 'chat' })),
  },
  {
    name: 'a contact without a name gets one',
    breaks: ['contact.createRequires'],
    between: rewritingBodies(['createContact'], fillIn({ firstName: 'Nobody', lastName: 'Nobody' })),
  },
  {
    name: 'a product without a price gets one',
    breaks: ['product.createRequires'],
    between: rewritingBodies(['createProduct'], fillIn({ unitPrice: 1 })),
  },
  {
    name: 'a bulk e-mail without a subject gets one',
    breaks: ['message.bulkEmailRequiresASubject'],
    between: rewritingBodies(['sendBulkMessages'], fillIn({ subject: 'Hello' })),
  },
  {
    name: 'a history ignores its channel filter',
    breaks: ['message.historyFiltersByChannel'],
    between: rewritingQueries(['listMessages'], (query) => {
      query.delete('channel')
    }),
  },
  {
    name: 'a list ignores its type filter',
    breaks: ['template.listFiltersByType'],
    between: rewritingQueries(['listTemplates'], (query) => {
      if (!query.has('types')) return
      query.delete('types')
      for (const type of ['sms', 'email', 'whatsapp']) query.append('types', type)
    }),
  },
  {
    name: 'a list ignores its status filter',
    breaks: ['template.listFiltersByStatus'],
    between: rewritingQueries(['listTemplates'], (query) => {
      if (!query.has('statuses')) return
      query.delete('statuses')
      for (const status of ['approved', 'pending', 'rejected']) query.append('statuses', status)
    }),
  },
  {
    name: 'only the first of a repeated parameter counts',
    breaks: ['template.typesMayRepeat', 'template.statusesMayRepeat'],
    between: rewritingQueries(['listTemplates'], (query) => {
      for (const name of ['types', 'statuses']) {
        const first = query.get(name)
        if (first !== null) query.set(name, first)
      }
    }),
  },
  {
    name: 'every page is the first',
    breaks: ['message.historyPagesAddUp', 'template.listPagesAddUp'],
    between: rewritingQueries(['listMessages', 'listTemplates'], (query) => {
      if (query.has('page')) query.set('page', '1')
    }),
  },
  {
    name: 'a limit is ignored',
    breaks: ['message.historyLimitHolds', 'template.listLimitHolds'],
    between: rewritingQueries(['listMessages', 'listTemplates'], (query) => {
      if (query.has('limit')) query.set('limit', '100')
    }),
  },
  {
    name: 'an update is answered and lost',
    breaks: [
      'contact.updateKeepsTheRest',
      'template.updateIsKept',
      'company.updateShowsTheChange',
      'product.updateShowsTheChange',
      'deal.updateShowsTheChange',
      'quote.updateShowsTheChange',
    ],
    between: (send) => async (request, timeout) => {
      const body = isOf(request, updates) ? jsonOf(request) : undefined
      if (!body || Object.keys(body).length === 0) return send(request, timeout)
      const { templateType } = body
      const nothing = Buffer.from(JSON.stringify(templateType === undefined ? {} : { templateType }))
      const answer = await send({ ...request, body: nothing }, timeout)
      if (answer.status >= 400) return send(request, timeout)
      const told = JSON.parse(answer.text) as { data?: object }
      return told.data ? { ...answer, text: JSON.stringify({ ...told, data: { ...told.data, ...body } }) } : answer
    },
  },
  {
    name: 'a delete is answered and not carried out',
    breaks: [
      'contact.deletedIsGone',
      'contact.deleteTakesTheConversation',
      'template.deletedIsGone',
      'company.deletedIsGone',
      'product.deletedIsGone',
      'deal.deletedIsGone',
      'quote.deletedIsGone',
    ],
    between:
      (send, { otherTeam }) =>
      async (request, timeout) => {
        if (!isOf(request, deletes) || isFrom(otherTeam, request)) return send(request, timeout)
        if (operationAsked(request) !== 'deleteContact') return answering(200, { success: true, message: 'Deleted' })
        const seen = await send({ ...request, method: 'PUT', ...sentAs('{}', request) }, timeout)
        return seen.status < 400 ? { ...seen, status: 200 } : seen
      },
  },
  {
    name: 'every send is carried out twice',
    breaks: ['message.historyHoldsEverySend'],
    between: (send) => async (request, timeout) => {
      if (isOf(request, sends)) await send(request, timeout)
      return send(request, timeout)
    },
  },
  {
    name: 'a send is answered like the one before and not carried out',
    after: ['message.liveAnswers200', 'message.emailAnswers200', 'message.phoneAnswers200'],
    breaks: ['message.historyHoldsEverySend'],
    between: (send) => {
      const last = new Map<OperationId, Incoming>()
      return async (request, timeout) => {
        const operation = operationAsked(request)
        const before = operation && last.get(operation)
        if (before && isOf(request, sends)) return before
        const answer = await send(request, timeout)
        if (operation && answer.status === 200) last.set(operation, answer)
        return answer
      }
    },
  },
  {
    name: 'reads are cached forever',
    breaks: ['template.updateIsKept', 'template.deletedIsGone', 'message.historyHoldsEverySend'],
    between: (send) => {
      const known = new Map<string, Incoming>()
      return async (request, timeout) => {
        if (!isOf(request, reads)) return send(request, timeout)
        const name = `${request.url} ${JSON.stringify(request.headers)}`
        const answer = known.get(name) ?? (await send(request, timeout))
        known.set(name, answer)
        return answer
      }
    },
  },
  {
    name: 'a conversation that exists is answered with 201',
    breaks: ['conversation.createAgainAnswers200'],
    between: (send) => async (request, timeout) => {
      const answer = await send(request, timeout)
      return isOf(request, ['createConversation']) && answer.status === 200 ? { ...answer, status: 201 } : answer
    },
  },
  {
    name: 'every request for a conversation makes a new contact',
    breaks: [
      'conversation.findAgainIsTheSame',
      'conversation.emailFindsTheContact',
      'conversation.phoneFindsTheContact',
    ],
    between: (send) => {
      let count = 0
      const anew = rewritingBodies(['findOrCreateConversation', 'createContactWithConversation'], (body) => ({
        ...body,
        ...('email' in body ? { email: String(body.email).replace('@', `-${++count}@`) } : {}),
        ...('phone' in body
          ? {
              phone: String(body.phone)
                .replace(/^\+999(\d{9})\d*$/, `+998${String(++count).padStart(4, '0')}$1`)
                .slice(0, 16),
            }
          : {}),
      }))
      return anew(send, undefined as never)
    },
  },
  {
    name: 'an upsert accepts a body of any content type',
    breaks: ['contact.upsertRefusesPlainText'],
    between: rewriting((request) =>
      isOf(request, ['createOrUpdateContact'])
        ? { ...request, headers: { ...request.headers, 'content-type': 'application/json' } }
        : request,
    ),
  },
  {
    name: 'no form is accepted',
    breaks: ['template.createTakesAForm', 'template.updateTakesAForm'],
    between: (send) => async (request, timeout) =>
      request.headers['content-type']?.startsWith('multipart/')
        ? answering(400, { success: false, message: 'the body must be JSON' })
        : send(request, timeout),
  },
]

/** Only the fields that the operations list. */
function listedOf(ids: readonly OperationId[]): (body: Json) => Json {
  const shapes = ids.map((id) => operations[id].body('application/json'))
  return (body) =>
    Object.fromEntries(Object.entries(body).filter(([field]) => shapes.some((shape) => shape?.listed(body).has(field))))
}

const sentAs = (body: string, { headers }: Outgoing) => ({
  body: Buffer.from(body),
  headers: { ...headers, 'content-type': 'application/json' },
})
