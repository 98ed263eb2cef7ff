import type { PromiseId } from '../../spec/promises.ts'
import { type Given, type Operation, Refusal, type Reply } from './replies.ts'
import type { Knobs } from './knobs.ts'
import type { Lie } from './server.ts'
import type { Fields, Team } from './team.ts'

/** A server that says that it did well, and did not. */
interface Liar {
  readonly breaks: PromiseId
  readonly lie?: Lie
  readonly isKey?: (sent: string, known: string) => boolean
  readonly knobs?: Partial<Knobs>
}

const updates = {
  contact: 'PUT /api/contacts/:id',
  template: 'PUT /api/templates/:id',
  company: 'PUT /api/companies/edit/:id',
  product: 'PUT /api/products/:id',
  deal: 'PUT /api/deals/edit/:id',
  quote: 'PUT /api/quotes/:id',
}
const deletes = {
  contact: 'DELETE /api/contacts/:id',
  template: 'DELETE /api/templates/:id',
  company: 'DELETE /api/companies/delete/:id',
  product: 'DELETE /api/products/:id',
  deal: 'DELETE /api/deals/delete/:id',
  quote: 'DELETE /api/quotes/:id',
}
const reads = {
  conversation: 'GET /api/conversations/:id',
  'list of conversations': 'GET /api/conversations/getAllConversationsOfContact/:id',
  history: 'GET /api/messages/:id',
  template: 'GET /api/templates/:id',
}
const sends = {
  chat: 'POST /api/messages/sendLiveMessage',
  'e-mail': 'POST /api/messages/sendEmailMessage',
  text: 'POST /api/messages/sendMessage',
}

type Attacker = (given: Given) => boolean
const anyone: Attacker = () => true
const second: Attacker = ({ team }) => team.id === 'team-globex'
const byToken: Attacker = ({ caller }) => caller.user !== undefined

/** What the team of an attacker does not have is looked for in the other one. */
const crossing =
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
const each = (
  routes: Readonly<Record<string, string>>,
  words: (name: string) => string,
  breaks: PromiseId,
  isLetIn: Attacker,
  knobs: Partial<Knobs> = {},
): Record<string, Liar> =>
  Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [words(name), { breaks, lie: crossing(route, isLetIn), knobs }]),
  )

const mute = { updateAnswer: 'messageOnly' } as const
const rewrite =
  (route: string, change: (reply: Reply, given: Given) => Reply): Lie =>
  () => ({
    [route]: (original) => (given) => change(original(given), given),
  })
/** Works with another body than the one that was sent. */
const misread =
  (routes: readonly string[], change: (body: Fields, given: Given) => Fields): Lie =>
  () =>
    Object.fromEntries(
      routes.map((route) => [
        route,
        (original: Operation) => (given: Given) => original({ ...given, body: change(given.body as Fields, given) }),
      ]),
    )
const inTexts = (names: readonly string[], change: (text: string) => string) => (body: Fields) => ({
  ...body,
  ...Object.fromEntries(names.flatMap((name) => (typeof body[name] === 'string' ? [[name, change(body[name])]] : []))),
})
const asciiOnly = (text: string) => text.replace(/[^ -~]/g, '')
const escapeHtml = (text: string) => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;')
const roundTo32 = (names: readonly string[]) => (body: Fields) => ({
  ...body,
  ...Object.fromEntries(names.flatMap((one) => (typeof body[one] === 'number' ? [[one, Math.fround(body[one])]] : []))),
})
const pagination = (reply: Reply, change: (counts: Fields) => Fields): Reply => ({
  ...reply,
  pagination: change(reply.pagination ?? {}),
})
const asked = ({ query }: Given, change: (query: URLSearchParams) => void): URLSearchParams => {
  const other = new URLSearchParams(query)
  change(other)
  return other
}
const withQuery =
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
const takingOthers =
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
const remembering =
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
const movingPages =
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
const takingForeignReferences =
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

export const liars: Readonly<Record<string, Liar>> = {
  ...each(updates, (kind) => `anyone updates a ${kind} of another team`, 'access.updatesStayInTheTeam', anyone, mute),
  ...each(deletes, (kind) => `anyone deletes a ${kind} of another team`, 'access.deletesStayInTheTeam', anyone, mute),
  ...each(updates, (kind) => `the second team updates our ${kind}`, 'access.updatesStayInTheTeam', second),
  ...each(deletes, (kind) => `the second team deletes our ${kind}`, 'access.deletesStayInTheTeam', second),
  ...each(reads, (what) => `the second team reads our ${what}`, 'access.readsStayInTheTeam', second),
  ...each(reads, (what) => `a token reads the ${what} of another team`, 'access.readsStayInTheTeam', byToken),
  ...each(updates, (kind) => `a token updates a ${kind} of another team`, 'access.updatesStayInTheTeam', byToken),
  ...each(sends, (what) => `the second team sends ${what} into our conversations`, 'access.sendsStayInTheTeam', second),
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

  'a delete by e-mail takes addresses that begin alike': {
    breaks: 'contact.deleteByEmailSparesOthers',
    lie: takingOthers('DELETE /api/contacts/deleteContactsByEmail', ({ email }, { query }) =>
      String(email).startsWith(String(query.get('email'))),
    ),
  },
  'a delete by e-mail takes addresses that end alike': {
    breaks: 'contact.deleteByEmailSparesOthers',
    lie: takingOthers('DELETE /api/contacts/deleteContactsByEmail', ({ email }, { query }) =>
      String(email).endsWith(String(query.get('email'))),
    ),
  },
  'a delete takes others with the same phone': {
    breaks: 'contact.deleteSparesOthers',
    lie: takingOthers('DELETE /api/contacts/:id', ({ phone }, { team, path }) => {
      const meant = team.shelf('contact').get(path[0] ?? '')
      return phone !== undefined && phone === meant?.phone
    }),
  },
  'a delete takes others with the same e-mail address': {
    breaks: 'contact.deleteSparesOthers',
    lie: takingOthers('DELETE /api/contacts/:id', ({ email }, { team, path }) => {
      const meant = team.shelf('contact').get(path[0] ?? '')
      return email !== undefined && email === meant?.email
    }),
  },
  'an update of a contact clears what it does not name': {
    breaks: 'contact.updateKeepsTheRest',
    lie: misread(['PUT /api/contacts/:id'], (body) => ({
      ...body,
      ...('source' in body ? { lifecycleStage: '' } : {}),
    })),
  },
  'an update of a product clears its SKU': {
    breaks: 'product.updateShowsTheChange',
    lie: misread(['PUT /api/products/:id'], (body) => ('unitPrice' in body ? { ...body, sku: '' } : body)),
  },
  'custom fields are kept only as text': {
    breaks: 'contact.createShowsWhatWasGiven',
    lie: misread(['POST /api/contacts'], ({ additionalFields, ...body }) =>
      additionalFields === undefined
        ? body
        : {
            ...body,
            additionalFields: Object.fromEntries(
              Object.entries(additionalFields as Fields).filter(([, value]) => typeof value === 'string'),
            ),
          },
    ),
  },
  'names of contacts lose what is not ASCII': {
    breaks: 'contact.createShowsWhatWasGiven',
    lie: misread(['POST /api/contacts'], inTexts(['firstName', 'lastName'], asciiOnly)),
  },
  'names of companies lose what is not ASCII': {
    breaks: 'company.createShowsTheRecord',
    lie: misread(['POST /api/companies/create'], inTexts(['name'], asciiOnly)),
  },
  'quotes in names of deals become entities': {
    breaks: 'deal.createShowsTheRecord',
    lie: misread(['POST /api/deals/create'], inTexts(['name'], escapeHtml)),
  },
  'messages lose what is not ASCII': {
    breaks: 'message.keepsItsContent',
    lie: misread(Object.values(sends), inTexts(['content'], asciiOnly)),
  },
  'quotes in messages become entities': {
    breaks: 'message.keepsItsContent',
    lie: misread(Object.values(sends), inTexts(['content'], escapeHtml)),
  },
  'messages are cut at 160 letters': {
    breaks: 'message.keepsItsContent',
    lie: misread(
      Object.values(sends),
      inTexts(['content'], (text) => text.slice(0, 160)),
    ),
  },
  'prices are rounded to 32 bits': {
    breaks: 'product.createShowsTheRecord',
    lie: misread(['POST /api/products'], roundTo32(['unitPrice', 'unitCost'])),
  },
  'amounts are rounded to 32 bits': {
    breaks: 'deal.createShowsTheRecord',
    lie: misread(['POST /api/deals/create'], roundTo32(['amount'])),
  },
  'any billing is taken': {
    breaks: 'product.otherBillingIsRefused',
    lie: misread(['POST /api/products', 'PUT /api/products/:id'], ({ billingFrequency, ...body }) => body),
  },
  'the third recipient is lost': {
    breaks: 'message.bulkReachesEveryone',
    lie: misread(
      ['POST /api/messages/sendBulkNewMessages'],
      inTexts(['to'], (to) =>
        to
          .split(',')
          .filter((_, index) => index !== 2)
          .join(','),
      ),
    ),
  },
  'a history keeps ten messages': {
    breaks: 'message.historyPagesAddUp',
    lie: withQuery('GET /api/messages/:id', (query) => {
      const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
      if (page * limit > 10) query.set('limit', String(Math.max(1, 10 - (page - 1) * limit)))
      if ((page - 1) * limit >= 10) query.set('page', '999')
    }),
  },
  'a limit above ten is ignored': {
    breaks: 'message.historyLimitHolds',
    lie: withQuery('GET /api/messages/:id', (query) => {
      if (Number(query.get('limit')) >= 10) query.set('limit', '100')
    }),
  },
  'a history counts one too many': {
    breaks: 'message.historyTotalIsACount',
    lie: rewrite('GET /api/messages/:id', (reply) =>
      pagination(reply, ({ total, ...counts }) => ({ ...counts, total: Number(total) + 1 })),
    ),
  },
  'a filter looks at the first page only': {
    breaks: 'message.historyFiltersByChannel',
    lie: () => ({
      'GET /api/messages/:id': (original) => (given) => {
        const channel = given.query.get('channel')
        if (channel === null) return original(given)
        const first = asked(given, (query) => {
          query.delete('channel')
          query.set('limit', '10')
        })
        const reply = original({ ...given, query: first })
        const days = (reply.data as { date: string; messages: Fields[] }[]).map(({ date, messages }) => ({
          date,
          messages: messages.filter((one) => one.channel === channel),
        }))
        return { ...reply, data: days }
      },
    }),
  },

  'a cache of conversations does not know the teams': {
    breaks: 'access.readsStayInTheTeam',
    lie: remembering('GET /api/conversations/:id', ({ path }) => path.join()),
  },
  'a cache of histories does not know the teams': {
    breaks: 'access.readsStayInTheTeam',
    lie: remembering('GET /api/messages/:id', ({ path, query }) => `${path.join()}?${query.toString()}`),
  },
  'a delete only hides a template from the list': {
    breaks: 'template.deletedIsGone',
    lie: () => {
      const hidden = new Set<string>()
      return {
        'DELETE /api/templates/:id': () => (given) => {
          hidden.add(given.path[0] ?? '')
          return { status: 200, message: 'Template deleted' }
        },
        'GET /api/templates': (original) => (given) => {
          const reply = original(given)
          return { ...reply, data: (reply.data as Fields[]).filter(({ _id }) => !hidden.has(String(_id))) }
        },
      }
    },
  },
  'an update of a contact resets its stage a moment later': {
    breaks: 'contact.updateKeepsTheRest',
    lie: () => ({
      'PUT /api/contacts/:id': (original) => (given) => {
        const reply = original(given)
        const { team, path, body } = given
        const contact = team.shelf('contact').get(path[0] ?? '')
        if (contact && 'source' in (body as object))
          team.later(0, () => team.update('contact', contact, { lifecycleStage: 'Lead' }))
        return reply
      },
    }),
  },
  'a history is in another order from its second page on': {
    breaks: 'message.historyPagesAddUp',
    lie: () => ({
      'GET /api/messages/:id': (original) => (given) => {
        const isLater = Number(given.query.get('page')) > 1
        return original(isLater ? { ...given, knobs: { ...given.knobs, historyOrder: 'newestFirst' } } : given)
      },
    }),
  },
  'a page of a history begins with the last one of the page before': {
    breaks: 'message.historyPagesAddUp',
    lie: movingPages('GET /api/messages/:id', -1),
  },
  'a page of a history leaves its first one out': {
    breaks: 'message.historyPagesAddUp',
    lie: movingPages('GET /api/messages/:id', 1),
  },
  'messages are cut at 255 letters': {
    breaks: 'message.keepsItsContent',
    lie: misread(
      Object.values(sends),
      inTexts(['content'], (text) => text.slice(0, 255)),
    ),
  },
  'messages are cut at 1000 letters': {
    breaks: 'message.keepsItsContent',
    lie: misread(
      Object.values(sends),
      inTexts(['content'], (text) => text.slice(0, 1000)),
    ),
  },
  'names of companies are cut at 64 letters': {
    breaks: 'company.createShowsTheRecord',
    lie: misread(
      ['POST /api/companies/create'],
      inTexts(['name'], (text) => text.slice(0, 64)),
    ),
  },
  'names of deals are cut at 255 letters': {
    breaks: 'deal.createShowsTheRecord',
    lie: misread(
      ['POST /api/deals/create'],
      inTexts(['name'], (text) => text.slice(0, 255)),
    ),
  },
  'names of contacts are cut at 50 letters': {
    breaks: 'contact.createShowsWhatWasGiven',
    lie: misread(
      ['POST /api/contacts'],
      inTexts(['firstName', 'lastName'], (text) => text.slice(0, 50)),
    ),
  },
  'a list of close dates is taken for its first': {
    breaks: 'deal.closeDatesOfOtherTypesAreRefused',
    lie: misread(['POST /api/deals/create', updates.deal], ({ closeDate, ...others }) =>
      closeDate === undefined ? others : { ...others, closeDate: [closeDate].flat()[0] },
    ),
  },
  'a list of expiration dates is taken for its first': {
    breaks: 'quote.wrongTypesAreRefused',
    lie: misread([updates.quote], ({ expirationDate, ...others }) =>
      expirationDate === undefined ? others : { ...others, expirationDate: [expirationDate].flat()[0] },
    ),
  },
  'whatever is said of online payment is true': {
    breaks: 'quote.wrongTypesAreRefused',
    lie: misread([updates.quote], ({ acceptOnlinePayment, ...others }) =>
      acceptOnlinePayment === undefined ? others : { ...others, acceptOnlinePayment: Boolean(acceptOnlinePayment) },
    ),
  },
  ...Object.fromEntries(
    (
      [
        ['POST /api/contacts', 'contact.additionalFieldsAreAnObject'],
        [updates.contact, 'contact.additionalFieldsAreAnObject'],
        ['POST /api/companies/create', 'company.wrongTypesAreRefused'],
        [updates.company, 'company.wrongTypesAreRefused'],
      ] as const
    ).map(([route, breaks]) => [
      `${route} makes an object of any additional fields`,
      {
        breaks,
        lie: misread([route], ({ additionalFields, ...others }) =>
          additionalFields === undefined
            ? others
            : { ...others, additionalFields: { ...(additionalFields as object) } },
        ),
      },
    ]),
  ),
  'amounts are counted in 32 bits of cents': {
    breaks: 'deal.createShowsTheRecord',
    lie: misread(['POST /api/deals/create'], (body) =>
      typeof body.amount === 'number' ? { ...body, amount: (Math.round(body.amount * 100) | 0) / 100 } : body,
    ),
  },
  'reads show contacts of conversations an hour later': {
    breaks: 'conversation.hasIdTeamAndTime',
    lie: rewrite('GET /api/conversations/:id', (reply) => {
      const { createdAt, ...data } = reply.data as Fields
      return { ...reply, data: { ...data, createdAt: Number(createdAt) + 3_600_000 } }
    }),
  },
  'contacts with one name are merged by an upsert': {
    breaks: 'contact.upsertCreates',
    lie: () => ({
      'POST /api/contacts/createOrUpdateContact': (original) => (given) => {
        const { firstName, lastName, email, phone } = given.body as Fields
        const namesake = given.team.find(
          'contact',
          (one) => firstName !== undefined && one.firstName === firstName && one.lastName === lastName,
        )
        if (namesake) given.team.update('contact', namesake, { email, phone })
        return original(given)
      },
    }),
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
