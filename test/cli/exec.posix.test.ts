import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { newFile, newFolder, startSandbox } from '../for-one-test.ts'
import { ended, expectError, run, spawnCli } from './command.ts'

const node = (script: string) => ['--', process.execPath, '--input-type=module', '--eval', script]

const asksAndFails = `
const { CRM_BASE_URL, CRM_API_KEY } = process.env
const headers = { 'x-api-key': CRM_API_KEY, 'content-type': 'application/json' }
await fetch(CRM_BASE_URL + '/api/contacts', { method: 'POST', headers, body: '{"firstName":"Ada"}' })
console.log(JSON.stringify(process.env))
process.exit(7)`

it('gives the command the address and the credentials, also by other names, and has its exit status', async () => {
  const config = newFile('crm-sandbox.config.yaml', 'exec: { world: two-teams, env: { CRM_API_KEY: API_TOKEN } }')
  const markdown = join(newFolder(), 'coverage.md')
  const options = ['--config', config, '--env', 'CRM_BASE_URL=API_ROOT', '--coverage', '--markdown', markdown]
  const given = { CRM_API_KEY: 'of-staging', CRM_CA_FILE: 'of-staging', HOME: '/home/ada' }
  const { code, stdout, stderr } = await run(['exec', ...options, ...node(asksAndFails)], given)
  expect(code, stderr).toBe(7)
  const { CRM_BASE_URL, CRM_CA_FILE, ...others } = JSON.parse(stdout) as Record<string, string>
  expect(CRM_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(CRM_CA_FILE).toBeUndefined()
  expect(others).toMatchObject({
    ...{ HOME: '/home/ada', CRM_API_KEY: 'acme-key', CRM_OTHER_API_KEY: 'globex-key' },
    ...{ CRM_SANDBOX_URL: CRM_BASE_URL },
    ...{ API_ROOT: CRM_BASE_URL, API_TOKEN: 'acme-key' },
  })
  expect(stderr).toMatch(
    /^The sandbox refused:\n.* 400 {2}createContact .*\n +lastName is required \(.*\)\nCoverage: 1 of /,
  )
  expect(readFileSync(markdown, 'utf8')).toContain('| createContact | **0** |')
})

it('prints nothing of its own after a success, and says after a failure that nothing was asked', async () => {
  const token = ['--control-token', 'a-control-token-of-ours']
  const script = 'console.log(process.env.CRM_SANDBOX_CONTROL_TOKEN)'
  expect(await run(['exec', ...token, ...node(script)])).toEqual({ code: 0, stdout: `${token[1] ?? ''}\n`, stderr: '' })
  expect(await run(['exec', '--', 'exit 9'])).toEqual({
    code: 9,
    stdout: '',
    stderr: 'No request reached the sandbox: the command finds its address in CRM_BASE_URL (other names: --env).\n',
  })
})

it.each([
  ['one that cleans up', "process.on('SIGINT', () => process.exit(5))", 'SIGINT', 5, ''],
  ['one that does not listen to it', '', 'SIGTERM', 143, ''],
  [
    'one that ignores it, whose children are killed with it',
    "process.on('SIGTERM', () => undefined)",
    'SIGTERM',
    137,
    'The command ignored the signal for 5 s, and was killed.\n',
  ],
] as const)('passes a signal to the command: %s', async (_, listens, signal, code, words) => {
  const child = spawnCli(['exec', ...node(`${listens}\nconsole.log('ready')\nsetInterval(() => undefined, 1_000)`)])
  const over = ended(child)
  await once(child.stdout, 'data')
  child.kill(signal)
  const { stderr, ...others } = await over
  expect(others).toEqual({ code, stdout: 'ready\n' })
  expect(stderr.replace(/^No request.*\n/m, '')).toBe(words)
})

it.each([
  [['exec'], /There is no command to run: write it after --, as in `crm-sandbox exec -- npm test`\.$/],
  [['exec', '--', 'no-such-program'], /The command "no-such-program" cannot be started: there is no such command\.$/],
  [
    ['exec', '--port', 'TAKEN', '--', 'true'],
    /^error: Port \d+ of 127\.0\.0\.1 is taken; .* --port \(0 takes a free one\)\.$/,
  ],
  [['exec', '--world', 'no-such.yaml', '--', 'true'], /^error: no-such\.yaml: there is no such file$/],
  [['exec', '--env', 'CRM_KEY=API', '--', 'true'], /--env CRM_KEY=API is not written as ours=yours, .*CRM_API_KEY/],
  [['exec', '--prot', '1', '--', 'true'], /unknown option '--prot' .*--port/],
])('says in one sentence what is wrong with %j', async (words, sentence) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as AddressInfo
  await expectError(
    words.map((word) => word.replace('TAKEN', `${port}`)),
    sentence,
  )
})

it.each([
  [
    'contacts: { created: [{ lastName: Lovelace }] }',
    /^error: [Tt]he changes are not as expected:\n *contacts created: missing/,
  ],
  ['[]', /^error: [Ee]xpected must be a JSON object\.$/],
  ['contact: {}', /unknown kind contact; close to it: contacts\.$/],
  ['contacts: { created: [{ emial: a }] }', /unknown field emial of contacts; close to it: email\.$/],
  ['contacts: [', /^error: \S+expected\.yaml is neither YAML nor JSON \(line \d: .*\)\.$/],
])('ctl changes --expect ends with 1 for %s', async (text, sentence) => {
  const { url } = await startSandbox({ port: 0 })
  const file = newFile('expected.yaml', text)
  const { code, stdout, stderr } = await run(['ctl', 'changes', '--expect', file, '--url', url])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.trimEnd()).toMatch(sentence)
})
