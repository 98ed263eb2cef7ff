import type { Break } from '../broken-copy.ts'

/** Whichever team asks for an id, it finds what any team has under it. */
const idsOfAllTeams: Break = {
  file: 'store/memory/memory-records.ts',
  rule: 'readonly #byId = new TextMap<Filed<Kinds[K]>>()',
  instead: 'static readonly #ofAllTeams = new TextMap()\n  readonly #byId = MemoryRecords.#ofAllTeams',
}

/** Whoever asks, it is the first team that has the turn. */
const oneTeamForAll: Break = {
  file: 'store/memory/memory-store.ts',
  rule: 'return this.#present.teams.get(teamId)',
  instead: 'return this.#present.teams.all()[0]',
}

export const access = {
  'access.keyOpensEveryOperation': {
    file: 'http/pipeline.ts',
    rule: 'if (caller) rateLimit',
    instead: "if (caller && (caller.user || operation.method !== 'delete')) rateLimit",
  },
  'access.tokenIsAnAlternative': {
    file: 'caller.ts',
    rule: 'if (token === undefined) return byKey',
    instead: 'if (token === undefined || byKey === undefined) return byKey',
  },
  'access.noCredentialIs401': {
    file: 'replies.ts',
    rule: 'readonly status = 401',
    instead: 'readonly status = 403',
  },
  'access.wrongKeyIs401': {
    file: 'store/memory/roster.ts',
    rule: 'return this.#ofKey.get(apiKey)',
    instead: 'return [...this.#ofKey].find(([known]) => known.startsWith(apiKey))?.[1]',
  },
  'access.wrongTokenIs401': {
    file: 'tokens.ts',
    rule: 'const { jwtVerify } = await jose()',
    instead:
      'const { decodeJwt } = await jose()\n    const jwtVerify = async (token) => ({ payload: decodeJwt(token) })',
  },
  'access.agentsListTheirOwnTemplates': {
    file: 'rules/template-visibility.ts',
    rule: "if (user?.role === 'admin') return all",
    instead: 'if (user) return all',
  },
  'access.adminsListAllTemplates': {
    file: 'rules/template-visibility.ts',
    rule: "if (user?.role === 'admin') return all",
    instead: '',
  },

  'access.recordsCarryTheirTeam': {
    file: 'team.ts',
    rule: 'companies: (teamId) => ({ teamId }),',
    instead: '',
  },
  'access.readsStayInTheTeam': idsOfAllTeams,
  'access.listsStayInTheTeam': oneTeamForAll,
  'access.updatesStayInTheTeam': idsOfAllTeams,
  'access.deletesStayInTheTeam': idsOfAllTeams,
  'access.deletesByEmailStayInTheTeam': oneTeamForAll,
  'access.sendsStayInTheTeam': idsOfAllTeams,
  'access.referencesStayInTheTeam': idsOfAllTeams,
  'access.sameAddressInTwoTeams': oneTeamForAll,
} satisfies Record<string, Break>
