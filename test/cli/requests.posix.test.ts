import { execFile } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../index.ts'
import type { FaultToAdd } from '../../mock/options.ts'
import { ended, expectError, fewOf, run, spawnCli } from './command.ts'
import { newFile, startSandbox, postAs } from '../for-one-test.ts'

async function create(url: string, body: unknown, headers = {}): Promise<string> {
  const response = await fetch(new URL('/api/contacts', url), postAs('demo-key', body, headers))
  return response.headers.get('x-sandbox-request') ?? ''
}

describe('requests', () => {
  it('reads its options from a config file', async () => {
    const { url } = await startSandbox({ port: 0 })
    await create(url, { firstName: 'Ada' }, { 'x-request-id': 'one' })
    const file = newFile('config.json', JSON.stringify({ requests: { url, json: true } }))
    const { stdout } = await run(['requests', '--config', file])
    expect(JSON.parse(stdout)).toMatchObject({ id: 'one' })
  })

  it('shows the latest requests in columns, and why they were refused', async () => {
    const { url } = await startSandbox({ port: 0 })
    await create(url, { firstName: 'Ada', lastName: 'Lovelace' }, { 'x-request-id': 'one' })
    await create(url, { firstName: 'Ada' }, { 'x-request-id': 'two' })
    const { stdout, code } = await run(['requests'], { CRM_SANDBOX_URL: url })
    expect(code).toBe(0)
    expect(stdout.replace(/^[\d:.]{12}/gm, 'TIME').replace(/ +\d+ ms/g, ' MS')).toBe(
      [
        'TIME  201  createContact                 demo MS  one  contact +1',
        'TIME  400  createContact                 demo MS  two',
        '              lastName is required (contact.createRequires, lastName)',
        '',
      ].join('\n'),
    )
    const refused = await run(['requests', '--url', url, '--refused', '--json'])
    expect(JSON.parse(refused.stdout)).toMatchObject({ id: 'two', why: { field: 'lastName' } })
    const inFull = await run(['requests', 'two', '--url', url])
    expect(inFull.stdout).toContain('Why: Creating a contact returns 400 when a required field is missing.')
    expect(inFull.stdout).not.toContain('demo-key')
  })

  it('says when there was no request', async () => {
    const { url } = await startSandbox({ port: 0 })
    expect(await run(['requests', '--url', url])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `No request has reached the sandbox at ${url} yet.\n`,
    })
    await create(url, { firstName: 'Ada', lastName: 'Lovelace' })
    const refused = await run(['requests', '--url', url, '--refused'])
    expect(refused.stderr).toBe(`No such request has reached the sandbox at ${url} yet.\n`)
    expect(await run(['requests', '--url', url, '--refused', '--json'])).toMatchObject({ stdout: '', stderr: '' })
  })

  it('follows new requests until the sandbox ends', async () => {
    const sandbox = await startSandbox({ port: 0 })
    const { url } = sandbox
    const createAs = (id: string) => create(url, { firstName: 'Ada' }, { 'x-request-id': id })
    await createAs('before')
    const child = spawnCli(['requests', '--url', url, '--follow', '--json'])
    const over = ended(child)
    const ids: string[] = []
    createInterface(child.stdout).on('line', (line) => ids.push((JSON.parse(line) as { id: string }).id))
    await expect.poll(() => ids).toEqual(['before'])
    await createAs('first')
    await expect.poll(() => ids).toEqual(['before', 'first'])
    await createAs('second')
    await expect.poll(() => ids).toEqual(['before', 'first', 'second'])
    await sandbox.close()
    expect((await over).code).toBe(0)
  })

  it('prints a request as a curl line that does the same, with the key in a variable', async () => {
    const { url } = await startSandbox({ port: 0 })
    const hostile = { firstName: `O'Hara $(exit 1) \`x\` "q" \\ \u001b[31m \u009b \u202e`, lastName: 'a\r\nb' }
    const id = await create(url, hostile, { 'idempotency-key': "it's" })
    const { stdout } = await run(['requests', id, '--url', url, '--as', 'curl'])
    expect(stdout).toMatch(/^(?:\P{C}|\n)+$/u)
    expect(stdout).toContain('"x-api-key: $CRM_API_KEY"')
    expect(stdout).not.toContain('demo-key')
    const env = { ...process.env, CRM_API_KEY: 'demo-key' }
    const sent = await promisify(execFile)('sh', ['-c', stdout.replace("it'\\''s", 'another')], { env })
    expect(JSON.parse(sent.stdout)).toMatchObject({ success: true, data: hostile })
  })

  it.each<[what: string, status: number, fault?: FaultToAdd]>([
    ['a request', 400],
    ['a request that a fault answered', 503, { operation: 'createContact', status: 503, retryAfter: 2 }],
    ['a request that a fault answered late', 418, { status: 418, phase: 'afterCommit', body: { tea: true } }],
  ])('prints %s as a test that passes', async (_, status, fault) => {
    const { url, faults } = await startSandbox({ port: 0 })
    if (fault) await faults.add(fault)
    const id = await create(url, { firstName: "O'Hara \u2028 `${x}`", ...(status === 418 && { lastName: 'B' }) })
    const { stdout } = await run(['requests', id, '--url', url, '--as', 'test'])
    expect(stdout).toMatch(/^(?:[^\p{C}\u2028]|\n)+$/u)
    const [, body = ''] = /async \(\) => \{\n([^]*)\n\}\)/.exec(stdout) ?? []
    const code = body.replace('await using sandbox = await createSandbox()', '')
    expect(code).toContain(`toBe(${status})`)
    const AsyncFunction = (async () => undefined).constructor as new (
      ...code: string[]
    ) => (...given: unknown[]) => Promise<void>
    await using sandbox = await createSandbox()
    await new AsyncFunction('sandbox', 'expect', code)(sandbox, expect)
    expect(await sandbox.requests.count({ status })).toBe(1)
  })

  it('prints no control characters of a request', async () => {
    const { url } = await startSandbox({ port: 0 })
    const hostile = '\u001b[31m\u009b31m\u202e\u2028\u{e0041}\r\n'
    await create(url, { [hostile]: hostile, firstName: hostile })
    for (const args of [[], ['--json']]) {
      const { stdout } = await run(['requests', '--url', url, ...args])
      expect(stdout).toMatch(/^(?:[^\p{C}]|\n)+$/u)
    }
  })

  it.each(
    fewOf<[string[], RegExp]>([
      [['--team', 'initech'], /^error: there is no team initech; team must be the id of one/],
      [['--team', 'initech', '--follow'], /^error: there is no team initech;/],
      [
        ['--operation', 'createContacts'],
        /^error: there is no operation createContacts; did you mean createContact\?$/,
      ],
      [['--last', ''], /^error: last must be a whole number from 1 to 1000\.$/],
      [['\u001b[31mx'], /^error: There is no request \?\[31mx among the latest; list them without an id\.$/],
    ]),
  )('refuses the filter or id %j in one sentence', async (args, sentence) => {
    const { url } = await startSandbox({ port: 0 })
    await expectError(['requests', '--url', url, ...args], sentence, 1)
  })

  it.each<[string, RegExp]>([
    ['--as curl', /^error: --as needs the id of a request, such as 5f1c9a2e-7\.$/],
    ['one --as perl', /^error: --as must be curl, test or har\.$/],
    ['--follow --all', /^error: --follow shows the requests to one server: leave out --all\.$/],
  ])('refuses "%s" in one sentence', (args, sentence) => expectError(['requests', ...args.split(' ')], sentence, 1))
})
