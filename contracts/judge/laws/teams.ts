import { fieldsOf, idOf } from '../../client/answer.ts'
import { type OwnedKind, idsInBody, kindNames } from '../../client/kinds.ts'
import { operations } from '../../../spec/operations.ts'
import { byId, deletesById, singleSends, updates } from '../../../spec/operation-groups.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import type { Facts } from '../facts.ts'
import { type Law, listOf, type Seen, state, type Statement } from './law.ts'

// A record that the key of one team made is not there for another.

const promiseOf = (operation: OperationId): PromiseId => {
  const isOneOf = (ids: readonly OperationId[]) => ids.includes(operation)
  if (isOneOf(updates)) return 'access.updatesStayInTheTeam'
  if (isOneOf(deletesById)) return 'access.deletesStayInTheTeam'
  if (isOneOf(singleSends)) return 'access.sendsStayInTheTeam'
  return isOneOf(byId) ? 'access.readsStayInTheTeam' : 'access.referencesStayInTheTeam'
}

const kindsInPaths: readonly OwnedKind[] = [...kindNames, 'conversation']

/** A record of another team that a request names. */
function foreignIn({ path, body, caller }: Seen['request'], facts: Facts) {
  const inPath = kindsInPaths.map((kind) => facts.record(kind, path[`${kind}Id`]))
  const inBody = idsInBody(body).flatMap((id) =>
    (['contact', 'conversation', 'deal'] as const).map((kind) => facts.record(kind, id)),
  )
  return [...inPath, ...inBody].find((record) => record?.madeBy !== undefined && record.caller !== caller)
}

const staysInTheTeam: Law = {
  promises: [
    'access.updatesStayInTheTeam',
    'access.deletesStayInTheTeam',
    'access.sendsStayInTheTeam',
    'access.readsStayInTheTeam',
    'access.referencesStayInTheTeam',
  ],
  needsAll: true,
  operations: [...byId, ...singleSends, 'createConversation', 'createQuote'],
  judge: (seen, facts) => {
    const { request, answer, repeatsKey } = seen
    const { operation } = request
    const foreign = foreignIn(request, facts)
    const isEmpty = [answer.fields.data].flat().filter((one) => one !== null && one !== undefined).length === 0
    // A server may answer a delete as if it had found what to delete.
    const showsNothing = isEmpty && (request.method === 'GET' || request.method === 'DELETE')
    if (!foreign || repeatsKey || showsNothing) return []
    return [
      state(promiseOf(operation), false, `a refusal, since the ${foreign.kind} is of another team`, answer.summary, {
        since: foreign.madeBy,
      }),
    ]
  },
}

const keyOpens: Law = {
  promises: ['access.keyOpensEveryOperation'],
  needsAll: true,
  operations: Object.values(operations).map(({ id }) => id),
  status: 'any',
  judge: ({ request, answer: { status } }, facts) =>
    (request.role !== 'team' && request.role !== 'otherTeam') || foreignIn(request, facts)
      ? []
      : [state('access.keyOpensEveryOperation', status !== 401, 'no 401 to the key of a team', String(status))],
}

/** A list, or a lookup by an address, shows no record of another team. */
const showsOwnRecords: Law = {
  promises: ['access.listsStayInTheTeam', 'access.sameAddressInTwoTeams'],
  needsAll: true,
  operations: ['listTemplates', 'findOrCreateConversation', 'createContactWithConversation', 'createOrUpdateContact'],
  judge: ({ request: { operation, caller }, answer }, facts) =>
    [answer.fields.data]
      .flat()
      .map(fieldsOf)
      .flatMap((one): Statement[] => {
        const kind =
          operation === 'listTemplates'
            ? 'template'
            : operation === 'createOrUpdateContact'
              ? 'contact'
              : 'conversation'
        const record = facts.record(kind, idOf(one))
        if (record?.madeBy === undefined) return []
        const promise = kind === 'template' ? 'access.listsStayInTheTeam' : 'access.sameAddressInTwoTeams'
        return [
          state(promise, record.caller === caller, `no ${kind} of another team`, `the ${kind} ${record.id}`, {
            since: record.madeBy,
          }),
        ]
      }),
}

/** The key of a team may be of the agent, so only templates that the admin made are judged. */
const agentsSeeTheirOwn: Law = {
  promises: ['access.agentsListTheirOwnTemplates'],
  needsAll: true,
  operations: ['listTemplates'],
  judge: ({ request: { role }, answer }, facts) => {
    const known = listOf(answer.fields.data).map((one) => facts.record('template', idOf(one)))
    if (role !== 'agent') return []
    return known.flatMap((record): Statement[] =>
      record?.madeBy === undefined || record.role === 'team'
        ? []
        : [
            state(
              'access.agentsListTheirOwnTemplates',
              record.role === role,
              'no template that another user made',
              `the template ${record.id}`,
              { since: record.madeBy },
            ),
          ],
    )
  },
}

export const teams: readonly Law[] = [staysInTheTeam, keyOpens, showsOwnRecords, agentsSeeTheirOwn]

/** A request without a credential gets a 401, whatever else is wrong with it. */
export function judgeStranger(
  { request: { operation, complaint }, answer: { status, succeeded } }: Seen,
  ordered: readonly OperationId[],
): Statement[] {
  if (!succeeded && ![400, 401, 404].includes(status)) return []
  const isBad = !succeeded && complaint !== undefined && ordered.includes(operation)
  const promise = isBad ? 'access.credentialComesFirst' : 'access.noCredentialIs401'
  return [state(promise, status === 401, '401', String(status))]
}
