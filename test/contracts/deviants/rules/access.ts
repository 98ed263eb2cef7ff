import { decodeJwt } from 'jose'
import * as executing from '../../../../mock/core/execute.ts'
import { NotFound, Refusal, Unauthorized } from '../../../../mock/core/refusals.ts'
import { type Break, changeStatusOfRefusal, nothing, replaceIn, replaceMethod, together, wrap } from '../breaks.ts'
import { stampsOf } from '../../../../mock/core/team.ts'
import { type Bearer, Tokens } from '../../../../mock/core/tokens.ts'
import * as authentication from '../../../../mock/http/authentication.ts'
import * as reading from '../../../../mock/http/reading.ts'
import * as visibility from '../../../../mock/rules/templates/template-visibility.ts'
import { MemoryStore } from '../../../../mock/store/memory/memory-store.ts'
import type { PromiseId } from '../../../../spec/promises.ts'

type Run<Open> = <Result>(teamId: string, work: (team: Open) => Promise<Result>) => Promise<Result>

/** A record that the team does not have is looked for in the other teams. */
const idsOfAllTeams = together(
  replaceMethod(MemoryStore, 'read', runInAnyTeam),
  replaceMethod(MemoryStore, 'transaction', runInAnyTeam),
)

function runInAnyTeam<Open>(run: Run<Open>, store: MemoryStore): Run<Open> {
  return async (teamId, work) => {
    try {
      return await run(teamId, work)
    } catch (refusal) {
      if (!(refusal instanceof NotFound)) throw refusal
      for (const { _id } of await store.teams()) {
        try {
          if (_id !== teamId) return await run(_id, work)
        } catch {
          // This team does not have it either.
        }
      }
      throw refusal
    }
  }
}

/** Every caller works with the records of the first team. */
const oneTeamForAll = together(
  replaceMethod(MemoryStore, 'read', runInFirstTeam),
  replaceMethod(MemoryStore, 'transaction', runInFirstTeam),
)

function runInFirstTeam<Open>(run: Run<Open>, store: MemoryStore): Run<Open> {
  return async (teamId, work) => {
    const [first] = await store.teams()
    return run(first?._id ?? teamId, work)
  }
}

export const access = {
  'access.keyOpensEveryOperation': wrap(executing, 'executorOf', (original, options) => {
    const execute = original(options)
    return (request) =>
      request.operation.method === 'delete' && !request.caller.user
        ? Promise.reject(new Unauthorized(nothing))
        : execute(request)
  }),
  'access.tokenIsAnAlternative': replaceMethod(Tokens, 'verify', () => async () => undefined),
  'access.noCredentialIs401': changeStatusOfRefusal(401, 403),
  'access.wrongKeyIs401': replaceMethod(MemoryStore, 'teamOfKey', (_original, store) => async (apiKey) => {
    const isBegunBy = (known: string) => known.startsWith(apiKey)
    return (await store.teams()).find(({ apiKeys }) => apiKeys.some(isBegunBy))?._id
  }),
  'access.wrongTokenIs401': replaceMethod(
    Tokens,
    'verify',
    (original) => async (token) => (await original(token)) ?? bearerNamedIn(token),
  ),
  'access.credentialComesFirst': together(
    wrap(authentication, 'authenticate', async (original, ...given) => {
      try {
        await original(...given)
      } catch (refusal) {
        if (!(refusal instanceof Unauthorized)) throw refusal
      }
    }),
    wrap(reading, 'parseRequest', (original, request, ...others) => {
      const parsed = original(request, ...others)
      const { caller } = request as { caller?: unknown }
      if (caller === undefined) throw parsed instanceof Refusal ? parsed : new Unauthorized(nothing)
      return parsed
    }),
  ),
  'access.agentsListTheirOwnTemplates': wrap(visibility, 'selectVisible', async (original, wanted, tx) =>
    tx.caller.user ? visibility.selectAll(wanted) : original(wanted, tx),
  ),
  'access.adminsListAllTemplates': wrap(visibility, 'selectVisible', async (original, wanted, tx) => {
    const { teamId, user } = tx.caller
    return original(wanted, { ...tx, caller: { teamId, user: user && { ...user, role: 'agent' } } })
  }),

  'access.recordsCarryTheirTeam': replaceIn(stampsOf, 'companies', () => () => ({})),
  'access.readsStayInTheTeam': idsOfAllTeams,
  'access.listsStayInTheTeam': oneTeamForAll,
  'access.updatesStayInTheTeam': idsOfAllTeams,
  'access.deletesStayInTheTeam': idsOfAllTeams,
  'access.deletesByEmailStayInTheTeam': oneTeamForAll,
  'access.sendsStayInTheTeam': idsOfAllTeams,
  'access.referencesStayInTheTeam': idsOfAllTeams,
  'access.sameAddressInTwoTeams': oneTeamForAll,
} satisfies Partial<Record<PromiseId, Break>>

/** The claims of a token, without a check of its signature. */
function bearerNamedIn(token: string): Bearer | undefined {
  try {
    const { team: teamId, sub: userId, role } = decodeJwt<{ team?: string; role?: Bearer['role'] }>(token)
    return teamId !== undefined && userId !== undefined && role ? { teamId, userId, role } : undefined
  } catch {
    return undefined
  }
}
