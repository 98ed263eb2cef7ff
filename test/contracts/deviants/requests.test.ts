import { expect, it } from 'vitest'
import { inTier, sampleOf } from '../../tier.ts'
import { brokenIn, resultsOf, send, withOwnTarget } from './suite.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Incoming, Outgoing, Send } from '../../../contracts/client/transport.ts'
import { operations } from '../../../spec/operations.ts'
import { resolutions, singleSends, updates } from '../../../spec/operation-groups.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { operationAsked } from './operation-asked.ts'

/** A proxy that makes a correct server look as if it broke these promises. */
interface GoBetween {
  readonly name: string
  readonly breaks: readonly PromiseId[]
  /** Promises to check first, so that the proxy has a request to repeat. */
  readonly after?: readonly PromiseId[]
  /** Returns a new proxy for each run, since some have state. */
  readonly between: (send: Send, known: Known) => Send
}

type Headers = Readonly<Record<string, string>>
type Known = Readonly<Record<'team' | 'otherTeam' | 'admin', Headers>>
type Json = Readonly<Record<string, unknown>>

const credentials = ['x-api-key', 'authorization']
const withoutCredential = ({ headers }: Outgoing): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !credentials.includes(name)))
const as = (who: Headers, request: Outgoing): Outgoing => ({
  ...request,
  headers: { ...withoutCredential(request), ...who },
})
const isFrom = (who: Headers, { headers }: Outgoing) =>
  Object.entries(who).every(([name, value]) => headers[name] === value)

/** The request with the credential of the other team. */
const asTheOther = ({ team, otherTeam }: Known, request: Outgoing) =>
  isFrom(team, request) ? as(otherTeam, request) : isFrom(otherTeam, request) ? as(team, request) : request

const rewriting =
  (rewrite: (request: Outgoing, known: Known) => Outgoing): GoBetween['between'] =>
  (send, known) =>
  (request, timeout) =>
    send(rewrite(request, known), timeout)

/** Sends a refused request again in another way. */
const retrying =
  (
    isRetried: (request: Outgoing, status: number) => boolean,
    rewrite: (request: Outgoing, known: Known) => Outgoing,
  ): GoBetween['between'] =>
  (send, known) =>
  async (request, timeout) => {
    const answer = await send(request, timeout)
    return isRetried(request, answer.status) ? send(rewrite(request, known), timeout) : answer
  }

const rewritingBodies = (ids: readonly OperationId[], rewrite: (body: Json) => Json) =>
  rewriting((request) => {
    const body = isOf(request, ids) ? jsonOf(request) : undefined
    return body ? { ...request, body: Buffer.from(JSON.stringify(rewrite(body))) } : request
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

const hasAnId = ({ url }: Outgoing) => /[0-9a-f]{24}/.test(url)
const hasToken = ({ headers }: Outgoing) => 'authorization' in headers
const idsOf = (method: string) => Object.values(operations).flatMap((one) => (one.method === method ? [one.id] : []))

const answering = (status: number, body: object): Incoming => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(body),
})

const goBetweens: readonly GoBetween[] = [
  {
    name: 'a request without a credential is accepted',
    breaks: ['access.noCredentialIs401'],
    between: rewriting((request, { team }) =>
      credentials.some((name) => name in request.headers) ? request : as(team, request),
    ),
  },
  {
    name: 'a quote without a deal is refused before its credential',
    breaks: ['access.credentialComesFirst'],
    between: (send) => async (request, timeout) =>
      isOf(request, ['createQuote']) && jsonOf(request)?.dealId === undefined
        ? answering(400, { success: false, message: 'dealId is required' })
        : send(request, timeout),
  },
  {
    name: 'a body that is not JSON is refused before its credential',
    breaks: ['access.credentialComesFirst'],
    between: (send) => async (request, timeout) =>
      isOf(request, ['updateDeal']) && !jsonOf(request)
        ? answering(400, { success: false, message: 'the body must be JSON' })
        : send(request, timeout),
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
    between: retrying(
      (request, status) => hasToken(request) && status === 401,
      (request, { admin }) => as(admin, request),
    ),
  },
  {
    name: 'no token is accepted',
    breaks: ['access.tokenIsAnAlternative'],
    between: rewriting((request) =>
      hasToken(request) ? { ...request, headers: withoutCredential(request) } : request,
    ),
  },
  {
    name: 'an agent has the rights of an admin',
    breaks: ['access.agentsListTheirOwnTemplates'],
    between: rewriting((request, { admin }) => (hasToken(request) ? as(admin, request) : request)),
  },
  {
    name: 'one team can reach the records of another',
    breaks: ['access.readsStayInTheTeam', 'access.updatesStayInTheTeam', 'access.deletesStayInTheTeam'],
    between: retrying(
      (request, status) => status === 404 && hasAnId(request),
      (request, known) => asTheOther(known, request),
    ),
  },
  {
    name: 'two teams share their records',
    breaks: ['access.sameAddressInTwoTeams', 'access.listsStayInTheTeam', 'access.deletesByEmailStayInTheTeam'],
    between: rewriting((request, { team, otherTeam }) => (isFrom(otherTeam, request) ? as(team, request) : request)),
  },
  {
    name: 'a send into a conversation of another team succeeds',
    breaks: ['access.sendsStayInTheTeam'],
    between: retrying(
      (request, status) => status === 404 && isOf(request, singleSends),
      (request, known) => asTheOther(known, request),
    ),
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
    name: 'no form is accepted',
    breaks: ['template.createTakesAForm', 'template.updateTakesAForm'],
    between: (send) => async (request, timeout) =>
      request.headers['content-type']?.startsWith('multipart/')
        ? answering(400, { success: false, message: 'the body must be JSON' })
        : send(request, timeout),
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
      const body = isOf(request, idsOf('put')) ? jsonOf(request) : undefined
      if (!body || Object.keys(body).length === 0) return send(request, timeout)
      const { templateType } = body
      const empty = Buffer.from(JSON.stringify(templateType === undefined ? {} : { templateType }))
      const answer = await send({ ...request, body: empty }, timeout)
      if (answer.status >= 400) return send(request, timeout)
      const shown = JSON.parse(answer.text) as { data?: object }
      return shown.data ? { ...answer, text: JSON.stringify({ ...shown, data: { ...shown.data, ...body } }) } : answer
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
        if (!isOf(request, idsOf('delete')) || isFrom(otherTeam, request)) return send(request, timeout)
        if (operationAsked(request) !== 'deleteContact') return answering(200, { success: true, message: 'Deleted' })
        const headers = { ...request.headers, 'content-type': 'application/json' }
        const read = await send({ ...request, method: 'PUT', body: Buffer.from('{}'), headers }, timeout)
        return read.status < 400 ? { ...read, status: 200 } : read
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
    between: caching(singleSends, operationAsked),
  },
  {
    name: 'reads are cached forever',
    breaks: ['template.updateIsKept', 'template.deletedIsGone', 'message.historyHoldsEverySend'],
    between: caching(idsOf('get'), ({ url, headers }) => `${url} ${JSON.stringify(headers)}`),
  },
  {
    name: 'every request for a conversation makes a new contact',
    breaks: [
      'conversation.findAgainIsTheSame',
      'conversation.emailFindsTheContact',
      'conversation.phoneFindsTheContact',
    ],
    between: (send, known) => {
      let count = 0
      const newPhone = (phone: unknown) =>
        String(phone)
          .replace(/^\+999(\d{9})\d*$/, `+998${String(++count).padStart(4, '0')}$1`)
          .slice(0, 16)
      const rewrite = rewritingBodies(['findOrCreateConversation', 'createContactWithConversation'], (body) => ({
        ...body,
        ...('email' in body ? { email: String(body.email).replace('@', `-${++count}@`) } : {}),
        ...('phone' in body ? { phone: newPhone(body.phone) } : {}),
      }))
      return rewrite(send, known)
    },
  },
  ...[...singleSends, 'sendBulkMessages', 'createTemplate', 'createContact', ...updates].map((operation) => ({
    name: `a retry of ${operation} is answered like the first request and carried out again`,
    breaks: ['envelope.retriesAreSafe'] as const,
    between: repeatingInSecret(operation as OperationId),
  })),
  {
    name: 'a retry of sendBulkMessages is answered like the first request and carried out again a second later',
    breaks: ['envelope.retriesAreSafe'],
    between: repeatingInSecret('sendBulkMessages', 1000),
  },
]

/** Carries out a repeated request under another key, after a delay in milliseconds, and answers it like the first. */
function repeatingInSecret(operation: OperationId, delay = 0): GoBetween['between'] {
  return (send) => {
    const first = new Map<string, Incoming>()
    return async (request, timeout) => {
      const key = isOf(request, [operation]) ? request.headers['idempotency-key'] : undefined
      const known = first.get(key ?? '')
      if (key === undefined || !known) {
        const answer = await send(request, timeout)
        if (key !== undefined) first.set(key, answer)
        return answer
      }
      const body = { ...jsonOf(request) }
      if ('uniqueName' in body) body.uniqueName = `${String(body.uniqueName)}_2`
      const headers = { ...request.headers, 'idempotency-key': `${key}-again` }
      const carryOut = async () => {
        const again = await send({ ...request, headers, body: Buffer.from(JSON.stringify(body)) }, timeout)
        expect(again.status).toBeLessThan(300)
      }
      if (delay === 0) await carryOut()
      else void sleep(delay).then(carryOut)
      return known
    }
  }
}

/** Answers a request like an earlier one with the same key. */
function caching(ids: readonly OperationId[], keyOf: (request: Outgoing) => string | undefined): GoBetween['between'] {
  return (send) => {
    const known = new Map<string, Incoming>()
    return async (request, timeout) => {
      if (!isOf(request, ids)) return send(request, timeout)
      const key = keyOf(request) ?? ''
      const answer = known.get(key) ?? (await send(request, timeout))
      if (answer.status === 200) known.set(key, answer)
      return answer
    }
  }
}

/** Only the fields that the operations list. */
function listedOf(ids: readonly OperationId[]): (body: Json) => Json {
  const shapes = ids.map((id) => operations[id].body('application/json'))
  return (body) =>
    Object.fromEntries(Object.entries(body).filter(([field]) => shapes.some((shape) => shape?.listed(body).has(field))))
}

// A proxy before a correct server forges, drops, repeats or caches requests.

it.each(sampleOf(goBetweens, inTier({ test: 5, ci: 10, nightly: goBetweens.length })))(
  'the suite notices when $name',
  async ({ after = [], breaks, between }) => {
    await withOwnTarget(async (own) => {
      const { team = '', otherTeam = '', admin = '' } = own.credentials
      const known = {
        team: { 'x-api-key': team },
        otherTeam: { 'x-api-key': otherTeam },
        admin: { authorization: `Bearer ${admin}` },
      }
      const broken: string[] = []
      for await (const result of resultsOf([...after, ...breaks], own, between(send, known)))
        broken.push(...brokenIn(result))
      expect(broken).toEqual(expect.arrayContaining([...breaks]))
    })
  },
)
