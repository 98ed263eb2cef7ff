import { operations } from '../../spec/operations.ts'
import { resolutions, singleSends } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import {
  type GoBetween,
  credentials,
  withoutCredential,
  as,
  isFrom,
  asTheOther,
  rewriting,
  type Json,
  rewritingBodies,
  rewritingQueries,
  isOf,
  hasAnId,
  answering,
  fillIn,
} from './go-between.ts'
import { requestsNotCarriedOut } from './requests-not-carried-out.ts'

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
      return answer.status === 404 && isOf(request, singleSends) ? send(asTheOther(known, request), timeout) : answer
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
    between: rewritingBodies(singleSends, ({ recipientId: _, ...body }) => body),
  },
  {
    name: 'unlisted fields of a send are ignored',
    breaks: ['message.unlistedFieldsAreRefused'],
    between: rewritingBodies(singleSends, listedOf(singleSends)),
  },
  {
    name: 'unlisted fields are ignored when a conversation is resolved',
    breaks: ['conversation.findRefusesUnlistedFields'],
    between: rewritingBodies(resolutions, listedOf(resolutions)),
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
  ...requestsNotCarriedOut,
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
