import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../../contracts/client/answer.ts'
import type { StartedTarget } from '../../../contracts/index.ts'
import type { CheckResult } from '../../../contracts/judge/outcome.ts'
import type { Send } from '../../../contracts/client/transport.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import { resultsOf, send } from '../deviants/suite.ts'
import { accusationsIn } from './accusations.ts'
import { otherTarget, startOtherServer, type Deviation } from './server.ts'
import { refuse, refuseUnless, Refusal, type Given, type Operation, type Reply } from './replies.ts'
import type { Fields, Team } from './team.ts'

/** A server with unusual behaviour that the specification allows. */
interface OwnWay {
  readonly way: Deviation
  /** The promises that such a server was once said to break, or that could not be judged. */
  readonly judged: readonly PromiseId[]
  /** Their outcome. */
  readonly replaceAll?: 'kept' | 'inconclusive' | 'warned'
}

const updates = {
  contact: 'PUT /api/contacts/:id',
  template: 'PUT /api/templates/:id',
  company: 'PUT /api/companies/edit/:id',
  product: 'PUT /api/products/:id',
  deal: 'PUT /api/deals/edit/:id',
  quote: 'PUT /api/quotes/:id',
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

/** Searches the other team for a record that the team of the caller does not have. */
const crossing =
  (route: string): Deviation =>
  (teams) => ({ [route]: (original) => (given) => crossOver(original, given, teams) })

function crossOver(original: Operation, given: Given, teams: readonly Team[]): Reply {
  try {
    return original(given)
  } catch (refusal) {
    const other = teams.find((team) => team !== given.team)
    if (!(refusal instanceof Refusal) || refusal.status !== 404 || !other) throw refusal
    return original({ ...given, team: other, caller: { user: undefined, role: 'admin' } })
  }
}

const rewrite =
  (route: string, change: (reply: Reply, given: Given) => Reply): Deviation =>
  () => ({
    [route]: (original) => (given) => change(original(given), given),
  })

const resolve = 'POST /api/conversations/getConversationByPhoneAndEmail'
const createTemplate = 'POST /api/templates'
const listTemplates = 'GET /api/templates'

/** Fields of the record in a reply, or of each of them. */
const inData =
  (change: (record: Fields) => Fields) =>
  (reply: Reply): Reply => ({
    ...reply,
    ...(reply.data === undefined
      ? {}
      : { data: Array.isArray(reply.data) ? reply.data.map(change) : change(reply.data as Fields) }),
  })

const onEach = (routes: readonly string[], change: (reply: Reply, given: Given) => Reply): Deviation => {
  const deviations = routes.map((route) => rewrite(route, change))
  return (teams) => Object.assign({}, ...deviations.map((deviation) => deviation(teams))) as ReturnType<Deviation>
}

const withoutPlus = (record: Fields): Fields => ({
  ...record,
  ...(typeof record.phone === 'string' ? { phone: record.phone.replace('+', '') } : {}),
  ...(typeof record.contactId === 'object' ? { contactId: plainNumber(record.contactId as Fields) } : {}),
})
const plainNumber = (contact: Fields): Fields =>
  typeof contact.phoneNumber === 'string' ? { ...contact, phoneNumber: contact.phoneNumber.replace('+', '') } : contact

/** Refuses a create or an update with another value than these. */
const listing = (routes: readonly string[], lists: Readonly<Record<string, readonly string[]>>): Deviation => {
  const holding = (original: Operation) => (given: Given) => {
    for (const [field, values] of Object.entries(lists)) {
      const value = (given.body as Fields)[field]
      refuseUnless(value === undefined || values.includes(value as string), given.switches)
    }
    return original(given)
  }
  return () => Object.fromEntries(routes.map((route) => [route, holding]))
}

/** A second template of this name gets another. */
const numbering: Deviation = (teams) => ({
  [createTemplate]: (original) => (given) => {
    const body = given.body as Fields
    const isTaken = teams.some((team) => team.find('template', ({ uniqueName }) => uniqueName === body.uniqueName))
    return original(isTaken ? { ...given, body: { ...body, uniqueName: `${String(body.uniqueName)}_2` } } : given)
  },
})

/** The second team has other providers, with a different prefix in their ids. */
const ownProviders: Deviation = () =>
  Object.fromEntries(
    [createTemplate, ...Object.values(sends)].map((route) => [
      route,
      (original: Operation) => (given: Given) => {
        const body = given.body as Fields | undefined
        if (given.team.id !== 'team-globex' || !body) return original(given)
        const field = route === createTemplate ? 'provider' : 'providerId'
        const named = body[field]
        if (typeof named !== 'string') return original(given)
        if (!named.startsWith('globex-')) refuse(given.switches, 404)
        return original({ ...given, body: { ...body, [field]: named.replace('globex-', '') } })
      },
    ]),
  )

/** Another client has templates, and deletes one of them at each delete of the run. */
const sharing: Deviation = ([team]) => {
  const others = Array.from({ length: 40 }, (_, index) => {
    const fields = { templateType: 'sms', name: 'Hours', uniqueName: `hours_${index}`, status: 'approved' }
    return team?.insert('template', { ...fields, content: 'At nine', provider: 'sms-provider' })._id ?? ''
  })
  return {
    'DELETE /api/templates/:id': (original) => (given) => {
      given.team.remove('template', others.pop() ?? '')
      return original(given)
    },
  }
}

let versions = 0

const toMarketing = inData((template) =>
  template.category === 'UTILITY' ? { ...template, category: 'MARKETING' } : template,
)

/** An id of a record as the record. */
const populate = ([name, value]: [string, unknown]): [string, unknown] => {
  const show = (id: unknown) => ({ _id: id, name: 'Something' })
  if (!/^(stage|pipeline|contactId|companyId|company|contacts|dealId)$/.test(name)) return [name, value]
  return [name, Array.isArray(value) ? value.map(show) : value === undefined ? value : show(value)]
}

const withoutData = [
  'DELETE /api/templates/:id',
  'DELETE /api/contacts/deleteContactsByEmail',
  'DELETE /api/companies/delete/:id',
  'DELETE /api/products/:id',
  'DELETE /api/deals/delete/:id',
  'DELETE /api/quotes/:id',
  'POST /api/messages/sendBulkNewMessages',
]

const onEachRequest =
  (routes: readonly string[], check: (given: Given) => void): Deviation =>
  () =>
    Object.fromEntries(
      routes.map((route) => [
        route,
        (original: Operation) => (given: Given) => {
          check(given)
          return original(given)
        },
      ]),
    )

const ownWays: Readonly<Record<string, OwnWay>> = {
  'a conversation shows no name where there is none': {
    way: rewrite(
      resolve,
      inData((conversation) => {
        const { name, ...contact } = conversation.contactId as Fields
        return name ? conversation : { ...conversation, contactId: contact }
      }),
    ),
    judged: ['conversation.contactIsPopulated'],
  },
  'phone numbers are shown without the plus': {
    way: onEach(
      [
        resolve,
        reads.conversation,
        reads['list of conversations'],
        updates.contact,
        'POST /api/contacts',
        'POST /api/contacts/createOrUpdateContact',
        'POST /api/contacts/create-new-conversation',
        'DELETE /api/contacts/:id',
      ],
      inData(withoutPlus),
    ),
    judged: ['conversation.contactIsTheOneMeant', 'contact.createShowsWhatWasGiven', 'contact.upsertUpdates'],
  },
  'the platform moves templates to MARKETING': {
    way: onEach([reads.template, listTemplates], toMarketing),
    judged: ['template.createTakesAForm', 'template.listIsAList', 'template.getShowsWhatElseWasGiven'],
  },
  'records count their updates in a field of their own': {
    way: onEach(
      Object.values(updates),
      inData((record) => ({ ...record, __v: ++versions })),
    ),
    judged: ['contact.updateKeepsTheRest', 'error.refusalChangesNothing'],
  },
  'another client deletes its templates': {
    way: sharing,
    judged: ['template.deletedIsGone', 'template.listHoldsWhatWasCreated', 'template.listTotal'],
  },
  'a taken uniqueName gets a number': { way: numbering, judged: ['template.takenUniqueNameIsRefused'] },
  'deals are in euros or dollars': {
    way: listing(['POST /api/deals/create', updates.deal], { currency: ['EUR', 'USD'] }),
    judged: ['deal.takesEveryField', 'deal.updateTakesAnyOneField'],
  },
  'an SMS tells how to end them': {
    way: rewrite(
      sends.text,
      inData((message) => ({ ...message, content: `${String(message.content)} Reply STOP to end` })),
    ),
    judged: ['message.keepsItsContent'],
  },
  'deals show their pipeline, stage, contacts and company, and quotes their deal': {
    way: onEach(
      ['POST /api/deals/create', updates.deal, 'POST /api/quotes', updates.quote],
      inData((record) => Object.fromEntries(Object.entries(record).map(populate))),
    ),
    judged: [
      'deal.createShowsTheRecord',
      'deal.updateTakesAnyOneField',
      'deal.updateShowsTheChange',
      'quote.createShowsTheRecord',
      'quote.updateShowsTheChange',
      'quote.startsAsDraft',
      'access.deletesStayInTheTeam',
    ],
  },
  'companies show an address of several fields, and their contacts': {
    way: onEach(
      ['POST /api/companies/create', updates.company],
      inData((company) => ({
        ...company,
        address: { street: '1 Mill Lane' },
        contacts: [{ _id: 'c-1', name: 'Ada' }],
      })),
    ),
    judged: ['company.createShowsTheRecord', 'company.updateShowsTheChange'],
  },
  'deletes answer with empty data': {
    way: onEach(withoutData.slice(0, -1), (reply) => ({ ...reply, data: {} })),
    judged: ['envelope.outcomeStandsAlone', 'envelope.outcomeIsStated'],
  },
  'deletes and bulk sends answer without a message': {
    way: onEach(withoutData, ({ message, ...reply }) => reply as Reply),
    judged: ['envelope.outcomeIsStated'],
    replaceAll: 'warned',
  },
  'a conversation that does not exist has an empty history': {
    way: () => ({
      [reads.history]: (original) => (given) => {
        try {
          return original(given)
        } catch {
          const pagination = { total: 0, currentPage: 1, totalPages: 0, hasMore: false }
          return { status: 200, message: 'History found', data: [], pagination }
        }
      },
    }),
    judged: ['error.readingTheUnknownIs404'],
  },
  'a form has a file': {
    way: onEachRequest([createTemplate, updates.template], ({ form, switches }) =>
      refuseUnless(!form || form.files.length > 0, switches),
    ),
    judged: ['template.createTakesAForm', 'template.updateTakesAForm', 'template.buttonsInAFormAreText'],
  },
  'a provider is looked up among those of the channel': {
    way: onEachRequest(['POST /api/messages/sendBulkNewMessages'], ({ body, switches, team }) => {
      const { channel, providerId } = fieldsOf(body)
      const provider = team.providers.find(({ _id }) => _id === providerId)
      if (provider && provider.channel !== channel) refuse(switches, 404)
    }),
    judged: ['message.bulkProviderMatchesTheChannel'],
  },
  'bulk is for more than one': {
    way: onEachRequest(['POST /api/messages/sendBulkNewMessages'], ({ body, switches }) =>
      refuseUnless(String((body as Fields).to).includes(','), switches),
    ),
    judged: ['message.bulkAnswers200', 'message.bulkSmsNeedsNoSubject'],
    replaceAll: 'inconclusive',
  },
}

interface Trial {
  readonly deviation?: Deviation | undefined
  readonly wanted?: StartedTarget['wanted']
  readonly through?: Send
}

async function judge(ids: readonly PromiseId[], { deviation, wanted, through = send }: Trial) {
  const server = await startOtherServer({}, { deviation })
  try {
    const results: CheckResult[] = []
    for await (const result of resultsOf(ids, otherTarget(server.url, wanted), through)) results.push(result)
    return { accusations: results.flatMap(accusationsIn), outcomes: results.map(({ outcome }) => outcome), results }
  } finally {
    await server.close()
  }
}

describe('The suite accuses no server where', () => {
  it.each(Object.entries(ownWays))('%s', async (_, { way, judged, replaceAll = 'kept' }) => {
    const { accusations, outcomes } = await judge(judged, { deviation: way })
    expect(accusations).toEqual([])
    expect(outcomes).toEqual(judged.map(() => replaceAll))
  })

  it('another content type is refused with 415', async () => {
    const through: Send = async (request, timeout) => {
      const incoming = await send(request, timeout)
      const isRefused = incoming.status === 400 && request.headers['content-type'] === 'text/plain'
      return isRefused ? { ...incoming, status: 415 } : incoming
    }
    const ids = ['error.statusIsDocumented', 'contact.upsertRefusesPlainText'] as const
    const { accusations, outcomes } = await judge(ids, { through })
    expect(accusations).toEqual([])
    expect(outcomes).toEqual(['kept', 'kept'])
  })
})

it.each<[where: string, shown: RegExp, instead: () => string, outcome: CheckResult['outcome']]>([
  ['upserts create a contact each', /"_id":"[^"]*"/, () => `"_id":"${randomUUID()}"`, 'kept'],
  [
    'conversations show only the id of their contact',
    /"contactId":\{[^}]*\}/,
    () => '"contactId":"c-1"',
    'inconclusive',
  ],
])('reports no mixed teams where %s', async (_, shown, instead, outcome) => {
  const through: Send = async (request, timeout) => {
    const incoming = await send(request, timeout)
    const isChanged = /createOrUpdateContact|getConversationByPhoneAndEmail/.test(request.url)
    return isChanged ? { ...incoming, text: incoming.text.replace(shown, instead) } : incoming
  }
  expect((await judge(['access.sameAddressInTwoTeams'], { through })).outcomes).toEqual([outcome])
})

it('counts answers without a message as answers of their operation', async () => {
  const deviation = ownWays['deletes and bulk sends answer without a message']?.way
  const { results } = await judge(['envelope.outcomeIsStated'], { deviation })
  const answers = results.flatMap((result) => result.answers)
  expect(answers.find(({ operation }) => operation === 'sendBulkMessages')?.successes).toBeGreaterThan(0)
})

it('reports one broken promise where a delete of a contact answers without data', async () => {
  const deviation: Deviation = () => ({
    'DELETE /api/contacts/:id': (original) => (given) => {
      const { data, ...reply } = original(given)
      return reply
    },
  })
  const { outcomes } = await judge(['contact.deleteAnswersWithTheContact', 'access.recordsCarryTheirTeam'], {
    deviation,
  })
  expect(outcomes).toEqual(['broken', 'kept'])
})

describe('A second team with other providers', () => {
  const isolation = ['access.readsStayInTheTeam', 'access.sendsStayInTheTeam', 'access.listsStayInTheTeam'] as const
  const wanted = {
    otherEmailProvider: 'globex-email-provider,globex-hello@team2.example.com',
    otherSmsProvider: 'globex-sms-provider',
    otherWhatsappProvider: 'globex-whatsapp-provider',
  }

  it('is judged once they are named', async () => {
    const unnamed = await judge(isolation, { deviation: ownProviders })
    expect(unnamed.outcomes).toEqual(['inconclusive', 'inconclusive', 'inconclusive'])
    for (const { reason } of unnamed.results) expect(reason).toContain('name them, such as with --other-sms-provider')
    expect((await judge(isolation, { deviation: ownProviders, wanted })).outcomes).toEqual(['kept', 'kept', 'kept'])
  })

  it('cannot hide behind them that it writes into the conversations of others', async () => {
    const deviation: Deviation = (teams) => {
      const [own, letIn] = [ownProviders(teams), crossing(sends['e-mail'])(teams)]
      const route = sends['e-mail']
      return { ...own, [route]: (original) => own[route]?.(letIn[route]?.(original) ?? original) ?? original }
    }
    expect((await judge(['access.sendsStayInTheTeam'], { deviation, wanted })).outcomes).toEqual(['broken'])
  })
})
