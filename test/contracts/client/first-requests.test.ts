import type { IncomingMessage } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CannotRun } from '../../../contracts/client/errors.ts'
import { sendFirstRequests } from '../../../contracts/client/first-requests.ts'
import { createTarget } from '../../../contracts/client/target/target.ts'
import { undiciTransport } from '../../../contracts/client/transport.ts'
import { learn } from '../../../contracts/learn/learn.ts'
import { key, serverThatSays } from './helpers.ts'
import { newFolder, serverThat } from '../../for-one-test.ts'
import { longestWait } from '../../longest-wait.ts'

const credentials = { team: key, otherTeam: 'canary-key-of-another', admin: 'token-of-an-admin', agent: 'of-an-agent' }

function first(baseUrl: string, given: object = credentials, wanted = {}, signal?: AbortSignal) {
  const transport = undiciTransport(baseUrl)
  onTestFinished(() => transport.close())
  return sendFirstRequests(
    createTarget({ baseUrl, timeout: longestWait / 1000, ...wanted }, given),
    transport.send,
    signal,
  )
}

const refused = { success: false, message: 'Unauthorized' }

/** A server that answers with the status that `choose` says, and the requests that it got. */
async function serverThatChooses(choose: (request: IncomingMessage) => number) {
  const asked: string[] = []
  const url = await serverThat((request, answer) => {
    asked.push(`${request.method} ${new URL(request.url ?? '', 'http://a').pathname}`)
    answer.writeHead(choose(request), { 'content-type': 'application/json' }).end(JSON.stringify(refused))
  })
  return { url, asked }
}

describe('The first requests of a run', () => {
  it('are one read for each credential', async () => {
    const { url, asked } = await serverThatChooses(() => 200)
    await first(url)
    expect(asked).toEqual(Array(4).fill('GET /api/templates'))
  })

  it('say which team the key belongs to, when an answer shows it', async () => {
    const url = await serverThatSays(200, { success: true, data: [{ _id: 't1', teamId: 'acme' }] })
    expect(await first(url)).toEqual({ team: 'acme', doubts: [] })
    expect(await first(await serverThatSays(200, { success: true, data: [] }))).toEqual({ doubts: [] })
  })

  it.each([
    ['CRM_API_KEY', 'the key of a team', key],
    ['CRM_OTHER_API_KEY', 'the key of a second team', credentials.otherTeam],
    // The service accepts the other token, so it accepts tokens.
    ['CRM_ADMIN_TOKEN', 'the token of an admin', `Bearer ${credentials.admin}`],
    ['CRM_AGENT_TOKEN', 'the token of an agent', `Bearer ${credentials.agent}`],
  ])('name %s when it is not accepted', async (variable, words, wrong) => {
    const { url } = await serverThatChooses(({ headers: { 'x-api-key': apiKey, authorization } }) =>
      [apiKey, authorization].includes(wrong) ? 401 : 200,
    )
    await expect(first(url)).rejects.toThrow(
      new CannotRun(`${url} does not accept ${words} (401 "Unauthorized"): check ${variable}.`),
    )
  })

  it('say that a sandbox has another name', async () => {
    const message = 'Start it with --allow-host to call it vm'
    const url = await serverThatSays(400, { success: false, message }, { 'x-sandbox-unknown-host': 'vm' })
    await expect(first(url)).rejects.toThrow(new CannotRun(`${message}.`))
    // Only the header says so.
    const other = await serverThatSays(400, { success: false, message: 'This sandbox is not called vm; start it' })
    expect((await first(other)).doubts).toEqual([])
  })

  it('report a doubt about each token when the service accepts none', async () => {
    const { url } = await serverThatChooses(({ headers }) => (headers.authorization === undefined ? 200 : 401))
    expect((await first(url)).doubts).toEqual([
      'Reads do not accept the token of an admin (401): either CRM_ADMIN_TOKEN is wrong, or this service takes no tokens.',
      'Reads do not accept the token of an agent (401): either CRM_AGENT_TOKEN is wrong, or this service takes no tokens.',
    ])
  })

  it('leave it to the checks when only one operation refuses a credential', async () => {
    const { url, asked } = await serverThatChooses(({ url: path = '' }) =>
      path.startsWith('/api/templates') ? 401 : 404,
    )
    expect(await first(url)).toEqual({ doubts: [] })
    expect(asked).toHaveLength(8)
  })

  it('report a doubt about the prefix of the base URL when the server answers every read with 404', async () => {
    const { url, asked } = await serverThatChooses(() => 404)
    const doubt = `${url}/foo answers 404 to every read of the start: check the prefix of the base URL.`
    expect(await first(`${url}/foo`, { team: key })).toEqual({ doubts: [doubt] })
    expect(asked).toEqual(['GET /foo/api/templates', 'GET /foo/api/conversations/000000000000000000000000'])
  })

  it('report no doubt when the server answers only the templates with 404', async () => {
    const { url } = await serverThatChooses(({ url: path = '' }) => (path.startsWith('/api/templates') ? 404 : 400))
    expect(await first(url, { team: key })).toEqual({ doubts: [] })
  })

  it.each([
    ['an object in place of a list', `{"success":true,"data":{}}`, /lists templates with data that is no list/],
    [
      'millions of values',
      `[${'{},'.repeat(300_000)}{}]`,
      /cannot be asked: the response has more than 250,000 values/,
    ],
  ])('end a run at a server with %s, in a sentence', async (_, body, sentence) => {
    const url = await serverThatSays(200, body)
    const run = learn({ baseUrl: url, env: { CRM_API_KEY: key }, ledgers: newFolder() })
    await expect(run).rejects.toThrow(sentence)
    await expect(run).rejects.toThrow(CannotRun)
  })

  it('refuse two keys that are the same', async () => {
    const { url, asked } = await serverThatChooses(() => 200)
    await expect(first(url, { team: key, otherTeam: key })).rejects.toThrow(
      'CRM_OTHER_API_KEY holds the same key as CRM_API_KEY: it must be of another team.',
    )
    expect(asked).toEqual([])
  })

  it.each([
    [200, '<!doctype html>', {}, 'answers 200, but not with JSON'],
    [200, '', {}, 'answers 200, but not with JSON'],
    [200, '{"success":', {}, 'answers 200, but not with JSON'],
    [
      200,
      'x',
      { 'content-encoding': 'gzip' },
      'gives no responses that can be read: the response is not gzip, as it says.',
    ],
    [200, '"hello"', {}, 'answers 200, but not with an object of JSON'],
    [200, 'null', {}, 'answers 200, but not with an object of JSON'],
    [502, '<h1>Bad Gateway</h1>', {}, 'answers 502, but not with JSON'],
    [
      301,
      '',
      { location: 'https://crm.example.com/api?key=x' },
      'redirects to "https://crm.example.com/api": check --base-url',
    ],
    [302, '', { location: '/login?next=x' }, 'redirects to "/login": check --base-url'],
  ])('say what is wrong with a server that answers %i %j', async (status, body, headers, why) => {
    await expect(first(await serverThatSays(status, body, headers))).rejects.toThrow(why)
  })

  it.each<[string, number, object, Record<string, string>]>([
    ['in a refusal', 401, { message: `Unknown key ${key}` }, {}],
    ['in the address of a redirect', 302, {}, { location: `https://${key}.example.com/` }],
    ['in the path of a redirect', 302, {}, { location: `/login/${key}` }],
    [
      'in the name of a sandbox',
      400,
      { message: `This sandbox is not called ${key}\n::error::` },
      { 'x-sandbox-unknown-host': key },
    ],
  ])('do not repeat a key %s', async (_, status, body, headers) => {
    const failure = await first(await serverThatSays(status, body, headers)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CannotRun)
    const { message } = failure as CannotRun
    expect(message).toMatch(/^(?=.*\[redacted\])[^\n]*$/)
    expect(message.replaceAll('&#8203;', '')).not.toContain(key)
  })

  it('name no team by a key', async () => {
    const url = await serverThatSays(200, { success: true, data: [{ _id: 't1', teamId: key }] })
    expect((await first(url)).team).toBe('[redacted]')
  })

  it('name the proxy through which nothing is reached', async () => {
    process.env.http_proxy = 'http://ada:engine-no-1@127.0.0.1:1'
    onTestFinished(() => {
      delete process.env.http_proxy
    })
    await expect(first('http://crm.example.com')).rejects.toThrow(
      'http://crm.example.com cannot be reached through the proxy in http_proxy: connect ECONNREFUSED 127.0.0.1:1.',
    )
  })

  it('go on when the answers break off, which is for the checks to judge', async () => {
    const url = await serverThat((_, answer) => {
      answer.writeHead(200, { 'content-length': '100' })
      answer.write('{"success":', () => answer.destroy())
    })
    expect(await first(url)).toEqual({ doubts: [] })
  })

  it('do not wait an hour, and say so', async () => {
    const url = await serverThatSays(429, refused, { 'retry-after': '3600' })
    await expect(first(url)).rejects.toThrow('asks to wait 3600 seconds (Retry-After): run again after that.')
  })

  it('end with an interrupt', async () => {
    const controller = new AbortController()
    const url = await serverThat(() => controller.abort())
    const waiting = first(url, credentials, {}, controller.signal)
    await expect(waiting).rejects.toThrow('The run was interrupted.')
  })
})
