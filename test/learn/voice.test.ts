import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'
import { learn, type Lesson } from '../../learn/learn.ts'
import { readWholeProfile, toProfile } from '../../learn/profile.ts'
import { credentials, startOtherServer } from '../other-server/server.ts'

const wanted = {
  emailProvider: 'email-provider,hello@team1.example.com',
  smsProvider: 'sms-provider,+14155550101',
  whatsappProvider: 'whatsapp-provider,+14155550111',
}

const knobs = {
  ids: 'uuid',
  times: 'offset',
  extraFields: true,
  meta: true,
  countsRequests: true,
  text400: 'Die Anfrage ist falsch',
  text404: 'Nicht gefunden',
  existsText: 'Das Gespräch gibt es schon',
  deletedText: (count: number) => `Es waren ${count}, die gelöscht sind`,
} as const

describe('the voice of a server', () => {
  let lesson: Lesson
  let path: string
  let other: Awaited<ReturnType<typeof startOtherServer>>

  beforeAll(async () => {
    other = await startOtherServer(knobs)
    const { url: baseUrl } = other
    const stop = () => Promise.resolve()
    const startTarget = () => Promise.resolve({ wanted: { ...wanted, baseUrl }, credentials, stop })
    lesson = await learn({ startTarget, env: {}, patience: 300 })
    path = join(await mkdtemp(join(tmpdir(), 'voice-')), 'learned.yaml')
    writeFileSync(path, toProfile(lesson, '1.2.3'))
    return () => other.close()
  }, 120_000)

  it('is read from the profile as it was learned', async () => {
    expect((await readWholeProfile(path)).voice).toEqual(lesson.voice)
    expect(lesson.voice).toMatchObject({
      times: { precision: 'milliseconds', offset: '+02:00' },
      ids: { contacts: { alphabet: 'uuid' }, products: { alphabet: 'uuid' } },
      headers: {
        'x-ratelimit-limit': '250',
        'x-ratelimit-remaining': '{remaining}',
        'x-ratelimit-reset': '{resetAt}',
        'x-request-id': '{uuid}',
      },
      meta: { version: 'number' },
      messages: { deleteContactsByEmail: { 200: 'Es waren {count}, die gelöscht sind' } },
    })
  })

  it('holds nothing that was sent or made', () => {
    const text = readFileSync(path, 'utf8')
    const voice = text.slice(text.indexOf('voice:'))
    expect(voice).not.toMatch(/@|contract-|https?:|\+1415|[0-9a-f]{8}-/)
  })

  it('is what a client of the sandbox sees too', async () => {
    const sandbox = await createSandbox({ profile: path, port: 0 })
    onTestFinished(() => sandbox.close())
    const { key } = await sandbox.team()
    const here = await seenBy(other.url, credentials.team)
    expect(await seenBy(sandbox.url, key)).toEqual(here)
    expect(here.map(({ status }) => status)).toEqual([201, 200, 404, 400, 201, 200, 200])
  })

  it('is silent with voice: false', async () => {
    const sandbox = await createSandbox({ profile: path, voice: false, port: 0 })
    onTestFinished(() => sandbox.close())
    const { key } = await sandbox.team()
    const [created] = await seenBy(sandbox.url, key)
    expect(created).toMatchObject({ message: 'Contact created', id: 'hex', time: '…Z', headers: [] })
  })
})

/** What each of these answers looks like, without what differs from run to run. */
async function seenBy(url: string, key: string) {
  const ask = async (method: string, at: string, body?: object) => {
    const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) }
    const answer = await fetch(url + at, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const { message, data, meta } = (await answer.json()) as { message: string; data?: Shown; meta?: object }
    const named = [...answer.headers.keys()].filter((name) => /rate|request-id/.test(name))
    const id = data && (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(data._id) ? 'uuid' : 'hex')
    const time = data?.createdAt?.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/, '…')
    const more = data && { __v: data.__v, tags: data.tags, owner: typeof data.owner }
    // The sandbox shows it beside data only.
    const meant = data && meta && Object.entries(meta).map(([name, value]) => [name, typeof value])
    return { status: answer.status, message, id, time, more, meta: meant, headers: named.sort(), _id: data?._id }
  }
  const names = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada.voice@example.com' }
  const created = await ask('POST', '/api/contacts', names)
  const path = `/api/contacts/${created._id ?? ''}`
  const updated = await ask('PUT', path, { firstName: 'Augusta' })
  const unknown = await ask('PUT', '/api/contacts/0b0e4a5c-77aa-4c11-9d2e-ffffffffffff', { firstName: 'Nobody' })
  const refused = await ask('POST', '/api/contacts', { firstName: 'Ada' })
  const conversation = await ask('POST', '/api/conversations', { contactId: created._id })
  const again = await ask('POST', '/api/conversations', { contactId: created._id })
  const deleted = await ask('DELETE', `/api/contacts/deleteContactsByEmail?email=${names.email}`)
  return [created, updated, unknown, refused, conversation, again, deleted].map(({ _id, ...seen }) => seen)
}

interface Shown {
  readonly _id: string
  readonly createdAt?: string
  readonly __v?: number
  readonly tags?: unknown
  readonly owner?: unknown
}
