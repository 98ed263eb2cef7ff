import { expect, it, describe } from 'vitest'
import type { Incoming, Outgoing, Send } from '../../../contracts/client/transport.ts'
import { accuse, judgeOtherServer, judgeOverHttp } from './accusations.ts'
import { inTier, sampleOf } from '../../tier.ts'
import type { StartedTarget } from '../../../contracts/index.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { Switches } from './switches.ts'

// A sample of test/long/freedoms.

it('nothing is called broken on a server written from the specification alone', async () => {
  expect(await accuse({})).toEqual([])
})

const inProcess = [{ lacking: 'null' }, { references: 404 }, { ids: 'uuid', malformedId: 400 }] as const

it.each(sampleOf(inProcess, inTier({ test: 1, nightly: 3 })))(
  'nothing is called broken when it decides otherwise: %o',
  async (switches) => {
    expect(await accuse(switches)).toEqual([])
  },
)

const overHttp = [{ compression: 'always' }, { chunked: true }, { keepAlive: false }] as const

it.each(sampleOf(overHttp, inTier({ test: 1, nightly: 3 })))(
  'nothing is called broken over HTTP when it decides otherwise: %o',
  async (switches) => {
    expect(await accuse(switches, judgeOverHttp)).toEqual([])
  },
)

it.each([
  ['a gateway fails', { busy: 0.02 }, judgeOtherServer],
  ['connections are reset', { reset: 0.02 }, judgeOverHttp],
] as const)('nearly every promise is decided where %s now and then', async (_, switches, judge) => {
  const { accusations, results } = await judge({ ...switches, repeatedKey: 'replayed' })
  expect(accusations).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'inconclusive').length).toBeLessThan(10)
})

const headers = { 'content-type': 'application/json' }
const refusal = (status: number): Incoming => ({
  ...{ status, headers },
  text: JSON.stringify({ success: false, message: status === 404 ? 'Resource not found' : 'no' }),
})

const refuseIf =
  (isRefused: (request: Outgoing) => boolean, status: number) =>
  (send: Send): Send =>
  async (request, timeout) =>
    isRefused(request) ? refusal(status) : send(request, timeout)

it('the text of a 404 is judged by a deleted id where ids are UUIDs, and made-up ids are malformed', async () => {
  const switches = { ids: 'uuid', malformedId: 400, unknownTarget: 400 } as const
  const change = refuseIf(({ method, url }) => method === 'POST' && url.endsWith('/api/quotes'), 400)
  const ids = ['error.notFoundText'] as const
  const outcomeFor = async (text404: string) =>
    (await judgeOtherServer({ ...switches, text404 }, {}, { ids, change })).results[0]?.outcome
  expect([await outcomeFor('Resource not found'), await outcomeFor('Nothing here')]).toEqual(['kept', 'warned'])
})

const wrapData =
  (send: Send): Send =>
  async (request, timeout) => {
    const answer = await send(request, timeout)
    const { data, ...body } = JSON.parse(answer.text) as { data?: unknown }
    return data === undefined ? answer : { ...answer, text: JSON.stringify({ ...body, data: [data] }) }
  }

const withoutValues =
  (send: Send): Send =>
  async (request, timeout) => {
    const answer = await send(request, timeout)
    return { ...answer, text: answer.text.replaceAll(/"(firstName|lastName|name|email|phone|source)":"[^"]*/g, '$&x') }
  }

const hopeless: readonly [string, number, (send: Send) => Send][] = [
  ['refuses made-up addresses', 30, refuseIf(({ body }) => /example\.com|55501\d\d"/.test(String(body)), 400)],
  ['has no pipeline of this id', 30, refuseIf(({ method, url }) => method === 'POST' && url.includes('deal'), 400)],
  // Stories wait beside each other, and all their waits count here.
  ['has only contacts', 40, refuseIf(({ url }) => !url.includes('contacts'), 404)],
  ['wraps its data in a list', 5, wrapData],
  ['shows other texts than it gets', 30, withoutValues],
]

it.each(sampleOf(hopeless, inTier({ test: 1, ci: Infinity })))(
  'a run waits at most half a minute for a server that %s',
  async (_, most, change) => {
    const startedAt = Date.now()
    await judgeOtherServer({}, {}, { change })
    expect(Date.now() - startedAt).toBeLessThan(1000 * most)
  },
)

// A server may refuse the generated material of a run, and accept material that the operator names.

const rows: readonly [string, Partial<Switches>, StartedTarget['wanted'], PromiseId, string][] = [
  [
    'a picture',
    { urls: 'reachable' },
    { mediaUrl: 'https://cdn.crm-tests.net/engine.png' },
    'message.liveTakesOptionalFields',
    'name a picture with --media-url',
  ],
  [
    'a domain for e-mail',
    { emailDomains: 'noExamplesAtAllInSends', badRecipients: 'skipped' },
    { emailDomain: 'crm-tests.net' },
    'message.addressAloneIsEnough',
    'name another domain with --email-domain',
  ],
  [
    'a domain for companies',
    { emailDomains: 'noExamplesOfCompanies' },
    { emailDomain: 'crm-tests.net' },
    'company.takesEveryField',
    'name another domain with --email-domain',
  ],
]

describe('A promise is judged once the operator has named', () => {
  it('an approved WhatsApp template, where new ones stay pending', async () => {
    const ids = ['message.whatsappTakesATemplate', 'message.bulkTakesATemplate'] as const
    let whatsappTemplate = ''
    const listNone =
      (send: Send): Send =>
      async (request, timeout) => {
        const answer = await send(request, timeout)
        if (request.method !== 'GET' || !request.url.includes('types=whatsapp')) return answer
        const { data = [], ...body } = JSON.parse(answer.text) as { data?: { _id: string }[] }
        whatsappTemplate = data[0]?._id ?? whatsappTemplate
        return { ...answer, text: JSON.stringify({ ...body, data: [] }) }
      }
    const judge = async (wanted: StartedTarget['wanted']) =>
      (await judgeOtherServer({ whatsappStarts: 'pending' }, wanted, { ids, change: listNone })).results
    const reason = 'needs an approved WhatsApp template of the team: --whatsapp-template'
    const [skipped, kept] = [{ outcome: 'skipped', reason }, { outcome: 'kept' }]
    expect(await judge({})).toMatchObject([skipped, skipped])
    expect(await judge({ whatsappTemplate })).toMatchObject([kept, kept])
  })

  it.each(rows)('%s', async (_, switches, wanted, promise, advice) => {
    const judge = async (options: StartedTarget['wanted']) =>
      (await judgeOtherServer(switches, options, { ids: [promise] })).results[0]
    expect(await judge({})).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringContaining(advice) as unknown,
    })
    expect(await judge(wanted)).toMatchObject({ outcome: 'kept' })
  })
})
