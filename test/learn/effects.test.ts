import { describe, expect, it, onTestFinished } from 'vitest'
import { createMint, newMarks } from '../../client/mint.ts'
import { createTarget } from '../../client/target/target.ts'
import type { Incoming, Outgoing } from '../../client/transport.ts'
import { undiciTransport } from '../../client/transport.ts'
import { Prober } from '../../learn/prober.ts'
import type { Finding } from '../../learn/probe.ts'
import { startOwnTarget } from '../../own-target.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'

type Pass = (request: Outgoing) => Promise<Incoming>
/** Changes the response to a request. */
type Change = (request: Outgoing, pass: Pass) => Promise<Incoming> | Incoming

const refused: Incoming = { status: 400, headers: {}, text: '{"success":false,"message":"no"}' }
const accepted: Incoming = { status: 200, headers: {}, text: '{"success":true,"message":"Queued"}' }

const textOf = ({ body }: Outgoing) => body?.toString() ?? ''
const isBulk = ({ url }: Outgoing) => url.includes('Bulk')

describe('a server with another behaviour gets a description instead of a choice:', () => {
  it.each<[what: string, name: AssumptionName, words: RegExp, change: Change, assume?: WrittenChoices]>([
    [
      'a send for the past that is accepted and never sent',
      'scheduleInPast',
      /^it is accepted, and not sent/,
      (request, pass) => (isBulk(request) && textOf(request).includes('"scheduled"') ? accepted : pass(request)),
    ],
    [
      'a scheduled send without a time that is accepted and never sent',
      'scheduleMissing',
      /^it is accepted, and not sent/,
      (request, pass) => (isBulk(request) && textOf(request).includes('"scheduled"') ? accepted : pass(request)),
    ],
    [
      'a long key that is used as any other',
      'unusableKey',
      /256 characters is used/,
      (request, pass) => {
        const key = request.headers['idempotency-key']
        const short = key === undefined ? {} : { 'idempotency-key': key.slice(0, 36) }
        return pass({ ...request, headers: { ...request.headers, ...short } })
      },
      { unusableKey: 'ignored' },
    ],
    [
      'a limit of 100 KB',
      'bodyLimit',
      /0\.9 MiB is refused/,
      (request, pass) => (textOf(request).length > 100_000 ? refused : pass(request)),
    ],
    [
      'a limit of 5 MiB',
      'bodyLimit',
      /9 MiB is refused/,
      (request, pass) => (textOf(request).length > 5_000_000 ? refused : pass(request)),
      { bodyLimit: 'none' },
    ],
    [
      'a success without a body',
      'trailingSlash',
      /does not say that it is done/,
      (request, pass) => (request.url.endsWith('/') ? { ...accepted, text: '' } : pass(request)),
    ],
    [
      'a check of domains, and of no other text',
      'recordTextForms',
      /^domain: checked; .*: anyString$/,
      (request, pass) => (textOf(request).includes('not a domain') ? refused : pass(request)),
    ],
    ['a status that cannot go from open to closed', 'contactStatusMoves', /from open to closed$/, refuseStatus()],
    [
      'one uniqueName for all',
      'uniqueNameScope',
      /two templates of one type/,
      (request, pass) =>
        pass({
          ...request,
          ...(request.body ? { body: Buffer.from(textOf(request).replace(/"taken_/, `"t${count++}_`)) } : {}),
        }),
    ],
    [
      'templates that are listed by their names',
      'templateOrder',
      /something else than their age/,
      async (request, pass) => {
        const answer = await pass(request)
        if (!request.url.includes('getTemplates') && !request.url.includes('statuses=')) return answer
        const body = JSON.parse(answer.text) as { data: { name: string }[] }
        body.data.sort((one, other) => one.name.localeCompare(other.name))
        return { ...answer, text: JSON.stringify(body) }
      },
    ],
    [
      'a company that shows little, beside others that show all',
      'recordFields',
      /^of a company: onlyShown; .*: allSent$/,
      async (request, pass) => {
        const answer = await pass(request)
        return { ...answer, text: answer.text.replace(/"industry":"[^"]*",?/, '') }
      },
    ],
  ])('%s', async (_, name, words, change, assume = {}) => {
    expect(await findingOf(name, change, assume)).toEqual({
      outcome: 'other',
      words: expect.stringMatching(words) as string,
    })
  })
})

it('waits for a history that lags behind', async () => {
  let sentAt = 0
  const change: Change = async (request, pass) => {
    if (request.method === 'POST') sentAt = Date.now()
    const answer = await pass(request)
    if (!request.url.includes('essages') || request.method !== 'GET' || Date.now() > sentAt + 100) return answer
    return { ...answer, text: JSON.stringify({ ...(JSON.parse(answer.text) as object), data: [] }) }
  }
  for (const name of ['historyOrder', 'severalRecipients', 'messageStatusLater', 'historyPage'] as const)
    expect(await findingOf(name, change)).toMatchObject({ outcome: 'seen' })
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

async function findingOf(name: AssumptionName, change: Change, assume: WrittenChoices = {}): Promise<Finding> {
  const own = await startOwnTarget({ assume })
  const target = createTarget(own.wanted, own.credentials)
  const transport = undiciTransport(target.origin, target.tls)
  onTestFinished(async () => {
    await transport.close()
    await own.stop()
  })
  const ledger = { intend: () => '1', record: () => undefined }
  const send = async (request: Outgoing, timeout: number) =>
    change(request, (changed) => {
      const { 'content-length': _, ...headers } = changed.headers
      return transport.send({ ...changed, headers }, timeout)
    })
  return new Prober({ target, mint: createMint(newMarks()), ledger, send, patience: 500 }).probe(name)
}
