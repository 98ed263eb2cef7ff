import { hostname } from 'node:os'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../../index.ts'
import { run, serve } from '../../cli/command.ts'
import { startSandbox } from '../../for-one-test.ts'
import { callerOf, twoTeams } from '../helpers.ts'
import { namedStores } from './helpers.ts'

const shared = namedStores.filter(({ store }) => store === 'PostgreSQL')

const engine = { name: 'Engine', unitPrice: 1 }
const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
const portOf = ({ url }: { readonly url: string }) => new URL(url).port
const nameOf = (server: { readonly url: string }) => `${hostname()}:${portOf(server)}`

async function openServers(store: string, options: Partial<SandboxOptions> = { port: 0 }) {
  const open = () => startSandbox({ world: twoTeams, store, ...options })
  const [one, other] = [await open(), await open()]
  return { one, other, both: [one, other], callOne: callerOf(one), callOther: callerOf(other) }
}

/** Runs a query in the schema of a store. */
async function query(store: string, statement: string) {
  const client = new pg.Client(store.replace(/\?.*/, ''))
  await client.connect()
  const { rows } = await client
    .query(`SET search_path TO "${new URL(store).searchParams.get('schema')}"`)
    .then(() => client.query<Record<string, unknown>>(statement))
    .finally(() => client.end())
  return rows
}

type Filter = Parameters<Sandbox['requests']['find']>[0]

/** Asks until all servers have answered in time. */
async function findOfAll({ requests }: Sandbox, filter: Filter = {}) {
  let found = await requests.find({ ...filter, all: true })
  while (found.unanswered?.length !== 0) found = await requests.find({ ...filter, all: true })
  return found
}

const ask = async (url: string, path: string) => {
  const response = await fetch(`${url}/_sandbox/requests${path}`)
  const { message, unanswered } = (await response.json()) as { message: string; unanswered?: string[] }
  return { status: response.status, message, unanswered }
}

describe.each(shared)('the requests to two servers on one $store store', ({ place }) => {
  it('are found from either, by time, with the server of each', async () => {
    const { one, other, both, callOne, callOther } = await openServers(await place())
    await callOne('createProduct', { body: engine })
    await callOther('createContact', { body: ada })
    await callOne('createCompany', { body: { name: 'Analytical Engines' } })
    for (const sandbox of both) {
      const found = await findOfAll(sandbox)
      expect(found.map(({ operation, server }) => [operation, server])).toEqual([
        ['createProduct', nameOf(one)],
        ['createContact', nameOf(other)],
        ['createCompany', nameOf(one)],
      ])
    }
    expect(await other.requests.find()).toMatchObject([{ operation: 'createContact', server: nameOf(other) }])
    expect(await findOfAll(other, { last: 2 })).toMatchObject([
      { operation: 'createContact' },
      { operation: 'createCompany' },
    ])
  })

  it('are found without ports', async () => {
    const { one, callOther } = await openServers(await place(), {})
    await callOther('createProduct', { body: engine })
    expect(await findOfAll(one)).toMatchObject([{ server: `${hostname()}:${process.pid}` }])
  })

  it('are redacted', async () => {
    const { one, callOther } = await openServers(await place())
    await callOther('createContact', { body: { ...ada, password: 'of-ada' }, headers: { 'x-request-id': 'acme-key' } })
    const [seen] = await findOfAll(one)
    expect(seen).toMatchObject({ operation: 'createContact', sent: { headers: { 'x-api-key': '[redacted]' } } })
    expect(JSON.stringify(seen)).not.toMatch(/acme-key|of-ada/)
  })

  it.each([
    [{ operation: 'createContact' }, ['createContact']],
    [{ team: 'globex' }, ['createProduct']],
    [{ team: 'globex', orNoTeam: true }, ['createProduct', 'createCompany']],
    [{ refused: true }, ['createCompany']],
    [{ status: '2xx', where: { email: ada.email } }, ['createContact']],
    [{ assumed: 'newContactStatus' }, ['createContact']],
    [{ last: 1 }, ['createCompany']],
  ] as const)('are filtered: %j', async (filter, operations) => {
    const { one, callOther } = await openServers(await place())
    await callOther('createContact', { body: ada })
    await callOther('createProduct', { body: engine, key: 'globex-key' })
    await callOther('createCompany', { body: { name: 'Analytical Engines' }, key: 'unknown' })
    const found = await findOfAll(one, filter)
    expect(found.map(({ operation }) => operation)).toEqual(operations)
  })

  it('are found by their team after it was deleted', async () => {
    const { one, other } = await openServers(await place())
    const { id: team, crm } = await other.team()
    await crm.createProduct(engine)
    await other.teams.delete(team)
    expect(await findOfAll(one, { team })).toMatchObject([{ operation: 'createProduct' }])
    await expect(one.requests.find({ team: 'acm', all: true })).rejects.toThrow('there is no team acm')
  })

  it('are found by id', async () => {
    const { one, callOther } = await openServers(await place())
    await callOther('createProduct', { body: engine, headers: { 'x-request-id': 'first' } })
    await callOther('createContact', { body: ada, headers: { 'x-request-id': 'second' } })
    await expect(one.requests.get('first')).rejects.toThrow('there is no request first')
    const get = (id: string) => one.requests.get(id, { all: true })
    await expect.poll(() => get('first')).toMatchObject({ id: 'first', operation: 'createProduct' })
    await expect.poll(() => get('third').catch(String)).toBe('Refused: there is no request third')
  })

  it('are as many of the latest of each server as fit in 4 MB', async () => {
    const { one, callOther } = await openServers(await place())
    const body = { ...engine, name: 'x'.repeat(20_000) }
    await Promise.all(Array.from({ length: 150 }, () => callOther('createProduct', { body })))
    const found = await findOfAll(one)
    expect(found.length).toBeGreaterThan(100)
    expect(found.length).toBeLessThan(150)
    expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThan(4_000_000)
    expect(found.at(-1)).toMatchObject({ sent: { cut: {} } })
  })

  it('leave no rows, and no server that was closed', async () => {
    const store = await place()
    const namesOfServers = async () => (await query(store, 'SELECT name FROM servers')).map(({ name }) => name)
    const { one, other, both } = await openServers(store)
    expect((await namesOfServers()).toSorted()).toEqual(both.map(nameOf).toSorted())
    await Promise.all(both.map((sandbox) => findOfAll(sandbox)))
    expect(await query(store, 'SELECT id FROM remote_queries')).toEqual([])
    await other.close()
    expect(await namesOfServers()).toEqual([nameOf(one)])
    expect((await one.requests.find({ all: true })).unanswered).toEqual([])
  })

  it('announce no change', async () => {
    const { one, other, callOne } = await openServers(await place())
    const followed = other.events.follow({ team: 'acme' })
    const next = () => followed.next().then(({ value }) => value)
    expect([await next(), await next()]).toEqual(['records', 'settings'])
    await findOfAll(one)
    await callOne('createProduct', { body: engine })
    expect(await next()).toBe('records')
  })

  it('are asked for by no query of an idle server, nor by requests', async () => {
    const { callOther } = await openServers(await place())
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => sent.mockRestore())
    const texts = () => sent.mock.calls.map(([given]) => (given as unknown as { readonly text: string }).text)
    const polls = (least: number) =>
      expect.poll(() => texts().filter((text) => text.includes('min(due_at)')).length).toBeGreaterThanOrEqual(least)
    await polls(4) // after those of the start
    sent.mockClear()
    for (let at = 0; at < 3; at++) await callOther('createProduct', { body: engine })
    await polls(20)
    const others = texts().filter((text) => /remote_queries|servers/.test(text) && !text.includes('b.token_secret'))
    expect(others.filter((text) => !text.startsWith('INSERT INTO') || text.includes('remote_queries'))).toEqual([])
    expect(others.length).toBeLessThanOrEqual(2)
  })

  it('name a server that was killed', async () => {
    const store = await place()
    const args = ['--world', 'two-teams', '--store', store]
    const [one, other] = [await serve(args), await serve(args)]
    expect(await ask(one.url, '?all')).toEqual({ status: 200, message: 'Requests found', unanswered: [] })
    other.child.kill('SIGKILL')
    await other.over
    await query(store, "UPDATE servers SET at = now() + interval '1 hour'") // longer than the test takes
    const [name, words] = [nameOf(other), `no answer in time from ${nameOf(other)}`]
    const asked = [
      ask(one.url, '?all'),
      ask(one.url, '/first?all=true'),
      run(['requests', '--all', '--url', one.url, '--json']),
    ]
    expect(await Promise.all(asked)).toEqual([
      { status: 200, message: `Requests found; ${words}`, unanswered: [name] },
      { status: 404, message: `there is no request first; ${words}` },
      { code: 0, stdout: '', stderr: `The server ${name} did not answer in time.\n` },
    ])
    expect(await query(store, 'SELECT id FROM remote_queries')).toEqual([])
  })
})

it('a store of one server has no names of servers, and nobody to ask', async () => {
  const sandbox: Sandbox = await startSandbox({ world: twoTeams, port: 0 })
  await callerOf(sandbox)('createProduct', { body: engine, headers: { 'x-request-id': 'first' } })
  const found = await sandbox.requests.find({ all: true })
  expect([found, await sandbox.requests.get('first', { all: true })]).toEqual([[found[0]], found[0]])
  expect(found[0]).not.toHaveProperty('server')
  expect(await ask(sandbox.url, '?all')).toEqual({ status: 200, message: 'Requests found' })
})
