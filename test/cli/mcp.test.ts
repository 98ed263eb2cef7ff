import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'
import { cli } from '../docs/docs-runner.ts'
import { startSandbox, postAs } from '../for-one-test.ts'
import { ended, expectError, run, spawnCli } from './command.ts'
import { longestWait } from '../longest-wait.ts'

const freePort = 'http://127.0.0.1:0'

/** The client of the protocol, connected to the command as an assistant is. */
async function connect(url: string, ...args: readonly string[]) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, 'mcp', '--url', url, ...args],
      env: { PATH: process.env.PATH ?? '' },
    }),
  )
  onTestFinished(() => client.close())
  return { client, call: callerOf(client) }
}

/** Calls a tool, and returns its text; rejects with the text of a failure. */
const callerOf =
  (client: Client) =>
  async (name: string, input: Record<string, unknown> = {}): Promise<string> => {
    const { content, isError } = await client.callTool({ name, arguments: input })
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
    if (isError === true) throw new Error(text)
    return text
  }

const createContact = async (url: string, contact: object) => fetch(`${url}/api/contacts`, postAs('demo-key', contact))

describe('mcp', () => {
  it('lets an assistant find out why createContact fails, correct the request, and prove it, in eight calls', async () => {
    const { call } = await connect(freePort)
    const state = await call('state')
    expect(state).toContain('demo-key')
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(state) ?? []
    await call('snapshots', { action: 'save', name: 'before' })
    await createContact(url, { firstName: 'Mary', email: 'mary@example.com' })

    const refused = await call('requests', { action: 'find', operation: 'createContact', refused: true })
    expect(refused).toContain('lastName is required (contact.createRequires, lastName)')
    const [, requestId] = /(\S+)\n +lastName is required/.exec(refused) ?? []
    const inFull = await call('requests', { action: 'get', requestId })
    expect(inFull).toContain('"email": "mary@example.com"')

    await createContact(url, { firstName: 'Mary', lastName: 'Somerville', email: 'mary@example.com' })
    expect(await call('requests', { action: 'find', operation: 'createContact', status: '201' })).toContain(
      'contact +1',
    )
    expect(await call('changes', { since: 'before' })).toContain('1 contact created')
    const found = await call('records', { teamId: 'demo', kind: 'contacts', email: 'mary@example.com' })
    expect(found).toMatch(/^lastName +Somerville$/m)
    await call('snapshots', { action: 'restore', name: 'before' })
    expect((await createContact(url, {})).status).toBe(400)
  })

  it('offers ten tools at most, which say whether they only read and whether they delete records', async () => {
    const { client } = await connect(freePort, '--world', 'empty')
    const { tools } = await client.listTools()
    expect(tools.length).toBeLessThanOrEqual(10)
    const named = (is: (annotations: (typeof tools)[number]['annotations']) => unknown) =>
      tools.filter(({ annotations }) => is(annotations)).map(({ name }) => name)
    expect(named((of) => of?.readOnlyHint)).toEqual(['state', 'requests', 'records', 'changes', 'outbox'])
    expect(named((of) => of?.destructiveHint)).toEqual(['snapshots'])
    expect(JSON.stringify(tools).length).toBeLessThan(20_000)
    expect(client.getInstructions()).toMatch(/runs at http:\/\/127\.0\.0\.1:\d\d+:/)
  })

  it('steers a sandbox that runs, and leaves it running', async () => {
    const sandbox = await startSandbox({ port: 0, world: 'two-teams' })
    const { client, call } = await connect(sandbox.url, '--world', 'empty')
    expect(await call('state')).toContain('acme')
    await call('incoming', { teamId: 'acme', channel: 'sms', from: '+14155550177', content: 'Where is my order?' })
    await call('faults', { action: 'add', operation: 'createContact', status: 503, times: 1 })
    await call('clock', { action: 'set', now: '2030-01-31T09:00:00Z', frozen: true })
    await call('assumptions', { action: 'set', choices: { contactMatching: 'phoneThenEmail' } })
    await client.close()
    expect((await sandbox.records('acme', 'messages', { search: 'my order' })).total).toBe(1)
    expect(await sandbox.faults.list()).toMatchObject([{ operation: 'createContact', status: 503 }])
    expect(await sandbox.clock.read()).toEqual({ now: '2030-01-31T09:00:00.000Z', frozen: true })
    expect((await sandbox.assumptions.get('contactMatching')).choice).toBe('phoneThenEmail')
  })

  it('shows a few rows of a long list, and says how many are left', async () => {
    const sandbox = await startSandbox({ port: 0 })
    const { crm } = await sandbox.team()
    for (let number = 0; number < 25; number++) await crm.createProduct({ name: `Cog ${number}`, unitPrice: 3 })
    const { call } = await connect(sandbox.url)
    const changes = await call('changes')
    expect(changes).toMatch(/^25 products created/)
    expect(changes).toContain('… and 5 more')
    expect(changes).not.toContain('Cog 20')
  })

  it('says that it started a sandbox, and at which URL nothing answered', async () => {
    const { client, call } = await connect(freePort, '--world', 'empty')
    const sentence =
      /A new sandbox with the world empty runs at http:\/\/127\.0\.0\.1:\d\d+, since nothing answered at http:\/\/127\.0\.0\.1:0\.$/m
    expect(await call('state')).toMatch(sentence)
    expect(client.getInstructions()).toMatch(sentence)
    const { url } = await startSandbox({ port: 0 })
    const running = await connect(url)
    expect(await running.call('state')).toMatch(/^The sandbox at http:/)
    expect(running.client.getInstructions()).not.toContain('A new sandbox')
  })

  it('ends its sandbox with the assistant', async () => {
    const child = spawnCli(['mcp', '--url', freePort])
    const over = ended(child)
    child.stdin.end()
    const stderr = expect.stringMatching(
      /^A new sandbox with the world demo runs at \S+, since nothing [^\n]+\n$/,
    ) as unknown
    expect(await over).toEqual({ code: 0, stdout: '', stderr })
  })

  it('shows examples in its help', async () => {
    expect((await run(['mcp', '--help'])).stdout).toContain('$ crm-sandbox mcp --world story:shop\n')
  })
})

describe('a wrong call', () => {
  const wrong: [tool: string, input: Record<string, unknown>, sentence: RegExp][] = [
    ['snapshots', { action: 'restore', name: 'befor' }, /^there is no snapshot befor; did you mean before\?$/],
    ['snapshots', { action: 'restore' }, /^restore needs name\.$/],
    [
      'snapshots',
      { action: 'delete', name: 'before' },
      /^There is no action delete\. There are save, restore, reset\.$/,
    ],
    ['faults', { action: 'lst' }, /^There is no action lst; did you mean list\? There are add, list, clear\.$/],
    ['clock', {}, /^clock needs action: advance, set\.$/],
    ['faults', { action: 'add', status: 'soon' }, /^status must be a status, from 200 to 599\.$/],
    ['faults', { action: 'add', operation: 'createContct', status: 503 }, /did you mean createContact\?$/],
    ['faults', { action: 'add', statsu: 503 }, /did you mean status\?/],
    ['requests', { action: 'find', requestId: 'first-try' }, /requestId/],
    ['records', { teamId: 'demo', kind: 'contcts' }, /did you mean contacts\?$/],
    ['assumptions', { action: 'get', name: 'contactMatchin' }, /did you mean contactMatching\?$/],
    ['changes', { since: 'befor' }, /did you mean before\?$/],
  ]

  it('is refused in a sentence, and changes nothing', async () => {
    const sandbox = await startSandbox({ port: 0 })
    await sandbox.snapshots.save('before')
    const { call } = await connect(sandbox.url)
    for (const [tool, input, sentence] of wrong) await expect(call(tool, input)).rejects.toThrow(sentence)
    expect(await sandbox.faults.list()).toEqual([])
    expect(await sandbox.changes()).toEqual({})
    expect((await sandbox.snapshots.list()).length).toBe(1)
  })

  it('is refused in a sentence when the sandbox has ended', async () => {
    const sandbox = await createSandbox({ port: 0 })
    const { call } = await connect(sandbox.url)
    await sandbox.close()
    await expect(call('state')).rejects.toThrow(/^Nothing answers at http:\/\/127\.0\.0\.1:\d+; start a sandbox/)
  })
})

it('mcp does not start with a world that does not exist', () =>
  expectError(['mcp', '--url', freePort, '--world', 'nowhere'], /There is no world nowhere/, 1))

it.each([
  ['too long', `${'x'.repeat(9_000_000)}\n`],
  ['without an end', 'x'.repeat(9_000_000)],
])('mcp ends at a message that is %s, and says so', async (_, message) => {
  const child = spawnCli(['mcp', '--url', freePort])
  child.stdin.on('error', () => undefined).write(message)
  const stderr = expect.stringContaining('error: A message of the assistant is longer than 8 MB') as string
  expect(await ended(child)).toMatchObject({ code: 1, stderr })
})

it('reads no more requests than the assistant reads answers', async () => {
  const child = spawnCli(['mcp', '--url', freePort], { NODE_OPTIONS: '--max-old-space-size=96' })
  const list = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`
  child.stdin.on('error', () => undefined).write(Array.from({ length: 10_000 }, (_, id) => list(id + 1)).join(''))
  const waiting = [NaN]
  const isStill = () => waiting.push(child.stdin.writableLength) > 1 && waiting.at(-1) === waiting.at(-2)
  await expect.poll(isStill, { interval: 500, timeout: longestWait }).toBe(true)
  child.stdin.end()
  const { code, stdout, stderr } = await ended(child)
  expect({ code, answers: stdout.split('\n').length - 1 }, stderr.slice(0, 500)).toEqual({ code: 0, answers: 10_000 })
  expect(stderr).not.toContain('Warning')
})
