import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CannotRun } from '../../contracts/client/errors.ts'
import { sendFirstRequests } from '../../contracts/client/first-requests.ts'
import { createTarget } from '../../contracts/client/target/target.ts'
import { proxyVariable, undiciTransport } from '../../contracts/client/transport.ts'
import { promises } from '../../spec/promises.ts'
import { acme, only, run, startTwoTeams, verifyAt, verifying } from './command.ts'
import { newFolder, serverThat, startSandbox } from '../for-one-test.ts'

const nowhere = 'http://127.0.0.1:1'

describe('verify', () => {
  it('lists the selected promises without a request', async () => {
    const args = ['--only', 'contacts', '--exclude', 'contact.delete', '--list']
    const { code, stdout } = await verifyAt(nowhere, args, {})
    const wanted = promises.filter(({ id, group }) => group === 'contacts' && !id.startsWith('contact.delete'))
    expect(stdout).toBe(wanted.map(({ id, words }) => `${id}: ${words}\n`).join(''))
    expect([code, wanted.length > 10]).toEqual([0, true])
  })

  it('lists the requests of a dry run in order, and sends none', async () => {
    let count = 0
    const url = await serverThat((_, answer) => {
      count++
      answer.end('{}')
    })
    const promised = only('conversation.createAgainReturnsTheFirst', 'contact.deletedIsGone')
    const { code, stdout } = await verifyAt(`${url}/tenant`, ['--dry-run', ...promised])
    const lines = stdout.split('\n').map((line) => line.replace(/ \{.*|pretended-\d+/g, ''))
    const create = '  POST /tenant/api/contacts/create-new-conversation'
    expect([code, lines, count]).toEqual([
      0,
      [
        'conversation.createAgainReturnsTheFirst',
        create,
        create,
        '  PUT /tenant/api/contacts/',
        '  POST /tenant/api/conversations',
        'contact.deletedIsGone',
        '  nothing: it looks at the responses to the requests of other checks, and of stories',
        '',
        expect.stringMatching(/^A run, with its stories: At most about [\d,]+ requests, 8 at a time/),
        '',
      ],
      0,
    ])
  })

  it('lists the requests of a dry run against its own sandbox', async () => {
    const promised = only('quote.requiredFieldsSuffice')
    const { code, stdout } = await run(['verify', '--dry-run', ...promised])
    expect(code).toBe(0)
    expect(stdout).toContain('quote.requiredFieldsSuffice\n  POST /api/')
    expect(stdout).not.toContain('nothing: ')
  })

  it.each([
    [['--only', 'contacts', '--exclude', 'contact'], 'No promise is left: --only, --operation and --exclude'],
    [['--exclude', 'contracts'], '--exclude names no group'],
    [['--dry-run'], "option '--list' cannot be used with option '--dry-run'"],
  ])('refuses %j', async (args, why) => {
    const { code, stderr } = await run(['verify', '--list', ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
  })

  it.each([
    ['a sandbox on this machine', {}],
    ['one that requires its control token', { controlToken: 'a-control-token-of-ours' }],
  ])('takes the credentials and providers of %s from its control plane', async (_, options) => {
    const { url, controlToken = '' } = await startSandbox({ port: 0, world: 'two-teams', ...options })
    const promised = only('access.adminsListAll', 'access.listsStay', 'message.emailAnswers', 'contact.createAnswers')
    const { code, stdout } = await verifyAt(url, promised, { CRM_SANDBOX_CONTROL_TOKEN: controlToken })
    expect(stdout).toContain('4 promises: 4 kept')
    expect(code).toBe(0)
  })

  it.each([
    ['without a key', {}],
    ['with the key of the team', { CRM_API_KEY: 'demo-key' }],
  ])(
    'signs tokens and creates a second team at a sandbox with one team, and leaves neither team nor users, %s',
    async (_, variables) => {
      const server = await startSandbox({ port: 0 })
      const teamsAndUsers = async () => (await server.world()).teams.map(({ _id, users }) => ({ _id, users }))
      const before = await teamsAndUsers()
      const { code, stdout } = await verifyAt(server.url, ['--only', 'access', '--strict'], variables)
      expect(stdout).toContain('17 promises: 17 kept')
      expect(code).toBe(0)
      expect(await teamsAndUsers()).toEqual(before)
    },
  )

  it('ends with 3 by --strict when a promise was skipped, and else with 0', async () => {
    const { url } = await startTwoTeams()
    const args = ['--up-to', 'write', ...only('message.liveAnswers200', 'contact.createAnswers201')]
    const loose = await verifyAt(url, args)
    expect([loose.code, loose.stdout]).toEqual([0, expect.stringContaining('1 skipped')])
    const strict = await verifyAt(url, [...args, '--strict'])
    expect([strict.code, strict.stdout]).toEqual([3, expect.stringContaining('Verdict: inconclusive.')])
  })

  it('runs its checks in another order for another seed', async () => {
    const orders = ['1', '2', '1'].map(async (seed) => {
      const { stdout } = await run(['verify', '--only', 'contact.create', '--seed', seed])
      return stdout.split('\n').filter((line) => line.startsWith('  ✓'))
    })
    const [one, two, again] = await Promise.all(orders)
    expect(one).toEqual(again)
    expect(one).not.toEqual(two)
    expect(one?.toSorted()).toEqual(two?.toSorted())
  })

  /** A server that refuses every request but the first. */
  const refusing = () => {
    let count = 0
    return serverThat((_, answer) => {
      answer.writeHead(count++ === 0 ? 200 : 400, { 'content-type': 'application/json' })
      answer.end('{"success":false,"message":"::error::no\\n::warning::##[error]\\u001b[31m"}')
    })
  }

  it('ends with the first broken promise by --bail', async () => {
    const args = only('contact.requiredFieldsSuffice', 'company.takesEveryField', 'product.takesEveryField')
    const { code, stdout } = await verifyAt(await refusing(), ['--bail', ...args])
    expect(stdout.match(/^ {2}✗/gm)).toHaveLength(1)
    expect(code).toBe(1)
  })

  it('prints no line that a CI system takes for a command, except its own annotations', async () => {
    const [url, file] = [await refusing(), join(newFolder(), 'summary.md')]
    const args = ['--only', 'contact.requiredFieldsSuffice', '--report-markdown', file]
    const { stdout } = await verifyAt(url, args)
    expect(stdout).toContain('response: 400')
    for (const text of [stdout, readFileSync(file, 'utf8')]) expect(text).not.toMatch(/^\s*::|##\[|\u001b/m)
    const inGitHub = await verifyAt(url, args, { ...acme, GITHUB_ACTIONS: 'true' })
    const commands = inGitHub.stdout.split('\n').filter((line) => line.startsWith('::'))
    expect(commands).toContainEqual(
      expect.stringMatching(/^::error title=contact\.requiredFieldsSuffice::.*%0Aexpected: a success%0A/),
    )
    expect(commands.every((line) => /^::(error|warning) title=[\w.% ]+::\w/.test(line))).toBe(true)
  })

  it.each([
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('with %j prints in colour: %s', async (variables, isColoured) => {
    const { url } = await startTwoTeams()
    const { stdout } = await verifyAt(url, only('contact.createAnswers201'), { ...acme, ...variables })
    expect(stdout.includes('\u001b[32mVerdict')).toBe(isColoured)
    expect(stdout.includes('\u001b')).toBe(isColoured)
  })

  it('deletes the report of an earlier run when it cannot start', async () => {
    const reports = newFolder()
    const path = join(reports, 'report.json')
    writeFileSync(path, '{"verdict":"conformant"}')
    const { code } = await verifyAt(nowhere, ['--report-json', path])
    expect([code, readdirSync(reports)]).toEqual([2, []])
  })

  it('refuses a second run and a clean-up while a run is going on', async () => {
    const [{ url }, ledgers] = [await startTwoTeams(), newFolder()]
    const args = ['--base-url', url, '--ledgers', ledgers, '--only', 'contacts']
    const first = verifying([...args, '--rate', '5'], acme)
    await first.hasSaid('✓')
    const second = await run(['verify', ...args], acme)
    const pid = `process ${first.child.pid}`
    const why = expect.stringContaining(`is going on, as ${pid}: wait until it is over`) as string
    expect([second.code, second.stderr]).toEqual([2, why])
    const [name = ''] = readdirSync(ledgers)
    const cleaned = await run(['verify', '--clean', join(ledgers, name)], acme)
    expect([cleaned.code, cleaned.stderr]).toEqual([2, expect.stringContaining(`still goes on, as ${pid}`)])
    expect(readdirSync(ledgers)).toEqual([name])
    first.child.kill('SIGINT')
    const { stdout } = await first.over
    expect(stdout).toContain('Interrupted: the run ends and cleans up.')
    expect(stdout).toMatch(/the run was interrupted: \d+ promises/)
    expect(readdirSync(ledgers)).toEqual([])
  })

  it('sends the headers of --header with every request', async () => {
    const received: unknown[] = []
    const url = await serverThat((request, answer) => {
      received.push(request.headers['x-tenant'])
      answer.end('{}')
    })
    await verifyAt(url, ['--header', 'X-Tenant: staging', '--only', 'contact.create'])
    expect(received.length).toBeGreaterThan(5)
    // The first request is for the control plane, which gets no such header.
    expect(received.filter((one) => one !== 'staging').length).toBeLessThanOrEqual(1)
  })
})

it.each([
  ['x-tenant', 'must be a name and a value'],
  ['x: a\r\nb: c', 'must be a name and a value'],
  ['X-API-Key: other', 'must not set X-API-Key'],
])('the header %j is refused', (header, why) =>
  expect(() => createTarget({ baseUrl: 'http://127.0.0.1', header: [header] }, {})).toThrow(why),
)

describe('A proxy', () => {
  it.each([
    ['of its protocol', 'https://crm.example.com', { HTTPS_PROXY: 'http://proxy' }, 'HTTPS_PROXY'],
    ['in lower case', 'http://crm.example.com', { http_proxy: 'http://proxy' }, 'http_proxy'],
    ['of the other protocol', 'http://crm.example.com', { HTTPS_PROXY: 'http://proxy' }, undefined],
    ['when the server is on this machine', 'http://127.0.0.1:4010', { HTTP_PROXY: 'http://proxy' }, undefined],
  ])('%s is used as usual', (_, origin, env, variable) => expect(proxyVariable(origin, env)).toBe(variable))

  it.each(['http://ada:s3cret pass@proxy:99999', 'http://ada:s3cret%pass@proxy:8080'])(
    'cannot be %s, and the message does not repeat its password',
    (proxy) => {
      vi.stubEnv('HTTPS_PROXY', proxy)
      onTestFinished(() => void vi.unstubAllEnvs())
      const open = () => undiciTransport('https://crm.example.com')
      expect(open).toThrow(CannotRun)
      expect(open).toThrow('The proxy in HTTPS_PROXY must be an http or https address')
      expect(open).not.toThrow('s3cret')
    },
  )

  it('gets the requests for a host beyond this machine', async () => {
    const requested: unknown[] = []
    const proxy = createServer((request, answer) => {
      requested.push(request.url)
      answer.end('{}')
    })
    proxy.on('connect', ({ url }, socket) => {
      requested.push(url)
      const through = connect((proxy.address() as AddressInfo).port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        through.pipe(socket).pipe(through)
      })
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    vi.stubEnv('http_proxy', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
    const target = createTarget({ baseUrl: 'http://crm.example.com' }, { team: 'acme-key' })
    const transport = undiciTransport(target.origin)
    onTestFinished(async () => {
      vi.unstubAllEnvs()
      await transport.close()
      proxy.closeAllConnections()
      proxy.close()
    })
    await sendFirstRequests(target, transport.send)
    expect(requested.join(' ')).toContain('crm.example.com')
  })
})
