import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CannotRun } from '../../client/errors.ts'
import { sendFirstRequests } from '../../client/first-requests.ts'
import { createTarget } from '../../client/target/target.ts'
import { proxyVariable, undiciTransport } from '../../client/transport.ts'
import { createSandbox } from '../../index.ts'
import { promises } from '../../spec/promises.ts'
import { folder, serverThat } from '../client/harness.ts'
import { run, verifying } from './command.ts'

async function sandbox() {
  const server = await createSandbox({ port: 0, world: 'two-teams' })
  onTestFinished(() => server.close())
  return server.url
}

const acme = { CRM_API_KEY: 'acme-key' }
const contactsButDeletes = ['--only', 'contacts', '--exclude', 'contact.delete']

describe('verify', () => {
  it('lists what is selected, and sends nothing', async () => {
    const { code, stdout } = await run(['verify', ...contactsButDeletes, '--list', '--base-url', 'http://127.0.0.1:1'])
    const wanted = promises.filter(({ id, group }) => group === 'contacts' && !id.startsWith('contact.delete'))
    expect(stdout).toBe(wanted.map(({ id, words }) => `${id}: ${words}\n`).join(''))
    expect([code, wanted.length > 10]).toEqual([0, true])
  })

  it('lists the requests of a dry run in order, and sends nothing', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      asked++
      answer.end('{}')
    })
    const only = ['--only', 'conversation.createAnswers201', '--only', 'contact.deletedIsGone']
    const { code, stdout } = await run(['verify', '--dry-run', '--base-url', `${url}/tenant`, ...only])
    const lines = stdout.split('\n').map((line) => line.replace(/ \{.*|pretended-\d+/g, ''))
    expect([code, lines, asked]).toEqual([
      0,
      [
        'conversation.createAnswers201',
        '  POST /tenant/api/contacts',
        '  PUT /tenant/api/contacts/',
        '  POST /tenant/api/conversations',
        'contact.deletedIsGone',
        '  POST /tenant/api/contacts',
        '  POST /tenant/api/contacts',
        '  POST /tenant/api/contacts',
        '  PUT /tenant/api/contacts/',
        '  DELETE /tenant/api/contacts/',
        '  PUT /tenant/api/contacts/',
        '  PUT /tenant/api/contacts/',
        '',
      ],
      0,
    ])
  })

  it('lists the requests of a dry run against a sandbox of its own', async () => {
    const { code, stdout } = await run([
      'verify',
      '--dry-run',
      '--only',
      'message.bulkAnswers200',
      '--only',
      'quote.createRequires',
    ])
    expect(code).toBe(0)
    expect(stdout).toContain('quote.createRequires\n  POST /api/')
    expect(stdout).not.toContain('nothing: ')
  })

  it('refuses to leave everything out', async () => {
    const { code, stderr } = await run(['verify', '--only', 'contacts', '--exclude', 'contact', '--list'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('No promise is left: --only, --operation and --exclude'),
    ])
    expect((await run(['verify', '--exclude', 'contracts'])).stderr).toContain('--exclude names no group')
  })

  it('judges what the control plane of a sandbox on this machine makes possible, without a key', async () => {
    const only = [
      'access.adminsListAllTemplates',
      'access.listsStayInTheTeam',
      'message.emailAnswers200',
      'contact.createAnswers201',
    ]
    const url = await sandbox()
    const { code, stdout } = await run([
      'verify',
      '--base-url',
      url,
      '--ledgers',
      folder(),
      ...only.flatMap((id) => ['--only', id]),
    ])
    expect(stdout).toContain('4 promises: 4 kept')
    expect(code).toBe(0)
  })

  it('judges whether teams are kept apart in a sandbox with one team, and leaves it with one', async () => {
    const server = await createSandbox({ port: 0 })
    onTestFinished(() => server.close())
    const args = ['verify', '--base-url', server.url, '--ledgers', folder()]
    const { code, stdout } = await run([...args, '--only', 'access', '--strict'])
    expect(stdout).toContain('17 promises: 17 kept')
    expect(code).toBe(0)
    expect((await server.world()).teams.map(({ _id }) => _id)).toEqual(['demo'])
  })

  it('makes no team in a sandbox whose key is given', async () => {
    const server = await createSandbox({ port: 0 })
    onTestFinished(() => server.close())
    const args = ['verify', '--base-url', server.url, '--ledgers', folder()]
    const { stdout } = await run([...args, '--only', 'access.listsStay'], { CRM_API_KEY: 'demo-key' })
    expect(stdout).toContain('needs the key of a second team, in CRM_OTHER_API_KEY')
  })

  it('ends with 3 by --strict when something was skipped, and else with 0', async () => {
    const url = await sandbox()
    const args = ['verify', '--base-url', url, '--only', 'access.tokenIs', '--only', 'contact.createAnswers201']
    const loose = await run([...args, '--ledgers', folder()], acme)
    expect([loose.code, loose.stdout]).toEqual([0, expect.stringContaining('1 skipped')])
    const strict = await run([...args, '--ledgers', folder(), '--strict'], acme)
    expect([strict.code, strict.stdout]).toEqual([3, expect.stringContaining('Verdict: inconclusive.')])
  })

  /** A server that refuses everything after the first request. */
  const refusing = () => {
    let asked = 0
    return serverThat((_, answer) => {
      answer.writeHead(asked++ === 0 ? 200 : 400, { 'content-type': 'application/json' })
      answer.end('{"success":false,"message":"::error::no\\n::warning::##[error]\\u001b[31m"}')
    })
  }

  it('ends with the first broken promise by --bail', async () => {
    const args = ['--only', 'access.keyOpens', '--only', 'contact.createAnswers201', '--only', 'deal.createAnswers200']
    const { code, stdout } = await run(
      ['verify', '--base-url', await refusing(), '--ledgers', folder(), '--bail', ...args],
      acme,
    )
    expect(stdout.match(/^ {2}✗/gm)).toHaveLength(1)
    expect(code).toBe(1)
  })

  it('says nothing that a CI system takes for a command, but in annotations of its own', async () => {
    const [url, file] = [await refusing(), join(folder(), 'summary.md')]
    const args = [
      'verify',
      '--base-url',
      url,
      '--ledgers',
      folder(),
      '--only',
      'contact.createAnswers',
      '--report-markdown',
      file,
    ]
    const { stdout } = await run(args, acme)
    expect(stdout).toContain('answer:   400')
    for (const text of [stdout, readFileSync(file, 'utf8')]) expect(text).not.toMatch(/^\s*::|##\[|\u001b/m)
    const inGitHub = await run(args, { ...acme, GITHUB_ACTIONS: 'true' })
    const commands = inGitHub.stdout.split('\n').filter((line) => line.startsWith('::'))
    expect(commands[0]).toMatch(
      /^::error title=contact\.createAnswers201::Creating a contact returns 201\.%0Aexpected: 201%0A/,
    )
    expect(commands.every((line) => /^::(error|warning) title=[\w.]+::\w/.test(line))).toBe(true)
  })

  it('is in colour where that is wanted', async () => {
    const args = ['verify', '--base-url', await sandbox(), '--only', 'contact.createAnswers201', '--ledgers']
    expect((await run([...args, folder()], acme)).stdout).not.toContain('\u001b')
    expect((await run([...args, folder()], { ...acme, FORCE_COLOR: '1' })).stdout).toContain('\u001b[32mVerdict')
    expect((await run([...args, folder()], { ...acme, FORCE_COLOR: '1', NO_COLOR: '1' })).stdout).not.toContain(
      '\u001b',
    )
  })

  it('leaves no report of an earlier run when it cannot start', async () => {
    const reports = folder()
    const path = join(reports, 'report.json')
    writeFileSync(path, '{"verdict":"conformant"}')
    const { code } = await run(['verify', '--base-url', 'http://127.0.0.1:1', '--report-json', path], acme)
    expect([code, readdirSync(reports)]).toEqual([2, []])
  })

  it('is refused beside a run that goes on, and so is its cleaning', async () => {
    const [url, ledgers] = [await sandbox(), folder()]
    const args = ['--base-url', url, '--ledgers', ledgers, '--only', 'contacts']
    const first = verifying([...args, '--rate', '5'], acme)
    await first.hasSaid('✓')
    const second = await run(['verify', ...args], acme)
    const pid = `process ${first.child.pid}`
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringContaining(`is going on, as ${pid}: wait until it is over`),
    ])
    const [name = ''] = readdirSync(ledgers)
    const cleaned = await run(['verify', '--clean', join(ledgers, name)], acme)
    expect([cleaned.code, cleaned.stderr]).toEqual([2, expect.stringContaining(`still goes on, as ${pid}`)])
    expect(readdirSync(ledgers)).toEqual([name])
    first.child.kill('SIGINT')
    const { stdout } = await first.over
    expect(stdout).toContain('Interrupted: the run ends and cleans up.')
    expect(readdirSync(ledgers)).toEqual([])
  })
})

describe('A header', () => {
  it('goes with every request', async () => {
    const heard: unknown[] = []
    const url = await serverThat((request, answer) => {
      heard.push(request.headers['x-tenant'])
      answer.end('{}')
    })
    await run(
      ['verify', '--base-url', url, '--header', 'X-Tenant: staging', '--only', 'contact.create', '--ledgers', folder()],
      acme,
    )
    const asked = heard.length
    expect(asked).toBeGreaterThan(5)
    // The control plane is not the service.
    expect(heard.filter((one) => one !== 'staging').length).toBeLessThanOrEqual(1)
  })

  it.each([
    ['x-tenant', 'must be a name and a value'],
    ['x: a\r\nb: c', 'must be a name and a value'],
    ['X-API-Key: other', 'must not set X-API-Key'],
  ])('is not %j', (header, why) => {
    expect(() => createTarget({ baseUrl: 'http://127.0.0.1', header: [header] }, {})).toThrow(why)
  })
})

describe('A proxy', () => {
  it.each([
    ['of its protocol', 'https://crm.example.com', { HTTPS_PROXY: 'http://proxy' }, 'HTTPS_PROXY'],
    ['in lower case', 'http://crm.example.com', { http_proxy: 'http://proxy' }, 'http_proxy'],
    ['of the other protocol', 'http://crm.example.com', { HTTPS_PROXY: 'http://proxy' }, undefined],
    ['when the server is on this machine', 'http://127.0.0.1:4010', { HTTP_PROXY: 'http://proxy' }, undefined],
  ])('%s is used as usual', (_, origin, env, variable) => {
    expect(proxyVariable(origin, env)).toBe(variable)
  })

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
    const asked: unknown[] = []
    const proxy = createServer((request, answer) => {
      asked.push(request.url)
      answer.end('{}')
    })
    proxy.on('connect', ({ url }, socket) => {
      asked.push(url)
      const { port } = proxy.address() as AddressInfo
      const through = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        through.pipe(socket).pipe(through)
      })
    })
    proxy.listen(0, '127.0.0.1')
    await new Promise((resolve) => proxy.once('listening', resolve))
    onTestFinished(() => {
      proxy.closeAllConnections()
      proxy.close()
    })
    process.env.http_proxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    onTestFinished(() => {
      delete process.env.http_proxy
    })
    const target = createTarget({ baseUrl: 'http://crm.example.com' }, { team: 'acme-key' })
    const transport = undiciTransport(target.origin)
    onTestFinished(() => transport.close())
    await sendFirstRequests(target, transport.send)
    expect(asked.join(' ')).toContain('crm.example.com')
  })
})
