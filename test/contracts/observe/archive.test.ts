import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readArchive, replay } from '../../../contracts/observe/archive.ts'
import { createSandbox } from '../../../index.ts'
import { sendRaw } from '../../mock/raw-http.ts'
import { asHar } from '../../../mock/control/as-har.ts'
import { run } from '../../cli/command.ts'
import { newFolder, startSandbox, postAs } from '../../for-one-test.ts'
import { newObserver } from './helpers.ts'

const names = { firstName: 'Ada', lastName: 'Lovelace' }
const contact = {
  ...{ _id: 'c1', ...names, teamId: 'demo' },
  ...{ createdAt: '2026-03-01T09:00:00.000Z', updatedAt: '2026-03-01T09:00:00.000Z' },
}
const success = { success: true, message: 'Contact created', data: contact }

interface EntryOptions {
  readonly url?: string
  readonly method?: string
  readonly at?: number
  readonly body?: unknown
  readonly status?: number
  readonly answer?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: object
  readonly postData?: object
}

/** An entry as a browser writes it: a createContact, unless the options say otherwise. */
function entry({
  url = 'https://crm.example.com/api/contacts',
  method = 'POST',
  at = 0,
  body = names,
  status = 201,
  answer = success,
  headers = { 'X-Api-Key': 'key' },
  content = { size: 10, mimeType: 'application/json', text: JSON.stringify(answer) },
  postData = { mimeType: 'application/json; charset=utf-8', text: JSON.stringify(body) },
}: EntryOptions = {}) {
  const pairs = Object.entries(headers).map(([name, value]) => ({ name, value }))
  return {
    startedDateTime: new Date(Date.UTC(2026, 2, 1, 9) + at).toISOString(),
    time: 30,
    request: { method, url, headers: pairs, ...(method !== 'GET' && { postData, bodySize: 20 }) },
    response: {
      status,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Content-Encoding', value: 'gzip' },
      ],
      content,
    },
  }
}

function archiveOf(entries: unknown): string {
  const path = join(newFolder(), 'traffic.har')
  writeFileSync(path, JSON.stringify({ log: { version: '1.2', entries } }))
  return path
}

/** The report of an observer on these entries. */
function observedIn(entries: readonly object[], server?: string) {
  const { origin, exchanges, others } = readArchive(archiveOf(entries), server)
  const { observe, observations } = newObserver({}, origin)
  replay(exchanges, observe)
  const { findings, badRequests, unjudged, unanswered } = observations.toJson()
  return { origin, others, promises: findings.map(({ promise }) => promise), badRequests, unjudged, unanswered }
}

describe('an archive', () => {
  it('is judged as the same traffic through the proxy is', () => {
    expect(observedIn([entry(), entry({ status: 200 }), entry({ body: { firstName: 'Ada' } })])).toMatchObject({
      origin: 'https://crm.example.com',
      promises: ['contact.createAnswers201', 'contact.createRequires'],
      badRequests: [{ item: 'createContact: lastName is required', count: 1 }],
    })
  })

  it('has its requests in the order in which they were sent, whatever the order of its entries', () => {
    const deleted = { url: 'https://crm.example.com/api/contacts/c1', method: 'DELETE', status: 200, at: 1_000 }
    const withoutData = entry({ ...deleted, answer: { success: true, message: 'Deleted' } })
    expect(observedIn([withoutData, entry()]).promises).toEqual(['contact.deleteAnswersWithTheContact'])
    expect(observedIn([withoutData]).promises).toEqual([])
  })

  it('compares repeated requests by the times of the archive', () => {
    const headers = { 'x-api-key': 'key', 'idempotency-key': 'one' }
    const again = { ...success, data: { ...contact, _id: 'c2' } }
    const promisesAfter = (at: number) =>
      observedIn([entry({ headers }), entry({ headers, at, answer: again })]).promises
    expect(promisesAfter(1_000)).toEqual(['envelope.retriesAreSafe'])
    expect(promisesAfter(3_600_000)).toEqual([])
  })

  it('leaves out the requests to other servers', () => {
    const page = entry({ url: 'https://shop.example.com/index.html', method: 'GET' })
    expect(observedIn([page, entry({ status: 200 }), page])).toMatchObject({
      others: 2,
      promises: ['contact.createAnswers201'],
    })
  })

  it('may be of a server behind a prefix', () => {
    const url = 'https://gateway.example.com/crm/api/contacts'
    expect(observedIn([entry({ url, status: 200 })])).toMatchObject({
      origin: 'https://gateway.example.com/crm',
      promises: ['contact.createAnswers201'],
    })
  })

  it('without any credential was cleaned by the browser, so no request counts as one without a credential', () => {
    expect(observedIn([entry({ headers: {} })]).promises).toEqual([])
    expect(observedIn([entry({ headers: {} }), entry()]).promises).toEqual(['access.noCredentialIs401'])
  })

  it('without a body says that it was not judged', () => {
    const lost = entry({ content: { size: 300, mimeType: 'application/json' } })
    expect(observedIn([lost]).unjudged).toEqual([{ item: 'createContact', reason: 'missing', count: 1 }])
    const refused = {
      url: 'https://crm.example.com/api/contacts/createOrUpdateContact',
      status: 404,
      answer: { success: false, message: 'Resource not found' },
    }
    expect(observedIn([entry(refused)]).promises).toEqual(['contact.upsertCreates'])
    const { promises, unjudged } = observedIn([entry({ ...refused, postData: { mimeType: 'application/json' } })])
    expect([promises, unjudged]).toEqual([[], [expect.objectContaining({ reason: 'missing' })]])
  })

  it('may have a body in base64, or no response', () => {
    const text = Buffer.from(JSON.stringify(success)).toString('base64')
    const inBase64 = entry({ status: 200, content: { size: 10, encoding: 'base64', text } })
    expect(observedIn([inBase64]).promises).toEqual(['contact.createAnswers201'])
    const aborted = { ...entry(), response: { status: 0, _error: 'net::ERR_ABORTED' } }
    expect(observedIn([aborted]).unanswered).toEqual([{ item: 'createContact: net::ERR_ABORTED', count: 1 }])
  })

  it.each<[string, unknown, string | undefined, RegExp]>([
    ['has no entries', [], undefined, /has no request to an operation of the API \(it is empty\); name the server/],
    [
      'is of another host',
      [entry()],
      'https://b.example',
      /no request to https:\/\/b\.example \(its requests are to https:/,
    ],
    [
      'has two servers',
      [entry(), entry({ url: 'https://b.example/api/contacts' })],
      undefined,
      /requests to several servers \(its requests are to https:\/\/crm\.example\.com and 1 other server\)/,
    ],
    ['has no list', {}, undefined, /is no HAR archive: it must be JSON with log\.entries/],
    [
      'has an odd entry',
      [{ request: { method: 'GET' } }],
      undefined,
      /log\.entries\[0\] must have a request with a URL/,
    ],
  ])('that %s is refused in one sentence', (_, entries, server, sentence) => {
    expect(() => readArchive(archiveOf(entries), server)).toThrow(sentence)
  })

  it('that is truncated, missing or very long is refused in one sentence', () => {
    const path = archiveOf([entry()])
    truncateSync(path, 100)
    expect(() => readArchive(path)).toThrow(/Is it truncated or compressed\?$/)
    expect(() => readArchive(`${path}.other`)).toThrow(/cannot be read \(ENOENT\)\.$/)
    truncateSync(path, 500 * 1024 * 1024)
    expect(() => readArchive(path)).toThrow(/is longer than 256 MiB: record fewer requests, or split it\.$/)
  })
})

it('the requests of a sandbox, written as HAR, are judged as they were', async () => {
  await using sandbox = await createSandbox()
  const create = (body: object) => sandbox.fetch('/api/contacts', postAs('demo-key', body))
  await create(names)
  await create({ firstName: 'Ada' })
  await create({ ...names, additionalFields: { text: 'x'.repeat(200_000) } })
  const path = join(newFolder(), 'requests.har')
  writeFileSync(path, asHar(await sandbox.requests.find(), sandbox.url, '1.0.0'))
  const { exchanges } = readArchive(path)
  const { observe, observations } = newObserver()
  replay(exchanges, observe)
  expect(observations.toJson()).toMatchObject({
    findings: [],
    badRequests: [{ item: 'createContact: lastName is required', count: 1 }],
    unjudged: [{ item: 'createContact', reason: 'missing', count: 2 }],
    judged: [{ item: 'createContact', count: 2 }],
  })
})

it('the commands write an archive and judge it', async () => {
  const { url } = await startSandbox({ port: 0 })
  await fetch(`${url}/api/contacts`, postAs('demo-key', { firstName: 'Ada' }))
  for (const path of ['//[', '//evil.test/x']) await sendRaw(url, [`GET ${path} HTTP/1.1`, 'Host: localhost'])
  const written = await run(['requests', '--url', url, '--as', 'har'])
  expect(written.stdout).toContain(`"url": "${url}//["`)
  expect(written.stdout).toContain(`"url": "${url}//evil.test/x"`)
  const path = join(newFolder(), 'traffic.har')
  writeFileSync(path, written.stdout)
  const { code, stdout } = await run(['observe', '--from', path, '--strict'])
  expect([code, stdout.split('\n').slice(0, 2)]).toEqual([
    1,
    [`crm-sandbox observe judges 3 requests to ${url}`, '~ bad request: createContact: lastName is required'],
  ])
})

it('the command writes the choices that an archive settles, and keeps the other lines of the profile', async () => {
  const profile = join(newFolder(), 'learned.yaml')
  const judged = async (entries: readonly object[]) =>
    (await run(['observe', '--from', archiveOf(entries), '--profile', profile])).stdout
  expect(await judged([entry({ status: 401, answer: { success: false, message: 'Unauthorized' } })])).toContain(
    `The traffic settles no choice, so ${profile} is not written.`,
  )
  writeFileSync(profile, 'newContactStatus: open # mine\nhistoryOrder: oldestFirst # mine\n')
  expect(await judged([entry()])).toMatch(/Wrote \d choices that the traffic settles to /)
  const text = readFileSync(profile, 'utf8')
  expect(text).toContain('historyOrder: oldestFirst # mine\n')
  expect(text).toMatch(
    /^newContactStatus: absent # none, until one is set; as createContact answered 201 at 2026-03-01T09:00:00\.000Z$/m,
  )
})
