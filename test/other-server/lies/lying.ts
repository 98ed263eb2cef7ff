import type { PromiseId } from '../../../spec/promises.ts'
import { type Given, type Operation, Refusal, type Reply } from '../replies.ts'
import type { Knobs } from '../knobs.ts'
import type { Lie } from '../server.ts'
import type { Fields, Team } from '../team.ts'

/** A server that says that it did well, and did not. */
export interface Liar {
  readonly breaks: PromiseId
  /** What is judged first, where the lie shows only in what was made earlier. */
  readonly after?: readonly PromiseId[]
  readonly lie?: Lie
  readonly isKey?: (sent: string, known: string) => boolean
  readonly mixesCallers?: boolean
  readonly knobs?: Partial<Knobs>
}

export const updates = {
  contact: 'PUT /api/contacts/:id',
  template: 'PUT /api/templates/:id',
  company: 'PUT /api/companies/edit/:id',
  product: 'PUT /api/products/:id',
  deal: 'PUT /api/deals/edit/:id',
  quote: 'PUT /api/quotes/:id',
}
export const deletes = {
  contact: 'DELETE /api/contacts/:id',
  template: 'DELETE /api/templates/:id',
  company: 'DELETE /api/companies/delete/:id',
  product: 'DELETE /api/products/:id',
  deal: 'DELETE /api/deals/delete/:id',
  quote: 'DELETE /api/quotes/:id',
}
export const reads = {
  conversation: 'GET /api/conversations/:id',
  'list of conversations': 'GET /api/conversations/getAllConversationsOfContact/:id',
  history: 'GET /api/messages/:id',
  template: 'GET /api/templates/:id',
}
export const sends = {
  chat: 'POST /api/messages/sendLiveMessage',
  'e-mail': 'POST /api/messages/sendEmailMessage',
  text: 'POST /api/messages/sendMessage',
}

export type Attacker = (given: Given) => boolean
export const anyone: Attacker = () => true
export const second: Attacker = ({ team }) => team.id === 'team-globex'
export const byToken: Attacker = ({ caller }) => caller.user !== undefined

/** What the team of an attacker does not have is looked for in the other one. */
export const crossing =
  (route: string, isLetIn: Attacker): Lie =>
  (teams) => ({ [route]: (original) => (given) => crossOver(original, given, teams, isLetIn) })

function crossOver(original: Operation, given: Given, teams: readonly Team[], isLetIn: Attacker): Reply {
  try {
    return original(given)
  } catch (refusal) {
    const other = teams.find((team) => team !== given.team)
    if (!(refusal instanceof Refusal) || refusal.status !== 404 || !other || !isLetIn(given)) throw refusal
    return original({ ...given, team: other, caller: { user: undefined, role: 'admin' } })
  }
}

/** A table of liars, one for each route. */
export const each = (
  routes: Readonly<Record<string, string>>,
  words: (name: string) => string,
  breaks: PromiseId,
  isLetIn: Attacker,
  knobs: Partial<Knobs> = {},
): Record<string, Liar> =>
  Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [words(name), { breaks, lie: crossing(route, isLetIn), knobs }]),
  )

export const mute = { updateAnswer: 'messageOnly' } as const
export const rewrite =
  (route: string, change: (reply: Reply, given: Given) => Reply): Lie =>
  () => ({
    [route]: (original) => (given) => change(original(given), given),
  })
/** Works with another body than the one that was sent. */
export const misread =
  (routes: readonly string[], change: (body: Fields, given: Given) => Fields): Lie =>
  () =>
    Object.fromEntries(
      routes.map((route) => [
        route,
        (original: Operation) => (given: Given) => original({ ...given, body: change(given.body as Fields, given) }),
      ]),
    )
export const inTexts = (names: readonly string[], change: (text: string) => string) => (body: Fields) => ({
  ...body,
  ...Object.fromEntries(names.flatMap((name) => (typeof body[name] === 'string' ? [[name, change(body[name])]] : []))),
})
export const asciiOnly = (text: string) => text.replace(/[^ -~]/g, '')
export const escapeHtml = (text: string) => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;')
export const roundTo32 = (names: readonly string[]) => (body: Fields) => ({
  ...body,
  ...Object.fromEntries(names.flatMap((one) => (typeof body[one] === 'number' ? [[one, Math.fround(body[one])]] : []))),
})
export const pagination = (reply: Reply, change: (counts: Fields) => Fields): Reply => ({
  ...reply,
  pagination: change(reply.pagination ?? {}),
})
export const asked = ({ query }: Given, change: (query: URLSearchParams) => void): URLSearchParams => {
  const other = new URLSearchParams(query)
  change(other)
  return other
}
export const withQuery =
  (route: string, change: (query: URLSearchParams, given: Given) => void): Lie =>
  () => ({
    [route]: (original) => (given) =>
      original({
        ...given,
        query: asked(given, (query) => {
          change(query, given)
        }),
      }),
  })

/** Deletes contacts besides those that are meant. */
export const takingOthers =
  (route: string, isTaken: (one: Fields, given: Given) => boolean): Lie =>
  () => ({
    [route]: (original) => (given) => {
      const others = given.team
        .shelf('contact')
        .all()
        .filter((one) => isTaken(one, given))
      const reply = original(given)
      for (const { _id } of others) given.team.shelf('contact').remove(_id)
      return reply
    },
  })

/** Answers again what it answered first, whoever asks. */
export const remembering =
  (route: string, nameOf: (given: Given) => string): Lie =>
  () => {
    const known = new Map<string, Reply>()
    return {
      [route]: (original) => (given) => {
        const reply = known.get(nameOf(given)) ?? original(given)
        known.set(nameOf(given), reply)
        return reply
      },
    }
  }

/** From the second page on a page begins so many items too late. */
export const movingPages =
  (route: string, items: number): Lie =>
  () => ({
    [route]: (original) => (given) => {
      const [page, limit] = [Number(given.query.get('page')), Number(given.query.get('limit'))]
      if (page === 1 || limit === 1) return original(given)
      const whole = asked(given, (query) => {
        query.set('page', '1')
        query.set('limit', '1000')
      })
      const [day] = original({ ...given, query: whole }).data as { date: string; messages: Fields[] }[]
      const from = (page - 1) * limit + items
      const messages = day?.messages.slice(from, from + limit) ?? []
      return { ...original(given), data: messages.length > 0 ? [{ date: day?.date, messages }] : [] }
    },
  })

/** What the team does not have is looked for in the other one. */
export const takingForeignReferences =
  (route: string): Lie =>
  (teams) => ({
    [route]: (original) => (given) => {
      const { contactId, companyId, company, contacts, ...body } = given.body as Fields
      const ids = [contactId, companyId, company, contacts].flat().filter((id) => typeof id === 'string')
      const isForeign = (id: string) =>
        teams.some((team) => team !== given.team && (team.shelf('contact').get(id) ?? team.shelf('company').get(id)))
      return original(ids.length > 0 && ids.every(isForeign) ? { ...given, body } : given)
    },
  })
