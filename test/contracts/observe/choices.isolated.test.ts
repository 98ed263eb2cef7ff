import '../learn/without-waiting.ts'
import { describe, expect, it } from 'vitest'
import { Choices } from '../../../contracts/observe/choices.ts'
import { readers } from '../../../contracts/questions/index.ts'
import { assumption, type AssumptionName } from '../../../spec/assumptions.ts'
import type { WrittenChoices } from '../../../spec/choices.ts'
import { fuzzRun, type Fetch, profiles } from '../../mock/fuzz/fuzz-run.ts'
import { inTier, sampleOf, seed } from '../../tier.ts'
import { askSandbox, askServer } from '../learn/helpers.ts'
import { otherTarget, startOtherServer } from '../other-server/server.ts'
import { newObserver, observed } from './helpers.ts'

const names = [...readers.keys()]

/** The findings that are not the choice of the sandbox. */
const wrongIn = ({ findings }: Choices, assume: WrittenChoices) =>
  findings.filter(({ name, finding }) => {
    const [made] = (assume[name] ?? assumption(name).assumed).split(':')
    return finding.outcome !== 'seen' || finding.written !== made
  })

/** Shows an observer each exchange of a client that calls `fetch`. */
const observedFetch =
  ({ observe }: ReturnType<typeof newObserver>) =>
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const { pathname, search } = input as URL
    const headers = Object.fromEntries(new Headers(init?.headers))
    const isJson = headers['content-type']?.startsWith('application/json') === true
    const bytes = isJson && typeof init?.body === 'string' ? Buffer.from(init.body) : undefined
    const passing = observe({ method: init?.method ?? 'GET', url: pathname + search, headers, bytes, at: Date.now() })
    const answer = await fetch(input, init)
    const text = await answer.text()
    passing.onResponse({ status: answer.status, headers: Object.fromEntries(answer.headers), text })
    return new Response(text, { status: answer.status, headers: answer.headers })
  }

it('400 random requests settle many choices, and none wrong', async () => {
  const counts: number[] = []
  for (const [at, assume] of profiles(inTier({ test: 2, ci: 8, nightly: 200 }), seed).entries()) {
    const choices = new Choices()
    await fuzzRun({ requests: 400, seed: seed + at, assume, broken: observedFetch(newObserver({ choices })) })
    expect(wrongIn(choices, assume), `seed ${seed + at}, ${JSON.stringify(assume)}`).toEqual([])
    counts.push(choices.findings.length)
  }
  expect(Math.min(...counts)).toBeGreaterThan(8)
})

/** Of each entry, a choice that is not the assumed one. */
const others = (last: boolean): WrittenChoices =>
  Object.fromEntries(
    names.flatMap((name) => {
      const { choices, assumed } = assumption(name)
      const plain = Object.keys(choices).filter((choice) => choice !== assumed && typeof choices[choice] === 'string')
      const choice = last ? plain.at(-1) : plain[0]
      return choice === undefined ? [] : [[name, choice]]
    }),
  )

describe('the questions of learn settle choices', () => {
  const ways = [
    ['as assumed', {}],
    ['otherwise', others(false)],
    ['in a third way', others(true)],
  ] as const

  it.each(sampleOf(ways, inTier({ test: 1, ci: 3 })))('that are made %s', async (_, assume) => {
    const choices = new Choices()
    const observer = newObserver({ choices })
    await askSandbox(assume, names, {
      change: (request, pass) => observed(observer)((sent) => pass(sent))(request, 1_000),
    })
    expect(wrongIn(choices, assume)).toEqual([])
    expect(choices.findings.length).toBeGreaterThan(names.length * 0.65)
  })
})

it('the questions of learn settle what learn finds, on a server that was written from the specification alone', async () => {
  const server = await startOtherServer()
  try {
    const choices = new Choices()
    const observer = newObserver({ choices })
    const learned = await askServer(otherTarget(server.url), names, {
      change: (request, pass) => observed(observer)((sent) => pass(sent))(request, 1_000),
    })
    const found = choices.findings.flatMap(({ name, finding }) =>
      finding.outcome === 'seen' ? [[name, finding.written]] : [],
    )
    const same = [...learned].flatMap(([name, finding]) =>
      finding.outcome === 'seen' ? [[name, finding.written]] : [],
    )
    expect(Object.fromEntries(same)).toMatchObject(Object.fromEntries(found) as object)
    expect(found.length).toBeGreaterThan(names.length / 2)
  } finally {
    await server.close()
  }
})

const key = { 'x-api-key': 'key', 'content-type': 'application/json' }
type Exchange = readonly [request: string, sent: object | undefined, status: number, answer: object]

/** The choices that these exchanges settle, one after the other. */
function settledBy(...exchanges: readonly Exchange[]) {
  const choices = new Choices()
  const { observe } = newObserver({ choices })
  for (const [request, sent, status, answer] of exchanges) {
    const [method = '', path = ''] = request.split(' ')
    const bytes = sent && Buffer.from(JSON.stringify(sent))
    const text = JSON.stringify({
      success: status < 400,
      message: status < 400 ? 'Done' : 'Resource not found',
      ...answer,
    })
    observe({ method, url: `/api/${path}`, headers: key, bytes, at: 0 }).onResponse({ status, headers: {}, text })
  }
  return Object.fromEntries(
    choices.findings.map(({ name, finding }) => [name, finding.outcome === 'seen' ? finding.written : finding.outcome]),
  )
}

const ids = ['c', 'b', 'a']
const day = (at: number) => new Date(Date.UTC(2026, 2, at)).toISOString()
const made: Exchange = ['POST contacts', { firstName: 'Ada', lastName: 'Lovelace' }, 201, { data: { _id: 'c1' } }]
const gone: Exchange = ['DELETE contacts/c1', undefined, 200, { data: { _id: 'c1' } }]

describe('recorded exchanges settle', () => {
  const templates = (times: readonly number[]): Exchange => [
    'GET templates?types=sms&statuses=approved',
    undefined,
    200,
    { data: times.map((at) => ({ _id: ids[at], createdAt: day(at + 1) })) },
  ]
  const history = (times: readonly number[]): Exchange => [
    'GET messages/c1',
    undefined,
    200,
    { data: times.map((at) => ({ date: day(at), messages: [{ _id: `m${at}`, createdAt: day(at) }] })) },
  ]
  const envelope = (fields: object): Exchange => [
    'GET conversations/getAllConversationsOfContact/c1',
    undefined,
    200,
    { data: [], ...fields },
  ]
  const ofDeal = (status: number): Exchange[] => [
    ['POST deals/create', { name: 'Engine' }, 200, { data: { _id: 'd1', name: 'Engine' } }],
    ['DELETE deals/delete/d1', undefined, 200, {}],
    ['POST quotes', { dealId: 'd1', name: 'Quote' }, status, {}],
  ]

  it.each<[AssumptionName, string | undefined, readonly Exchange[]]>([
    ['templateOrder', 'newestFirst', [templates([2, 1, 0])]],
    ['templateOrder', 'oldestFirst', [templates([0, 1, 2])]],
    ['templateOrder', undefined, [templates([1, 0])]],
    ['templateOrder', 'unstable', [templates([2, 1, 0]), templates([0, 1, 2])]],
    ['historyOrder', 'newestFirst', [history([9, 5, 3])]],
    ['historyOrder', 'oldestFirst', [history([3, 5, 9])]],
    ['historyOrder', undefined, [history([3, 9, 5])]],
    [
      'emptyTotalPages',
      'one',
      [['GET messages/c1', undefined, 200, { data: [], pagination: { total: 0, totalPages: 1 } }]],
    ],
    [
      'conversationsOfUnknownContact',
      'notFound',
      [made, gone, ['GET conversations/getAllConversationsOfContact/c1', undefined, 404, {}]],
    ],
    [
      'conversationsOfUnknownContact',
      undefined,
      [made, ['GET conversations/getAllConversationsOfContact/c1', undefined, 404, {}]],
    ],
    ['unknownTarget', 'badRequest', [made, gone, ['POST conversations', { contactId: 'c1' }, 400, {}]]],
    ['quoteOfUnknownDeal', 'notFound', ofDeal(404)],
    ['quoteOfUnknownDeal', 'badRequest', ofDeal(400)],
    ['statedEnvelope', 'none', [made, envelope({})]],
    ['statedEnvelope', 'some', [envelope({ success: undefined, message: undefined }), made]],
    // One response with the whole envelope says nothing about those without a part of it.
    ['statedEnvelope', 'unstable', [envelope({}), envelope({ message: undefined })]],
    ['statedEnvelope', 'other', [envelope({ message: undefined }), envelope({})]],
    ['statedEnvelope', 'unstable', [envelope({}), ['POST contacts', {}, 201, { data: {}, message: undefined }]]],
    ['newContactStatus', 'other', [['POST contacts', {}, 201, { data: { _id: 'c1', status: 'new' } }]]],
    ['deleteAgain', undefined, [gone, ['POST forgetting', {}, 200, {}], gone]],
  ])('%s=%s', (name, choice, exchanges) => expect(settledBy(...exchanges)[name]).toBe(choice))
})
