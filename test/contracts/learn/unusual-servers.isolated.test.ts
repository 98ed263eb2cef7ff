import './without-waiting.ts'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Incoming, Outgoing } from '../../../contracts/client/transport.ts'
import type { AssumptionName } from '../../../spec/assumptions.ts'
import type { WrittenChoices } from '../../../spec/choices.ts'
import { startOwnTarget } from '../../../cli/own-target.ts'
import { serverThat } from '../../for-one-test.ts'
import { askSandbox, askServer, type Change, forward } from './helpers.ts'

const refused: Incoming = { status: 400, headers: {}, text: '{"success":false,"message":"no"}' }
const accepted: Incoming = { status: 200, headers: {}, text: '{"success":true,"message":"Queued"}' }

const textOf = ({ body }: Outgoing) => body?.toString() ?? ''

const refuseIf =
  (isRefused: (request: Outgoing) => boolean): Change =>
  (request, pass) =>
    isRefused(request) ? refused : pass(request)

/** Changes the text of each response. */
const changeText =
  (toText: (text: string, request: Outgoing) => string): Change =>
  async (request, pass) => {
    const answer = await pass(request)
    return { ...answer, text: toText(answer.text, request) }
  }

const neverSchedule: Change = (request, pass) =>
  request.url.includes('Bulk') && textOf(request).includes('"scheduled"') ? accepted : pass(request)

const other = (words: RegExp) => ({ outcome: 'other', words: expect.stringMatching(words) as string })

type Unusual = [what: string, name: AssumptionName, finding: object, change: Change, assume?: WrittenChoices]

it('a promise that a server breaks meanwhile is named once', async () => {
  const change: Change = async (request, pass) => {
    const answer = await pass(request)
    return request.url.endsWith('/products')
      ? { ...answer, status: answer.status === 201 ? 200 : answer.status }
      : answer
  }
  const { broken } = await askSandbox({}, ['deleteAgain', 'sameRecordTwice'], { change })
  expect(broken).toMatchObject([{ promise: 'product.createAnswers201', operation: 'createProduct', actual: '200' }])
})

describe('no choice is claimed for a server with', () => {
  it.each<Unusual>([
    [
      'a send for the past that is accepted and never sent',
      'scheduleInPast',
      other(/^it is accepted, and not sent/),
      neverSchedule,
    ],
    [
      'a scheduled send without a time that is accepted and never sent',
      'scheduleMissing',
      other(/^it is accepted, and not sent/),
      neverSchedule,
    ],
    [
      'pages from the newest message on, each in the order of time',
      'historyOrder',
      other(/another order than the pages/),
      changeText((text, { method, url }) => {
        if (method !== 'GET' || !url.includes('/api/messages/')) return text
        const body = JSON.parse(text) as { data: { messages: unknown[] }[] }
        return JSON.stringify({
          ...body,
          data: body.data.map((day) => ({ ...day, messages: day.messages.toReversed() })),
        })
      }),
    ],
    [
      'a limit of 500 KB',
      'bodyLimit',
      other(/0\.9 MiB is refused/),
      refuseIf((request) => textOf(request).length > 500_000),
    ],
    [
      'a limit of 5 MiB',
      'bodyLimit',
      other(/9 MiB is refused/),
      refuseIf((request) => textOf(request).length > 5_000_000),
      { bodyLimit: 'none' },
    ],
    [
      'a success without a body',
      'trailingSlash',
      other(/does not say that it is done/),
      (request, pass) => (request.url.endsWith('/') ? { ...accepted, text: '' } : pass(request)),
    ],
    [
      'a check of domains, and of no other text',
      'recordTextForms',
      other(/^domain: checked; .*: anyString$/),
      refuseIf((request) => textOf(request).includes('not a domain')),
    ],
    [
      'a status that cannot go from open to closed',
      'statusMoves',
      other(/from open to closed; quotes: any$/),
      refuseStatus(),
    ],
    [
      'one uniqueName for all',
      'uniqueNameScope',
      other(/two templates of one type/),
      (request, pass) =>
        pass(
          request.body
            ? { ...request, body: Buffer.from(textOf(request).replace(/"taken_/, `"t${count++}_`)) }
            : request,
        ),
    ],
    [
      'templates that are listed by their names',
      'templateOrder',
      other(/something else than their age/),
      changeText((text, { url }) => {
        if (!url.includes('getTemplates') && !url.includes('statuses=')) return text
        const body = JSON.parse(text) as { data: { name: string }[] }
        return JSON.stringify({ ...body, data: body.data.sort((one, two) => one.name.localeCompare(two.name)) })
      }),
    ],
    [
      'a company that shows little, beside others that show all',
      'recordFields',
      other(/^of a company: onlyShown; .*: allSent$/),
      changeText((text) => text.replace(/"industry":"[^"]*",?/, '')),
    ],
    [
      'refusals of SMS to a contact without a number, and none of e-mail to one without an address',
      'receiverWithoutAddress',
      other(/^email: accepted; sms: refused$/),
      refuseTextsWithoutNumber(),
      { receiverWithoutAddress: 'accepted' },
    ],
    [
      'messages that show everything but the provider',
      'messageFields',
      other(/^chat: allSent; sms: the list of fields shown is \["source"\]/),
      changeText((text) => text.replace(/,"providerId":"[^"]*"/, '')),
      { messageFields: 'allSent' },
    ],
    [
      'a list that the answer to an update leaves out',
      'formList',
      { outcome: 'cannotTell' },
      changeText((text) => text.replace(/,"variables":\[[^\]]*\]/, '')),
    ],
    [
      'empty names that an update takes and a create refuses',
      'emptyString',
      other(/^the name of a product, .*: refused; the name in an update of a product: accepted$/),
      refuseIf((request) => request.method === 'POST' && textOf(request).includes('":""')),
      { emptyString: 'accepted' },
    ],
    [
      'two behaviours in two tries',
      'unlistedParameter',
      { outcome: 'unstable', words: 'ignored, then refused' },
      refuseIf(({ url }) => url.includes('pigeon') && ++count % 2 === 0),
      { unlistedParameter: 'ignored' },
    ],
  ])('%s', async (_, name, finding, change, assume = {}) => {
    count = 0
    expect((await askSandbox(assume, [name], { change, patience: 500 })).get(name)).toMatchObject(finding)
  })

  it.each([
    ['JSON that is cut short', '{"success":true,"data":'],
    ['a list for an answer', '[null,3]'],
    ['nulls', '{"success":true,"message":null,"data":null,"meta":3,"pagination":null}'],
    ['one record for every answer', '{"success":true,"message":"OK","data":{"_id":"66f0a1b2c3d4e5f600000010"}}'],
  ])('%s', async (_, text) => {
    const names = ['repeatedKeyInFlight', 'severalMatches', 'mergeFieldPaths', 'templateSendsByAgent'] as const
    const change: Change = async (request, pass) => ({ ...(await pass(request)), status: 200, text })
    const findings = await askSandbox({}, names, { change, patience: 50 })
    for (const finding of findings.values()) expect(finding).toMatchObject({ outcome: 'cannotTell' })
  })
})

it('reads null as an absent value', async () => {
  const change = changeText((text) => text.replace('"status":"open"', '"status":null,"lifecycleStage":null'))
  const findings = await askSandbox({}, ['newContactStatus', 'newContactLifecycle'], { change })
  for (const [name, finding] of findings) expect(finding, name).toEqual({ outcome: 'seen', written: 'absent' })
})

it('names the answer that is not as documented', async () => {
  const change = changeText((text) => text.replace(/"contactId":\{[^}]*\}/, '"contactId":null'))
  const findings = await askSandbox({}, ['contactMatching'], { change })
  expect(findings.get('contactMatching')).toEqual({
    outcome: 'cannotTell',
    words: expect.stringMatching(/^findOrCreateConversation does not answer as documented: .*contactId/) as string,
  })
})

it.each([
  ['is an object', '{}'],
  ['has nothing but null', '[null]'],
])('cannot tell from a history that %s, in each entry that needs it', async (_, data) => {
  const change = changeText((text, { method, url }) =>
    method === 'GET' && url.includes('/api/messages/')
      ? text.replace(/"data":\[.*\](?=,"pagination")/, `"data":${data}`)
      : text,
  )
  const names = ['bulkDelivery', 'scheduleZone', 'scheduleInPast'] as const
  const findings = await askSandbox({}, names, { change, patience: 50 })
  for (const [name, finding] of findings) expect(finding, name).toMatchObject({ outcome: 'cannotTell' })
})

it('throws an error of the probe itself', async () => {
  const change = changeText(() => {
    throw new TypeError('there is no such function')
  })
  await expect(askSandbox({}, ['badPage'], { change })).rejects.toThrow('there is no such function')
})

it('looks for secrets in what it keeps, and not in mebibytes', async () => {
  let read = 0
  const redact = (text: string) => {
    read += text.length
    return text
  }
  await askSandbox({}, ['bodyLimit'], { redact })
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(1_000_000)
})

it('finds a delay when the first read of an immediate effect comes late', async () => {
  let [sends, isSeen] = [0, true]
  const change = changeText((text, { url }) => {
    if (url.endsWith('/sendBulkNewMessages')) isSeen = ++sends < 3
    const body = JSON.parse(text) as { data?: unknown; pagination?: { total?: number } }
    if (isSeen || body.pagination?.total === undefined) return text
    isSeen = true
    return JSON.stringify({ ...body, data: [] })
  })
  const findings = await askSandbox({}, ['bulkDelivery'], { change, patience: 10_000 })
  expect(findings.get('bulkDelivery')).toEqual({
    outcome: 'seen',
    written: expect.stringMatching(/^afterDelay:\d+$/) as string,
  })
})

it('asks for shorter lists where a server refuses long ones', async () => {
  const change = refuseIf(({ url }) => Number(new URL(url).searchParams.get('limit')) > 50)
  const { largestLimit, ...others } = Object.fromEntries(
    await askSandbox({}, ['bothCredentials', 'roleOfKey', 'keyMadeTemplates', 'historyPage', 'largestLimit'], {
      change,
    }),
  )
  for (const [name, finding] of Object.entries(others)) expect(finding, name).toMatchObject({ outcome: 'seen' })
  expect(largestLimit).toMatchObject({ outcome: 'other' })
})

it('finds a template that is on the second page of a list', async () => {
  let first = ''
  const change = changeText((text, { url }) => {
    const { searchParams } = new URL(url)
    if (!searchParams.has('types') || searchParams.get('limit') === '1') return text
    if (searchParams.get('page') !== '1') return first
    first = text
    const body = JSON.parse(text) as { pagination?: object }
    return JSON.stringify({ ...body, data: [], pagination: { ...body.pagination, hasMore: true } })
  })
  const findings = await askSandbox({}, ['roleOfKey'], {
    change: async (...sent) => ({ ...(await change(...sent)), status: 200 }),
  })
  expect(findings.get('roleOfKey')).toMatchObject({ outcome: 'seen', written: 'admin' })
})

it('waits for a history that lags behind', async () => {
  let sentAt = 0
  const change = changeText((text, { method, url }) => {
    if (method === 'POST') sentAt = Date.now()
    if (!url.includes('essages') || method !== 'GET' || Date.now() > sentAt + 100) return text
    return JSON.stringify({ ...(JSON.parse(text) as object), data: [] })
  })
  const names = ['historyOrder', 'severalRecipients', 'messageStatusLater', 'historyPage'] as const
  const findings = await askSandbox({}, names, { change, patience: 500 })
  for (const [name, finding] of findings) expect(finding, name).toMatchObject({ outcome: 'seen' })
})

describe('a server that closes a connection just as it is used again', () => {
  it.each([
    ['GET', 'malformedId'],
    ['POST', 'recordAfterUpdate'],
    ['PUT', 'recordAfterUpdate'],
    ['DELETE', 'deleteAgain'],
  ] as const)('is understood when %s gets no answer once', async (method, name) => {
    let lost = 0
    const finding = await askThrough(
      { deleteAgain: 'succeeds' },
      ({ request }) => request.method === method && ++lost === 2,
      name,
    )
    expect(finding).toMatchObject({ outcome: 'seen' })
    expect(lost).toBeGreaterThan(2)
  })

  it('gets no change a second time, since it may have carried it out', async () => {
    let lost = 0
    const changes: string[] = []
    const isLost: IsLost = ({ request: { method, url }, body }) => {
      if (method !== 'GET') changes.push(`${method} ${url} ${body.toString()}`)
      return method === 'POST' && ++lost % 3 === 0
    }
    await askThrough({}, isLost, 'contactMatching')
    expect(changes).toEqual([...new Set(changes)])
  })
})

describe('a server that never answers a long body', () => {
  it('is not said to refuse it, nor to accept it', async () => {
    const finding = await askThrough({ bodyLimit: 'none' }, ({ body }) => body.length > 5_000_000, 'bodyLimit')
    expect(finding).toEqual({
      outcome: 'cannotTell',
      words: 'createProduct: the connection was closed without a response (ECONNRESET)',
    })
  })
})

let count = 0

/** Lets a contact be closed only when it is in progress. */
function refuseStatus(): Change {
  const statuses = new Map<string, string>()
  return async (request, pass) => {
    const { status } = JSON.parse(textOf(request) || '{}') as { status?: string }
    const id = request.url.split('/').at(-1) ?? ''
    if (request.method === 'PUT' && status === 'closed' && statuses.get(id) === 'open') return refused
    const answer = await pass(request)
    const { data } = JSON.parse(answer.text) as { data?: { _id?: string; status?: string } }
    if (data?._id && data.status) statuses.set(data._id, data.status)
    return answer
  }
}

/** Refuses SMS to a contact that was created without a phone number. */
function refuseTextsWithoutNumber(): Change {
  const withoutNumber = new Set<string>()
  return async (request, pass) => {
    const { contactId = '' } = JSON.parse(textOf(request) || '{}') as { contactId?: string }
    if (request.url.endsWith('/sendMessage') && withoutNumber.has(contactId)) return refused
    const answer = await pass(request)
    const { data } = JSON.parse(answer.text) as { data?: { _id?: string; phone?: string } }
    if (request.url.endsWith('/api/contacts') && data?._id && !data.phone) withoutNumber.add(data._id)
    return answer
  }
}

type IsLost = (received: { readonly request: IncomingMessage; readonly body: Buffer }) => boolean

/** Asks a sandbox behind a server that closes some connections without an answer. */
async function askThrough(assume: WrittenChoices, isLost: IsLost, name: AssumptionName) {
  const own = await startOwnTarget({ assume })
  onTestFinished(() => own.stop())
  const baseUrl = await serverThat((request, answer) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray())
      if (isLost({ request, body })) return request.socket.destroy()
      await forward(own.wanted.baseUrl ?? '', request, body, answer)
    })()
  })
  return (await askServer({ ...own, wanted: { ...own.wanted, baseUrl } }, [name])).get(name)
}
