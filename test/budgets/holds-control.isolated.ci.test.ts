import { mostBetweenTurns } from './work-between-turns.ts' // before all that it counts
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Sandbox } from '../../index.ts'
import { startSandbox } from '../for-one-test.ts'
import { twoTeams } from '../mock/helpers.ts'
import { expectWithin, someOf } from './budget.ts'

// Requests to the control plane within its limits, each of which held others for seconds.

const createdAt = '2026-03-01T09:30:00.000Z'
const [acme] = twoTeams.teams
const listOf = <Item>(length: number, itemAt: (at: number) => Item) => Array.from({ length }, (_, at) => itemAt(at))
const repeated = (item: string, count: number) => `${`${item},`.repeat(count - 1)}${item}`
const fields = (count: number) => listOf(count, (at) => `"field${at}":0`).join()

const contact = (at: number) => ({
  ...{ _id: `contact-${at}`, firstName: 'Ada', lastName: 'Lovelace', email: `ada.${at}@example.com`, teamId: 'acme' },
  ...{ createdAt, updatedAt: createdAt },
})
const conversation = (at: number) => ({
  ...{ _id: `conversation-${at}`, contactId: `contact-${at}`, teamId: 'acme', createdAt },
})
const message = (at: number) => ({
  ...{ _id: `message-${at}`, channel: 'chat', direction: 'outgoing', content: 'Hello', status: 'sent', createdAt },
  ...{ conversationId: `conversation-${at}`, contactId: `contact-${at}` },
})
/** Without records, so that no work is due in it. */
const team = (at: number) => ({ _id: `team-${at}`, name: 'A team', apiKeys: [`key-of-team-${at}-${'x'.repeat(100)}`] })

const many = 5_000
const contacts = listOf(many, contact)
const full = {
  ...{ contacts, conversations: listOf(many, conversation), messages: listOf(many, message) },
} as object
const acmeWith = (more: object) => ({ teams: [{ ...acme, ...more }] })
const manyTeams = { version: 1, teams: [acme, ...listOf(3_500, team)] }

interface Case {
  readonly world?: object
  readonly prepare?: (sandbox: Sandbox) => Promise<unknown>
  /** The method and the path below `/_sandbox`. */
  readonly ask: string
  readonly body?: unknown
  readonly status?: number
}

/** Fills the journal with requests with long texts in their bodies, as many as it keeps. */
const fillJournal = (text: string) => async (sandbox: Sandbox) => {
  const body = JSON.stringify({ name: 'Engine', unitPrice: 1, description: text })
  const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }
  for (let sent = 0; sent < 300; sent++) await sandbox.fetch('/api/products', { method: 'POST', headers, body })
}
const longText = fillJournal('a "b" \\ c '.repeat(1_000))
const where = encodeURIComponent(`{${fields(50)}}`)

const journal: Readonly<Record<string, Case>> = {
  'count of requests': { prepare: longText, ask: `GET /requests/count?where=${where}` },
  'verification of requests': { prepare: longText, ask: `GET /requests/verify?where=${where}`, status: 409 },
  'verification of an order': {
    prepare: longText,
    ask: 'POST /requests/verify-order',
    body: { requests: [{ where: Object.fromEntries(listOf(50, (at) => [`field${at}`, 0])) }] },
    status: 409,
  },
  'wait for a request': { prepare: longText, ask: `GET /requests/wait?within=0s&where=${where}`, status: 409 },
  'list of requests': { prepare: longText, ask: 'GET /requests' },
  'list of requests with look-alikes of keys': {
    world: { teams: [{ ...acme, apiKeys: ['acme-key', 'look-alike-of-a-key'] }] },
    prepare: fillJournal('look-alike-of-a-kez '.repeat(800)),
    ask: 'GET /requests',
  },
  'list of requests with look-alikes of 3,500 keys': {
    world: manyTeams,
    prepare: fillJournal('key-of-team-'.repeat(1_200)),
    ask: 'GET /requests',
  },
}

/** The text has none of the keys but the shortest, which leaves little to send. */
const keysOf95Lengths = ['acme-key', 'aaaaaaaa', ...listOf(95, (at) => `${'a'.repeat(9 + 2 * at)}!`)]
const lookAlikes: Readonly<Record<string, Case>> = {
  'requests with look-alikes of keys of 95 lengths at each place': {
    world: { teams: [{ ...acme, apiKeys: keysOf95Lengths }] },
    prepare: fillJournal('a'.repeat(16_000)),
    ask: 'GET /requests?last=10',
  },
}

const worlds: Readonly<Record<string, Case>> = {
  'world of 5,000 contacts': { ask: 'PUT /world', body: acmeWith(full) },
  'world of 3,500 teams': { ask: 'PUT /world', body: manyTeams },
  'world of 100,000 keys': {
    ask: 'PUT /world',
    body: {
      version: 1,
      teams: listOf(1_000, (at) => ({ ...team(at), apiKeys: listOf(100, (key) => `key-${at}-${key}-abcdefghijkl`) })),
    },
  },
  'world of empty teams': { ask: 'PUT /world', body: `{"teams":[${repeated('{}', 1_000_000)}]}`, status: 400 },
  'world of 10,001 empty teams': { ask: 'PUT /world', body: `{"teams":[${repeated('{}', 10_001)}]}`, status: 400 },
  'world of brackets': { ask: 'PUT /world', body: `{"teams":${'['.repeat(5_000_000)}`, status: 400 },
  'world of unknown fields': { ask: 'PUT /world', body: `{"teams":[],${fields(9_000)}}`, status: 400 },
  'world of a million unknown fields': { ask: 'PUT /world', body: `{"teams":[],${fields(1_000_000)}}`, status: 400 },
  'world of unknown fields of teams': {
    ask: 'PUT /world',
    body: `{"teams":[${repeated(`{"_id":"a","name":"a","apiKeys":[],${fields(9_000)}}`, 20)}]}`,
    status: 400,
  },
  'world of empty contacts': {
    ask: 'PUT /world',
    body: `{"teams":[{"_id":"a","name":"a","apiKeys":[],"contacts":[${repeated('{}', 100_000)}]}]}`,
    status: 400,
  },
  'world of contacts with long lists': {
    ask: 'PUT /world',
    body: {
      version: 1,
      ...acmeWith({
        contacts: listOf(5, (at) => ({ ...contact(at), additionalFields: { list: listOf(90_000, () => 0) } })),
      }),
    },
  },
  'world of companies with long lists': {
    ask: 'PUT /world',
    body: acmeWith({
      contacts: [contact(0)],
      companies: listOf(5, (at) => ({
        ...{ _id: `${at}`, name: 'Engines', teamId: 'acme' },
        contacts: listOf(90_000, () => 'contact-0'),
      })),
    }),
  },
  'world of a long time': {
    ask: 'PUT /world',
    body: acmeWith({ contacts: [{ ...contact(0), createdAt: 't'.repeat(1_000_000) }] }),
    status: 400,
  },
  'world of long names': {
    ask: 'PUT /world',
    body: acmeWith({
      groups: listOf(10_000, (at) => `group ${at}`),
      contacts: listOf(100, (at) => ({ ...contact(at), groupIds: ['x'.repeat(10_000)] })),
    }),
    status: 400,
  },
  'new team with a world': { ask: 'POST /teams', body: { from: acmeWith(full) }, status: 201 },
  'new team from another': { world: acmeWith(full), ask: 'POST /teams', body: { from: 'team:acme' }, status: 201 },
  'reset of a team': { world: acmeWith(full), ask: 'POST /teams/acme/reset' },
}

const saved = (sandbox: Sandbox) => sandbox.snapshots.save('saved')
async function severalSaved({ snapshots }: Sandbox): Promise<void> {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await snapshots.save(name)
}

/** Replaces the world by one in which each contact is another. */
async function savedAndReplaced(sandbox: Sandbox): Promise<void> {
  await saved(sandbox)
  await sandbox.loadWorld(acmeWith({ ...full, contacts: contacts.map((one) => ({ ...one, lastName: 'Byron' })) }))
}

const loops: Readonly<Record<string, Case>> = {
  'search for records': { world: acmeWith(full), ask: 'GET /teams/acme/contacts?search=nobody' },
  'search for records with long lists': {
    world: acmeWith({
      contacts: listOf(300, (at) => ({ ...contact(at), additionalFields: { list: listOf(1_000, () => 0) } })),
    }),
    ask: 'GET /teams/acme/contacts?search=nobody',
  },
  'sort of records': { world: acmeWith(full), ask: 'GET /teams/acme/contacts?sort=-email' },
  inbox: { world: acmeWith(full), ask: 'GET /teams/acme/inbox' },
  'search in the inbox': { world: acmeWith(full), ask: 'GET /teams/acme/inbox?search=nobody' },
  'download of the world': { world: acmeWith(full), ask: 'GET /world' },
  'save of a snapshot': { world: acmeWith(full), ask: 'POST /snapshots', body: { name: 'a' }, status: 201 },
  'download of a snapshot': { world: acmeWith(full), prepare: saved, ask: 'GET /snapshots/saved' },
  'restore of a snapshot': { world: acmeWith(full), prepare: saved, ask: 'POST /snapshots/saved/restore' },
  'restore of a team': {
    world: acmeWith(full),
    prepare: saved,
    ask: 'POST /snapshots/saved/restore',
    body: { teamId: 'acme' },
  },
  'changes of nothing': { world: acmeWith(full), ask: 'GET /changes' },
  'changes of all contacts': { world: acmeWith(full), prepare: savedAndReplaced, ask: 'GET /changes?since=saved' },
  'changes with long lists': {
    world: acmeWith({
      contacts: listOf(300, (at) => ({ ...contact(at), additionalFields: { list: listOf(1_000, () => 0) } })),
    }),
    prepare: async (sandbox) => {
      await saved(sandbox)
      await sandbox.loadWorld(await sandbox.world())
    },
    ask: 'GET /changes?since=saved',
  },
  'deletion of all records': {
    world: acmeWith(full),
    prepare: async (sandbox) => {
      await saved(sandbox)
      await sandbox.teams.delete('acme')
    },
    ask: 'GET /changes?since=saved',
  },
  'changes of 3,500 teams': { world: manyTeams, ask: 'GET /changes' },
  'changes of 3,500 teams since a snapshot': { world: manyTeams, prepare: saved, ask: 'GET /changes?since=saved' },
  outbox: { world: acmeWith(full), ask: 'GET /outbox' },
  'search in the outbox': { world: acmeWith(full), ask: 'GET /outbox?to=nobody@example.com' },
  'list of 3,500 teams': { world: manyTeams, ask: 'GET /teams' },
  'unknown one of 3,500 teams': { world: manyTeams, ask: `GET /teams/${'x'.repeat(64)}`, status: 404 },
  'world of 3,500 teams, downloaded': { world: manyTeams, ask: 'GET /world' },
  'snapshot of 3,500 teams': { world: manyTeams, ask: 'POST /snapshots', body: { name: 'a' }, status: 201 },
  'list of snapshots of 3,500 teams': { world: manyTeams, prepare: severalSaved, ask: 'GET /snapshots' },
  'restore of 3,500 teams': { world: manyTeams, prepare: saved, ask: 'POST /snapshots/saved/restore' },
  'outbox of 3,500 teams': { world: manyTeams, ask: 'GET /outbox' },
  'release of bulk sends in 3,500 teams': { world: manyTeams, ask: 'POST /bulk-sends/release' },
  'release of a bulk send with long merge fields': {
    world: acmeWith({ contacts: listOf(200, (at) => ({ ...contact(at), firstName: 'x'.repeat(10_000) })) }),
    prepare: async (sandbox) => {
      await sandbox.assumptions.set({ bulkDelivery: 'onRelease' })
      const to = listOf(200, (at) => contact(at).email).join()
      const send = { to, channel: 'email', subject: 'News', providerId: 'email-provider' }
      const body = JSON.stringify({ ...send, content: '{{firstName}}'.repeat(100) })
      const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }
      const { status } = await sandbox.fetch('/api/messages/sendBulkNewMessages', { method: 'POST', headers, body })
      expect(status).toBe(200)
    },
    ask: 'POST /bulk-sends/release',
  },
  'reset of 3,500 teams': { world: manyTeams, ask: 'POST /reset' },
}

describe.each([
  { what: 'requests in the journal', cases: journal, goal: 300_000 }, // a refusal redacts the three that it names in a row
  { what: 'look-alikes', cases: lookAlikes, goal: 15_000_000 }, // of one request: a look at each length takes a few nanoseconds
  { what: 'worlds', cases: worlds, goal: 1_000_000 }, // a round for each of 65,536 characters
  { what: 'loops', cases: loops, goal: 120_000 },
])('$what:', ({ cases, goal }) => {
  it.each(someOf(cases))('%s holds others for few steps', async (name, one) => {
    const { world = twoTeams, prepare, ask, body, status = 200 } = one
    const sandbox = await startSandbox({ world: world as typeof twoTeams })
    await prepare?.(sandbox)
    await sandbox.fetch('/_sandbox/health') // loads the control plane
    const [method = '', path = ''] = ask.split(' ')
    let answer: Response | undefined
    let text = ''
    const most = await mostBetweenTurns(async () => {
      answer = await sandbox.fetch(`/_sandbox${path}`, { method, ...bodyOf(body) })
      text = await answer.text()
    })
    expect(answer?.status, text.slice(0, 500)).toBe(status)
    expectWithin(`steps in a row: ${name}`, most, goal)
  })
})

const bodyOf = (body: unknown) =>
  body === undefined
    ? {}
    : {
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }

it('parses each body in the journal once for a filter, and once to name the nearest', async () => {
  const sandbox = await startSandbox({ world: twoTeams })
  await longText(sandbox)
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const { status } = await sandbox.fetch(`/_sandbox/requests/verify?where=${where}`)
  expect(status).toBe(409)
  const times = parse.mock.calls.filter(([text]) => text.length > 10_000).length
  expect(times).toBeGreaterThan(100)
  expectWithin('parses of 300 bodies in the journal for a filter', times, 300 + 100 + 6)
})

it('parses a short part of a long world at once', async () => {
  const sandbox = await startSandbox({ world: twoTeams })
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(acmeWith(full))
  const { status } = await sandbox.fetch('/_sandbox/world', { method: 'PUT', headers, body })
  expect(status).toBe(200)
  const longest = Math.max(...parse.mock.calls.map(([text]) => text.length))
  expect(longest).toBeGreaterThan(1_000)
  expectWithin('characters of a world that are parsed at once', longest, 64 * 1024)
})

it('makes the JSON of many changes in short parts', async () => {
  const sandbox = await startSandbox({ world: acmeWith(full) as typeof twoTeams })
  await savedAndReplaced(sandbox)
  const stringify = vi.spyOn(JSON, 'stringify')
  onTestFinished(() => stringify.mockRestore())
  const text = await (await sandbox.fetch('/_sandbox/changes?since=saved')).text()
  expect(text.length).toBeGreaterThan(256 * 1024)
  const lengths = stringify.mock.results.map(({ value }) => String(value).length)
  expectWithin('characters of changes that are written at once', Math.max(...lengths), 64 * 1024)
})
