import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectError, fewOf, run, spawnCli, ended } from '../../cli/command.ts'
import { serverThatSays } from '../client/helpers.ts'
import { cli } from '../../docs/docs-runner.ts'
import { only, startTwoTeams, verifyAt } from '../command.ts'
import { inTier } from '../../tier.ts'
import { newFolder, serverThat, postAs } from '../../for-one-test.ts'

const contact = {
  ...{ _id: 'c1', firstName: 'Ada', lastName: 'Lovelace', teamId: 'demo' },
  ...{ createdAt: '2026-03-01T09:00:00.000Z', updatedAt: '2026-03-01T09:00:00.000Z' },
}

/** Starts the command on a free port, and waits until it listens. */
async function observe(target: string, ...args: string[]) {
  return listening(spawnCli(['observe', '--to', target, '--port', '0', ...args]))
}

async function listening(child: ChildProcessWithoutNullStreams) {
  const over = ended(child)
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const [, found] = /listens on (\S+)/.exec(output) ?? []
      if (found !== undefined) resolve(found)
    })
    void over.then(({ stderr }) => reject(new Error(`It ended: ${stderr}`)))
  })
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return over
  }
  return { url, stop }
}

const create = (url: string) =>
  fetch(`${url}/api/contacts`, postAs('demo-key', { firstName: 'Ada', lastName: 'Lovelace' }))

it.each([
  ['SIGTERM', '--junit'],
  ['SIGINT', '--report-junit'],
] as const)('ends at %s with exit code 1 and the file of %s if a promise was broken', async (signal, option) => {
  const file = join(newFolder(), 'observed.xml')
  const { url, stop } = await observe(await serverThatSays(200, { success: true, data: contact }), option, file)
  await create(url)
  const { code, stdout } = await stop(signal)
  expect(code).toBe(1)
  expect(stdout).toContain('✗ contact.createAnswers201: createContact answered 200: expected 201, got 200\n')
  expect(stdout).toMatch(/Verdict: broken\.\n$/)
  expect(readFileSync(file, 'utf8')).toContain('<failure message="createContact answered 200: expected 201, got 200">')
})

it('reports when the npx that started it is gone', async () => {
  const npx = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'crm-sandbox' observe" }
  const args = [cli, 'observe', '--to', await serverThatSays(200, { success: true, data: contact }), '--port', '0']
  // The parent process plays npx: it starts the command, and is killed.
  const starting = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(args)}, { stdio: 'inherit' })`
  const { url, stop } = await listening(spawn(process.execPath, ['-e', starting], { env: { ...process.env, ...npx } }))
  await create(url)
  expect((await stop('SIGKILL')).stdout).toMatch(/Verdict: broken\.\n$/)
})

it('finds nothing when the contract suite runs through it against a sandbox', async () => {
  const sandbox = await startTwoTeams()
  const { url, stop } = await observe(sandbox.url)
  // The test of legitimate servers observes every promise.
  const verified = await verifyAt(url, only('contact', ...inTier({ test: [], nightly: ['message.history', 'access'] })))
  const { code, stdout } = await stop()
  expect([verified.code, code], stdout).toEqual([0, 0])
  expect(stdout).toMatch(/Responses: \d{3,} judged/)
  expect(stdout).not.toMatch(/^[✗!?] /m)
})

it('ends with 3 when nothing was judged', async () => {
  const { stop } = await observe('http://127.0.0.1:1')
  expect(await stop()).toMatchObject({ code: 3, stderr: '' })
})

it('says of a request in flight that observe ended first', async () => {
  let hasArrived = false
  const { url, stop } = await observe(await serverThat(() => (hasArrived = true)))
  const pending = create(url).catch(() => undefined)
  await expect.poll(() => hasArrived).toBe(true)
  const { stdout } = await stop()
  await pending
  expect(stdout).toContain('? no response: createContact: observe ended before the response came\n')
})

it('has a help with examples', async () => {
  const { code, stdout } = await run(['observe', '--help'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('$ crm-sandbox observe --to https://staging')])
})

const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

it.each([
  ['http://localhost:4011', '127.0.0.1'],
  ...(ownAddress === undefined ? [] : [[`http://${ownAddress}:4011`, '0.0.0.0']]),
  ['http://[::1]:4011', '::'],
])('refuses to send to itself: to %s, listening on %s', (to = '', host = '') =>
  expectError(
    ['observe', '--to', to, '--host', host],
    /--to is the address of observe itself: choose another --port\.$/,
  ),
)

it.each(
  fewOf<[readonly string[], RegExp]>([
    [[], /There is nothing to observe: name a server with --to, or an archive with --from\.$/],
    [['--to', 'staging.example.com'], /The base URL must be an http or https address/],
    [['--to', 'http://127.0.0.1:1', '--port', 'none'], /--port must be a number from 0 to 65535/],
    [['--to', 'http://127.0.0.1:1', '--host', '192.0.2.1'], /192\.0\.2\.1, port 4011, cannot be opened/],
    [['--to', 'http://127.0.0.1:1', '--known', 'nowhere.yaml'], /nowhere\.yaml cannot be read/],
    [['--to', 'http://127.0.0.1:1', '--ca', 'package.json'], /must be in PEM/],
    [['--to', 'http://127.0.0.1:1', '--junit', 'a.xml', '--report-junit', 'b.xml'], /cannot be used with option/],
  ]),
)('refuses %j in one sentence', async (args, sentence) => {
  await expectError(['observe', ...args], sentence)
})
