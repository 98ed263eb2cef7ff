import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { promise, promises } from '../../spec/promises.ts'
import { fewOf } from '../cli/command.ts'
import { serverThatSays, recordsIn } from './client/helpers.ts'
import { inTier, sampleOf } from '../tier.ts'
import { acme as team, only, run, startTwoTeams, verifyAt, verifying } from './command.ts'
import { sleep } from '../../contracts/client/sleep.ts'
import { cleanUp, verify } from '../../contracts/index.ts'
import { newFolder, serverThat, startSandbox } from '../for-one-test.ts'

const acme = { ...team, CRM_OTHER_API_KEY: 'globex-key' }

/** A sandbox with records that no run may change. */
async function startWithRecords() {
  const sandbox = await startTwoTeams()
  const records = async () => recordsIn(await sandbox.world())
  return { sandbox, url: sandbox.url, records, before: await records() }
}

/** Options for a report in each format, and their texts after the run. */
function reports() {
  const path = newFolder()
  const formats = ['junit', 'json', 'html', 'markdown']
  const options = formats.flatMap((format) => [`--report-${format}`, join(path, format)])
  return { options, texts: () => formats.map((format) => readFileSync(join(path, format), 'utf8')) }
}

describe('verify', () => {
  it('starts a sandbox and checks the promises', async () => {
    const { code, stdout, stderr } = await run(['verify', '--only', 'contact.create'])
    expect(stderr).toBe('')
    expect(stdout).toContain('  ✓ Creating a contact returns 201.\n')
    expect(stdout).toContain('Everything that the run made is deleted.\n')
    expect(stdout.endsWith(`Only 4 of ${promises.length} promises were selected.\nVerdict: conformant.\n`)).toBe(true)
    expect(code).toBe(0)
  })

  it('leaves a server as it was, no ledger, and no file in the folder where it was started', async () => {
    const { url, records, before } = await startWithRecords()
    const [ledgers, here] = [newFolder(), newFolder()]
    const args = ['verify', '--base-url', url, '--only', 'contacts', '--ledgers', ledgers]
    expect((await run(args, acme, here)).code).toBe(0)
    expect(await records()).toEqual(before)
    expect([readdirSync(ledgers), readdirSync(here)]).toEqual([[], []])
  })

  it('sends only reads when it may only read', async () => {
    const methods = new Set<unknown>()
    const url = await serverThat((request, answer) => {
      methods.add(request.method)
      answer.writeHead(404, { 'content-type': 'application/json' })
      answer.end('{"success":false,"message":"Resource not found"}')
    })
    const some = inTier({ test: only('contacts', 'template.list'), ci: [] })
    const { code } = await verifyAt(url, ['--up-to', 'read', ...some], acme)
    expect(methods).toEqual(new Set(['GET']))
    expect(code).not.toBe(0)
  })

  it('writes reports without credentials, even if the server repeats them', async () => {
    const canary = 'canary-key-0123456789'
    const url = await serverThat((request, answer) => {
      const [status, message] = 'x-api-key' in request.headers ? [400, `no such key: ${canary}`] : [401, 'Unauthorized']
      answer.writeHead(status, { 'content-type': 'application/json' })
      answer.end(JSON.stringify({ success: false, message, [canary]: canary }))
    })
    const { options, texts } = reports()
    const args = [...only('contact.create', 'contact.requiredFieldsSuffice'), ...options]
    const { code, stdout, stderr } = await verifyAt(url, args, { CRM_API_KEY: canary })
    expect(code).toBe(1)
    for (const text of [stdout, stderr, ...texts()]) expect(text).not.toContain(canary)
    expect(stdout).toContain('$CRM_API_KEY')
  })

  it('prints its findings in the order of the groups, one check at a time', async () => {
    const promised = only('deal.createA', 'template.createA', 'message.liveA', 'access.noCredentialIs401')
    const { stdout } = await run(['verify', ...promised, '--concurrency', '1'])
    expect([...new Set(stdout.match(/^\w+(?=: |$)/gm))].slice(0, 4)).toEqual([
      'Access',
      'Messages',
      'Templates',
      'Deals',
    ])
  })
})

describe('A server that cannot be verified', () => {
  const refused: [string, string[], string][] = [
    [
      'nothing listens',
      ['--base-url', 'http://127.0.0.1:1'],
      'http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED',
    ],
    ['another host was confirmed', ['--base-url', 'https://a.test', '--confirm-host', 'b.test'], 'names another host'],
    ['the host was not confirmed', ['--base-url', 'https://a.test', '--up-to', 'send'], '--confirm-host a.test'],
    ['the reach is unknown', ['--up-to', 'everything'], 'Allowed choices are read, write, platform, send'],
    ['an option is unknown', ['--api-key', 'x'], 'unknown option'],
    ['the address is none', ['--base-url', 'staging'], 'must be an http or https address'],
    ['there is no such ledger', ['--clean', '/nowhere.jsonl'], 'There is no ledger /nowhere.jsonl'],
    [
      'there is no such group',
      ['--only', 'contracts'],
      '--only names no group and no promise: contracts; close to it: contacts',
    ],
    ['there is no such operation', ['--operation', 'constructor'], '--operation names no operation: constructor'],
    ['an operation is misspelt', ['--operation', 'craeteContact'], 'close to it: createContact'],
    ['the seed is no number', ['--seed', 'abc'], 'must be a whole number, such as 7'],
    ['the timeout is no number', ['--timeout', 'abc'], '--timeout must be a number from 0.001 to 600.'],
    [
      'a report cannot be written',
      ['--report-json', '/proc/report.json'],
      'The report /proc/report.json cannot be written',
    ],
    ['the folder for ledgers is empty', ['--ledgers', ''], '--ledgers must name a folder.'],
    ['there are no such deviations', ['--known', '/nowhere.yaml'], 'cannot be read (ENOENT)'],
  ]
  it.each(fewOf(refused))('is reported in one sentence, when %s', async (_, args, why) => {
    const { code, stdout, stderr } = await run(['verify', ...args], acme)
    expect(stderr).toContain(why)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect([code, stdout]).toEqual([2, ''])
  })

  it('has no key', async () => {
    const url = await serverThatSays(404, { success: false, message: 'Resource not found' })
    const { code, stderr } = await run(['verify', '--base-url', url])
    expect([code, stderr]).toEqual([2, 'error: The key of a team is missing: set CRM_API_KEY.\n'])
  })

  it.each([
    ['nothing listens', {}, 'http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED'],
    ['an option is wrong', { rate: 'none' }, '--rate must be a number'],
  ])('is reported without a key too, when %s', async (_, wrong, why) => {
    const options = { baseUrl: 'http://127.0.0.1:1', ledgers: newFolder(), env: {}, ...wrong }
    await expect(verify(options)).rejects.toThrow(why)
  })

  it('gives no answer', async () => {
    const url = await serverThat(() => undefined)
    const { code, stderr } = await run(['verify', '--base-url', url, '--timeout', '0.3'], acme)
    expect([code, stderr]).toEqual([2, `error: ${url} cannot be reached: no response within 0.3 seconds.\n`])
  })

  it('gives only one answer', async () => {
    let count = 0
    const url = await serverThat((_, answer) => {
      if (++count === 1) answer.end('{}')
      else answer.destroy()
    })
    const { code, stdout } = await verifyAt(url, ['--only', 'contact.create'])
    expect(stdout).toContain('gives no responses: the connection was closed without a response')
    expect(stdout).toContain('Verdict: harness failed.')
    expect(code).toBe(2)
  })

  it('answers everything with HTML', async () => {
    const url = await serverThatSays(200, '<!doctype html><title>Welcome</title>', { 'content-type': 'text/html' })
    expect(await verifyAt(url, ['--only', 'contact.'], acme)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${url} answers 200, but not with JSON: it may not be the service at all.\n`,
    })
  })

  it('answers with HTML after the first answer, which is a broken promise', async () => {
    let count = 0
    const url = await serverThat((_, answer) => {
      answer.end(++count === 1 ? '{}' : '<!doctype html><title>Welcome</title>')
    })
    const { code, stdout } = await verifyAt(url, ['--only', 'contact.'])
    expect(stdout).toContain('answers, but not with JSON: it may not be the service at all.')
    expect(stdout).toMatch(/ broken: .*envelope\.answersAreJson/)
    expect(code).toBe(1)
  })

  it.each([
    ['CRM_API_KEY', 'the key of a team'],
    ['CRM_OTHER_API_KEY', 'the key of a second team'],
  ])('does not accept %s', async (variable, words) => {
    const { url } = await startTwoTeams()
    expect(await verifyAt(url, [], { ...acme, [variable]: 'mistyped' })).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${url} does not accept ${words} (401 "Unauthorized"): check ${variable}.\n`,
    })
  })
})

describe('A run that is', () => {
  it('killed leaves a ledger, and the next run names the command that cleans up', async () => {
    const { url, records, before } = await startWithRecords()
    const ledgers = newFolder()
    const args = ['--base-url', url, '--ledgers', ledgers]
    const killed = verifying([...args, '--only', 'contacts'], acme)
    await killed.hasSaid(promise('contact.statusesAreTaken').words)
    killed.child.kill('SIGKILL')
    await killed.over
    const [ledger = ''] = readdirSync(ledgers).map((name) => join(ledgers, name))
    expect(readFileSync(ledger, 'utf8')).not.toMatch(/acme-key|globex-key/)
    expect(await records()).not.toEqual(before)

    const next = await run(['verify', ...args, '--only', 'contact.create'], acme)
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining(`verify --clean ${ledger}`)])

    const cleaned = await run(['verify', '--clean', ledger, '--ledgers', ledgers], acme)
    expect([cleaned.code, cleaned.stdout]).toEqual([0, 'Everything that the run made is deleted.\n'])
    expect(await records()).toEqual(before)
    expect(existsSync(ledger)).toBe(false)
  })

  it('interrupted cleans up', async () => {
    const { url, records, before } = await startWithRecords()
    const ledgers = newFolder()
    const args = ['--base-url', url, '--ledgers', ledgers, '--only', 'contacts', '--rate', '40']
    const interrupted = verifying(args, acme)
    await interrupted.hasSaid(promise('contact.updatedAtMoves').words)
    interrupted.child.kill('SIGINT')
    const { code, stdout } = await interrupted.over
    expect(stdout).toContain('Everything that the run made is deleted.')
    expect(stdout).toContain('The run was interrupted.')
    expect(code).toBe(3)
    expect(await records()).toEqual(before)
    expect(readdirSync(ledgers)).toEqual([])
  })

  it('refused a delete reports the record that may be left', async () => {
    const sandbox = await startTwoTeams()
    const url = await serverThat((request, answer) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method = 'GET', headers } = request
        if (method === 'DELETE') {
          answer.writeHead(500, { 'content-type': 'application/json' })
          answer.end('{"success":false,"message":"Internal server error"}')
          return
        }
        const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
        const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
        void sandbox.fetch(request.url ?? '', { method, headers: fields, ...body }).then(async (came) => {
          answer.writeHead(came.status, { 'content-type': 'application/json' })
          answer.end(await came.text())
        })
      })
    })
    const ledgers = newFolder()
    const args = ['verify', '--base-url', url, '--only', 'contact.createAnswers201', '--ledgers', ledgers]
    const { code, stdout } = await run(args, acme)
    expect(stdout).toMatch(
      /May be left behind\n(?: {2}.+\n)*? {2}contact \w+ and \d+ more, .*: deleteContact answering 500/,
    )
    // A delete that always fails is a broken promise, too.
    expect(code).toBe(1)

    const [ledger = ''] = readdirSync(ledgers).map((name) => join(ledgers, name))
    const cleaned = await run(['verify', '--clean', ledger], acme)
    expect(cleaned.stdout).toContain(`delete ${ledger} once you have looked for what is left: then runs can start.\n`)
    expect([cleaned.code, existsSync(ledger)]).toEqual([4, true])
  })
})

const callers = [
  ['without credentials', {}],
  ['with a key', { CRM_API_KEY: 'demo-key' }],
] as const

it.each(sampleOf(callers, inTier({ test: 1, ci: 2 })))(
  'a killed run %s leaves neither a second team nor users, once its ledger is cleaned',
  async (_, env) => {
    const sandbox = await startSandbox({ port: 0 })
    const records = async () => recordsIn(await sandbox.world())
    const before = await records()
    const ledgers = newFolder()
    // Of a company whose create was cut, nothing can find out what became of it.
    const args = ['--base-url', sandbox.url, '--ledgers', ledgers, '--only', 'templates']
    const { child, over } = verifying(args, env)
    const ledger = () => readdirSync(ledgers).map((name) => readFileSync(join(ledgers, name), 'utf8'))
    const known = () =>
      new Set(
        [
          ...ledger()
            .join('')
            .matchAll(/"who":"(\w+)"/g),
        ].map(([, who]) => who),
      )
    while (known().size < 4 && child.exitCode === null) await sleep(5)
    child.kill('SIGKILL')
    await over
    expect(await records()).toHaveLength(before.length + 1)
    const [name = ''] = readdirSync(ledgers)
    expect(await cleanUp(join(ledgers, name), { env })).toMatchObject({ residue: [] })
    expect(await records()).toEqual(before)
  },
)
