import {
  type Liar,
  anyone,
  byToken,
  crossing,
  deletes,
  each,
  mute,
  reads,
  remembering,
  second,
  sends,
  takingForeignReferences,
  updates,
} from './lying.ts'
import type { Fields } from '../team.ts'
import type { Reply } from '../replies.ts'

/** Lies about who may do what. */
export const aboutTeams: Readonly<Record<string, Liar>> = {
  ...each(updates, (kind) => `anyone updates a ${kind} of another team`, 'access.updatesStayInTheTeam', anyone, mute),
  ...each(deletes, (kind) => `anyone deletes a ${kind} of another team`, 'access.deletesStayInTheTeam', anyone, mute),
  ...each(updates, (kind) => `the second team updates our ${kind}`, 'access.updatesStayInTheTeam', second),
  ...each(deletes, (kind) => `the second team deletes our ${kind}`, 'access.deletesStayInTheTeam', second),
  ...each(reads, (what) => `the second team reads our ${what}`, 'access.readsStayInTheTeam', second),
  ...each(reads, (what) => `a token reads the ${what} of another team`, 'access.readsStayInTheTeam', byToken),
  ...each(updates, (kind) => `a token updates a ${kind} of another team`, 'access.updatesStayInTheTeam', byToken),
  ...each(sends, (what) => `the second team sends ${what} into our conversations`, 'access.sendsStayInTheTeam', second),
  'requests at the same time have the caller of the last': {
    breaks: 'access.recordsCarryTheirTeam',
    mixesCallers: true,
  },
  'the second team quotes our deals': {
    breaks: 'access.referencesStayInTheTeam',
    lie: crossing('POST /api/quotes', second),
  },
  'the second team talks to our contacts': {
    breaks: 'access.referencesStayInTheTeam',
    lie: crossing('POST /api/conversations', second),
  },
  'the second team lists our templates': {
    breaks: 'access.listsStayInTheTeam',
    lie: (teams) => ({
      'GET /api/templates': (original) => (given) => {
        const reply = original(given)
        const [ours] = teams
        if (!ours || given.team === ours) return reply
        return {
          ...reply,
          data: [...(reply.data as Fields[]), ...(original({ ...given, team: ours }).data as Fields[])],
        }
      },
    }),
  },
  'the beginning of a key is enough': {
    breaks: 'access.wrongKeyIs401',
    isKey: (sent, known) => sent.length > 10 && known.startsWith(sent),
  },
  'the case of a key does not matter': {
    breaks: 'access.wrongKeyIs401',
    isKey: (sent, known) => sent.toLowerCase() === known.toLowerCase(),
  },
  'a key may go on': { breaks: 'access.wrongKeyIs401', isKey: (sent, known) => sent.startsWith(known) },

  'a cache of conversations does not know the teams': {
    breaks: 'access.readsStayInTheTeam',
    lie: remembering('GET /api/conversations/:id', ({ path }) => path.join()),
  },
  'a cache of histories does not know the teams': {
    breaks: 'access.readsStayInTheTeam',
    lie: remembering('GET /api/messages/:id', ({ path, query }) => `${path.join()}?${query.toString()}`),
  },
  'agents see the templates of others through a filter': {
    breaks: 'access.agentsListTheirOwnTemplates',
    lie: () => ({
      'GET /api/templates': (original) => (given) => {
        const isNarrow = given.query.getAll('types').length === 1
        return original(isNarrow ? { ...given, caller: { user: undefined, role: 'admin' } } : given)
      },
    }),
  },
  'a key of one team repeats the answer to another': {
    breaks: 'access.recordsCarryTheirTeam',
    lie: () => {
      const first = new Map<string, Reply>()
      return {
        'POST /api/companies/create': (original) => (given) => {
          const { key } = given
          if (key === undefined) return original(given)
          const reply = first.get(key) ?? original(given)
          first.set(key, reply)
          return reply
        },
      }
    },
  },
  ...Object.fromEntries(
    ['POST /api/deals/create', 'PUT /api/contacts/:id', 'POST /api/companies/create'].map((route) => [
      `${route} takes references to records of other teams, and no unknown ones`,
      { breaks: 'access.referencesStayInTheTeam', knobs: { references: 404 }, lie: takingForeignReferences(route) },
    ]),
  ),
}
