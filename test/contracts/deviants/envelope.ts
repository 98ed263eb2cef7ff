import type { Incoming, Outgoing } from '../../../contracts/client/transport.ts'
import { deletesById, recordWrites, sends, updates, withBody } from '../../../spec/operation-groups.ts'
import { operations } from '../../../spec/operations.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { credentials } from '../other-server/server.ts'
import { Refusal } from '../other-server/replies.ts'
import type { Fields, Team } from '../other-server/team.ts'
import {
  answerUnknown,
  changeAnswers,
  changeData,
  changeEnvelope,
  changeHeader,
  changeOperation,
  changeRefusalStatus,
  type Deviant,
  operationAsked,
  refuseWhen,
  without,
} from './deviant.ts'

const every = Object.keys(operations) as OperationId[]

/** A record that the team does not have is looked for in the other team. */
const crossTeams = (ids: readonly OperationId[]): Deviant => ({
  deviation: (teams) => {
    const otherThan = (team: Team) => teams.find((other) => other !== team) ?? team
    return (
      changeOperation(ids, (original, given) => {
        try {
          return original(given)
        } catch (refusal) {
          if (!(refusal instanceof Refusal) || refusal.status !== 404) throw refusal
          return original({ ...given, team: otherThan(given.team), caller: { user: undefined, role: 'admin' } })
        }
      }).deviation?.(teams) ?? {}
    )
  },
})

/** Every caller works with the records of the first team. */
const shareOneTeam: Deviant = {
  deviation: (teams) =>
    changeOperation(every, (original, given) => original({ ...given, team: teams[0] ?? given.team })).deviation?.(
      teams,
    ) ?? {},
}

/** Answers a request without sending it. */
const answerWhen = (isAnswered: (headers: Readonly<Record<string, string>>) => boolean, status: number): Deviant => ({
  change: (send) => async (request, timeout) =>
    isAnswered(request.headers)
      ? {
          status,
          headers: { 'content-type': 'application/json' },
          text: JSON.stringify({ success: false, message: status === 401 ? 'Unauthorized' : 'Resource not found' }),
        }
      : send(request, timeout),
})

/** Refuses a request that is invalid in this way before its credential is checked. */
const refuseFirst = (id: OperationId, isInvalid: (request: Outgoing) => boolean) =>
  changeAnswers((answer, request) =>
    answer.status === 401 && operationAsked(request) === id && isInvalid(request) ? { ...answer, status: 400 } : answer,
  )

function bodyOf({ body }: Outgoing): Fields | undefined {
  try {
    return JSON.parse(String(body)) as Fields
  } catch {
    return undefined
  }
}

export const access = {
  'access.keyOpensEveryOperation': refuseWhen(deletesById, (_, { caller }) => caller.user === undefined, 401),
  'access.tokenIsAnAlternative': answerWhen((headers) => 'authorization' in headers, 401),
  'access.noCredentialIs401': changeRefusalStatus(401, 403),
  'access.credentialComesFirst': [
    refuseFirst('createQuote', (request) => bodyOf(request)?.dealId === undefined),
    refuseFirst('updateDeal', (request) => bodyOf(request) === undefined),
  ],
  'access.wrongKeyIs401': changeHeader('x-api-key', (key) => (key === credentials.otherTeam ? key : credentials.team)),
  'access.wrongTokenIs401': changeHeader('authorization', () => `Bearer ${credentials.admin}`),
  'access.adminsListAllTemplates': changeOperation('listTemplates', (original, given) =>
    original({ ...given, caller: { ...given.caller, role: given.caller.user === undefined ? 'admin' : 'agent' } }),
  ),
  'access.agentsListTheirOwnTemplates': changeOperation('listTemplates', (original, given) =>
    original({ ...given, caller: { ...given.caller, role: 'admin' } }),
  ),
  'access.recordsCarryTheirTeam': changeData(['createCompany', 'updateCompany'], without('teamId')),
  'access.readsStayInTheTeam': crossTeams(every),
  'access.listsStayInTheTeam': shareOneTeam,
  'access.updatesStayInTheTeam': crossTeams(every),
  'access.deletesStayInTheTeam': crossTeams(every),
  'access.deletesByEmailStayInTheTeam': shareOneTeam,
  'access.sendsStayInTheTeam': crossTeams(every),
  'access.referencesStayInTheTeam': crossTeams(every),
  'access.sameAddressInTwoTeams': shareOneTeam,
} satisfies Partial<Record<PromiseId, Deviant | readonly Deviant[]>>

const isSuccess = (status: number) => status < 400
const isRefusal = (status: number) => status >= 400

/** The answers that only state an outcome. */
const changeOutcome = (change: (envelope: Fields) => object) =>
  changeEnvelope(isSuccess, (envelope) => ('data' in envelope ? envelope : change(envelope)))

/** Carries out a repeated request under another key, after a delay in milliseconds, and answers it like the first. */
function repeatInSecret(id: OperationId, delay = 0): Deviant {
  return {
    change: (send) => {
      const first = new Map<string, Incoming>()
      let later: { readonly at: number; readonly request: Outgoing } | undefined
      return async (request, timeout) => {
        if (later && later.at <= Date.now()) {
          await send(later.request, timeout)
          later = undefined
        }
        const key = operationAsked(request) === id ? request.headers['idempotency-key'] : undefined
        if (key === undefined) return send(request, timeout)
        const known = first.get(key)
        const answer = known ?? (await send(request, timeout))
        first.set(key, answer)
        if (!known) return answer
        const body = bodyOf(request) ?? {}
        const again = 'uniqueName' in body ? { ...body, uniqueName: `again_${key.slice(-12)}` } : body
        const headers = { ...request.headers, 'idempotency-key': `${key}-again` }
        later = { at: Date.now() + delay, request: { ...request, headers, body: Buffer.from(JSON.stringify(again)) } }
        return answer
      }
    },
  }
}

export const envelope = {
  'envelope.pathsAreFixed': answerWhen(() => true, 404),
  'envelope.successIsTrue': changeOutcome((success) => ({ ...success, success: false })),
  'envelope.messageIsText': changeEnvelope(isSuccess, (success) => ({ ...success, message: [success.message] })),
  'envelope.dataIsStructured': changeEnvelope(isSuccess, (success) => ({
    ...success,
    data: JSON.stringify(success.data),
  })),
  'envelope.metaIsAnObject': changeEnvelope(isSuccess, (success) => ({ ...success, meta: [] })),
  'envelope.paginationStandsBesideData': changeEnvelope(isSuccess, ({ pagination, data, ...others }) => ({
    ...others,
    data: pagination === undefined ? data : { items: data, pagination },
  })),
  'envelope.outcomeIsStated': changeOutcome(without('message')),
  'envelope.outcomeStandsAlone': changeOutcome((success) => ({ ...success, data: { ok: true } })),
  'envelope.answersAreJson': changeAnswers((answer) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'text/plain; charset=utf-8' },
  })),
  'envelope.idempotencyKeyIsOptional': refuseWhen(withBody, (_, { key }) => key === undefined),
  'envelope.retriesAreSafe': [
    changeHeader('idempotency-key', (key, request) => (operationAsked(request) === 'createDeal' ? undefined : key)),
    ...[...sends, 'createTemplate' as const, 'createContact' as const, ...updates].map((id) => repeatInSecret(id)),
    repeatInSecret('sendBulkMessages', 1000),
  ],
  'envelope.idempotencyKeyIsTaken': refuseWhen(updates, (_, { key }) => key !== undefined),
} satisfies Partial<Record<PromiseId, Deviant | readonly Deviant[]>>

export const errors = {
  'error.successIsFalse': changeEnvelope(isRefusal, without('success')),
  'error.messageIsText': changeEnvelope(isRefusal, ({ success, message }) => ({ success, error: message })),
  'error.carriesNoData': changeEnvelope(isRefusal, (failure) => ({ ...failure, data: { field: 'name' } })),
  'error.statusIsDocumented': changeRefusalStatus(400, 422),
  'error.badRequestSaysWhy': changeEnvelope(
    (status) => status === 400,
    (failure) => ({ ...failure, message: '' }),
  ),
  'error.unauthorizedText': changeEnvelope(
    (status) => status === 401,
    (failure) => ({ ...failure, message: 'The API key is not valid' }),
  ),
  'error.notFoundText': changeEnvelope(
    (status) => status === 404,
    (failure) => ({ ...failure, message: 'Not found' }),
  ),
  'error.serverErrorText': changeRefusalStatus(400, 500),
  'error.readingTheUnknownIs404': answerUnknown('listMessages', () => ({
    status: 200,
    message: 'History found',
    data: [{ date: '2026-03-01', messages: [] }],
    pagination: { total: 0, currentPage: 1, totalPages: 0, hasMore: false },
  })),
  'error.updatingTheUnknownIs404': answerUnknown('updateProduct', ({ path: [_id] }) => ({
    status: 200,
    message: 'Updated',
    data: { _id, name: '', sku: '', unitPrice: 0 },
  })),
  'error.deletingTheUnknownIs404': answerUnknown(deletesById, () => ({ status: 200, message: 'Deleted' })),
  'error.refusalChangesNothing': [
    changeOperation(recordWrites, (original, given) => {
      try {
        return original(given)
      } catch (refusal) {
        const contact = given.team.shelf('contact').get(given.path[0] ?? '')
        if (contact) given.team.update('contact', contact, given.body as Fields)
        throw refusal
      }
    }),
    changeOperation(['sendEmailMessage', 'sendBulkMessages'], (original, given) => {
      try {
        return original(given)
      } catch (refusal) {
        const { to } = given.body as Fields
        if (typeof to === 'string') given.team.insert('contact', { email: to })
        throw refusal
      }
    }),
  ],
} satisfies Partial<Record<PromiseId, Deviant | readonly Deviant[]>>
