import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { control } from '../../mock/control/client.ts'
import { createSandbox } from '../../index.ts'
import { run, serve } from './command.ts'

const json = { 'content-type': 'application/json' }
const key = { 'x-api-key': 'demo-key' }

async function send(url: string, path: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(new URL(path, url), init)
  return answer.headers.get('x-sandbox-request') ?? ''
}

const create = (url: string, body: unknown, headers = {}) =>
  send(url, '/api/contacts', { method: 'POST', headers: { ...json, ...key, ...headers }, body: JSON.stringify(body) })

describe('crm-sandbox requests', () => {
  it('shows the latest requests in columns, and why they were refused', async () => {
    const { url } = await serve()
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

  it('shows the whole id of a team, and a request without an answer in the same columns', async () => {
    const { url } = await serve()
    const sandbox = control({ url })
    const team = await sandbox.team()
    await team.crm.createProduct({ name: 'Cog', unitPrice: 3 })
    await sandbox.faults.add({ operation: 'createProduct', phase: 'afterCommit', connection: 'close' })
    await team.crm.createProduct({ name: 'Cog', unitPrice: 3 }, { headers: { 'x-request-id': 'lost' } }).catch(() => 0)
    const { stdout } = await run(['requests', '--url', url])
    const columns = `createProduct                 ${team.id}`
    expect(stdout).toContain(`  201  ${columns}`)
    expect(stdout).toContain(`    0  ${columns}`)
    expect(stdout).toMatch(/lost {2}product \+1 {2}cut off {2}The fault fault-1 answers this request\n$/)
    const asTest = await run(['requests', 'lost', '--url', url, '--as', 'test'])
    expect(asTest.stderr).toBe('error: Request lost has had no answer, so a test has nothing to expect.\n')
  })

  it.each([
    ['--team', 'initech', 'there is no team initech; team must be the id of one, as GET /_sandbox/teams lists them.'],
    ['--team', '', 'there is no team ""; team must be the id of one, as GET /_sandbox/teams lists them.'],
    ['--operation', 'createContacts', 'operation cannot be "createContacts"; did you mean createContact?'],
    ['--assumed', 'nothing', 'assumed cannot be "nothing"; GET /_sandbox/assumptions lists them.'],
    ['--last', '', 'last must be at least 1.'],
  ])('says what there is not: %s %s', async (flag, name, sentence) => {
    const { url } = await serve()
    for (const follow of [[], ['--follow']]) {
      const { stdout, stderr, code } = await run(['requests', '--url', url, flag, name, ...follow])
      expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: `error: ${sentence}\n`, code: 1 })
    }
  })

  it('follows those that come until the sandbox ends', async () => {
    const { url, child } = await serve()
    await create(url, { firstName: 'Ada' }, { 'x-request-id': 'before' })
    const following = run(['requests', '--url', url, '--follow', '--json'])
    const waitFor = setInterval(() => void create(url, { firstName: 'Ada' }, { 'x-request-id': 'after' }), 200)
    setTimeout(() => {
      clearInterval(waitFor)
      child.kill()
    }, 3_000)
    const { stdout, code } = await following
    const ids = stdout.trim().split('\n').map((line) => (JSON.parse(line) as { id: string }).id) // prettier-ignore
    expect(code).toBe(0)
    expect(ids.filter((id) => id === 'before')).toHaveLength(1)
    expect(ids.filter((id) => id === 'after').length).toBeGreaterThan(3)
  })

  it('prints one as a curl line that does the same, with the key in a variable', async () => {
    const { url } = await serve()
    const hostile = { firstName: `O'Hara $(exit 1) \`x\` "q" \\ \u001b[31m \u009b \u202e`, lastName: 'a\r\nb' }
    const id = await create(url, hostile, { 'idempotency-key': "it's" })
    const { stdout } = await run(['requests', id, '--url', url, '--as', 'curl'])
    expect(stdout).toMatch(/^(?:\P{C}|\n)+$/u)
    expect(stdout).toContain('"x-api-key: $CRM_API_KEY"')
    expect(stdout).not.toContain('demo-key')
    const line = stdout.replace("it'\\''s", 'another')
    const told = execFileSync('sh', ['-c', line], { env: { ...process.env, CRM_API_KEY: 'demo-key' }, stdio: 'pipe' })
    expect(JSON.parse(told.toString())).toMatchObject({ success: true, data: hostile })
  })

  it('prints one as a test that holds', async () => {
    const { url } = await serve()
    const id = await create(url, { firstName: "O'Hara \u2028 `${x}`" })
    const { stdout } = await run(['requests', id, '--url', url, '--as', 'test'])
    expect(stdout).toMatch(/^(?:[^\p{C}\u2028]|\n)+$/u)
    const [, body = ''] = /async \(\) => \{\n([^]*)\n\}\)/.exec(stdout) ?? []
    const runs = body.replace('await using sandbox = await createSandbox()', '')
    const AsyncFunction = (async () => undefined).constructor as new (
      ...code: string[]
    ) => (...given: unknown[]) => Promise<void>
    await using sandbox = await createSandbox()
    await new AsyncFunction('sandbox', 'expect', runs)(sandbox, expect)
    expect(runs).toContain('toBe(400)')
    expect(await sandbox.requests.count({ status: 400 })).toBe(1)
  })

  it.each([
    [['--as', 'curl'], 'error: --as needs the id of a request, such as 5f1c9a2e-7.\n'],
    [['one', '--as', 'perl'], 'error: --as must be curl or test.\n'],
    [['--url', 'nowhere'], 'error: --url must be a URL, such as http://127.0.0.1:4010.\n'],
    [['--url', 'http://127.0.0.1:1'], /^error: Nothing answers at http:\/\/127\.0\.0\.1:1; start a sandbox/],
  ])('says in one sentence what is wrong: %j', async (args, sentence) => {
    const { stderr, code } = await run(['requests', ...args])
    expect(code).toBe(1)
    if (typeof sentence === 'string') expect(stderr).toBe(sentence)
    else expect(stderr).toMatch(sentence)
  })

  it('says what is wrong with a filter, and with an id, without what a terminal would act on', async () => {
    const { url } = await serve()
    const filter = await run(['requests', '--url', url, '--assumed', 'contactMatchin'])
    expect(filter.stderr).toBe('error: assumed cannot be "contactMatchin"; did you mean contactMatching?\n')
    const id = await run(['requests', '\u001b[31mx', '--url', url])
    expect(id.stderr).toBe('error: There is no request ?[31mx among the latest; list them without an id.\n')
  })

  it('shows nothing that a terminal would act on', async () => {
    const { url } = await serve()
    const hostile = '\u001b[31m\u009b31m\u202e\u2028\u{e0041}\r\n'
    await create(url, { [hostile]: hostile, firstName: hostile })
    for (const args of [[], ['--json']]) {
      const { stdout } = await run(['requests', '--url', url, ...args])
      expect(stdout).toMatch(/^(?:[^\p{C}]|\n)+$/u)
    }
  })
})
