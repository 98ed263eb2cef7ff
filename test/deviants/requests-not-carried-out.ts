import type { Incoming, Outgoing } from '../../client/transport.ts'
import { singleSends } from '../../spec/operation-groups.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { type GoBetween, isFrom, rewritingBodies, isOf, jsonOf, answering } from './go-between.ts'
import { operationAsked } from './operation-asked.ts'

const all = Object.values(operations)
const updates = all.filter(({ method }) => method === 'put').map(({ id }) => id)
const deletes = all.filter(({ method }) => method === 'delete').map(({ id }) => id)
const reads = all.filter(({ method }) => method === 'get').map(({ id }) => id)

export const requestsNotCarriedOut: readonly GoBetween[] = [
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
      if (isOf(request, singleSends)) await send(request, timeout)
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
        if (before && isOf(request, singleSends)) return before
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
]

const sentAs = (body: string, { headers }: Outgoing) => ({
  body: Buffer.from(body),
  headers: { ...headers, 'content-type': 'application/json' },
})
