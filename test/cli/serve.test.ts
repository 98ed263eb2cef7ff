import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { assumptionNames } from '../../spec/assumptions.ts'
import { run, serve } from './command.ts'

describe('the banner', () => {
  it('has a line to paste that works, with the key of the first team', async () => {
    const { banner } = await serve()
    const line = /curl .*/.exec(banner)?.[0] ?? ''
    const answer = execFileSync('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    expect(JSON.parse(answer)).toMatchObject({ success: true, message: 'Contact created' })
    const [, key = ''] = /key +(\S+)/.exec(banner) ?? []
    expect(line).toContain(key)
  })

  it('says where it really listens, and where the docs are', async () => {
    const { url, banner } = await serve(['--host', 'localhost'])
    expect(banner).toMatch(/^crm-sandbox \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+\n/)
    expect(banner).toContain(`${url}/docs\n`)
    expect((await fetch(`${url}/docs`)).status).toBe(200)
  })

  it('shows how to make a team where there is none', async () => {
    const { banner } = await serve(['--world', file('nobody.yaml', 'teams: []')])
    const line = /curl .*/.exec(banner)?.[0] ?? ''
    const answer = execFileSync('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    expect(JSON.parse(answer)).toMatchObject({ message: 'Team created' })
  })

  it('shows what this sandbox is: its world, its store, the choices that differ, and the key of each team', async () => {
    const store = `file:${file('crm.json', '').replace('crm.json', 'other.json')}`
    const assume = [
      '--assume',
      'contactMatching=phoneThenEmail',
      '--assume',
      'rateLimit=perMinute:60',
      '--assume',
      'keyScope=team',
    ]
    const { banner } = await serve(['--world', 'two-teams', '--store', store, ...assume])
    for (const line of [
      /^ {2}key +acme-key \(team Acme.*\)\n +globex-key \(team Globex.*\)$/m,
      /^ {2}world +two-teams$/m,
      /^ {2}choices +0 learned, 3 chosen by hand, \d+ assumed$/m,
      /^ {2}assumed +contactMatching=phoneThenEmail\n +rateLimit=perMinute:60\n {2}docs/m,
    ]) {
      expect(banner).toMatch(line)
    }
    expect(banner).toContain(`store    ${store}\n`)
  })

  it('escapes what a world calls its teams, and shows ten keys of many', async () => {
    const keys = Array.from({ length: 14 }, (_, at) => `key-number-${at}`)
    const world = `teams: [{ _id: a, name: "a\\e[31m\\u202e", apiKeys: [${keys.join(', ')}], providers: ${providers} }]`
    const { banner } = await serve(['--world', file('loud.yaml', world)])
    expect(banner).toMatch(/^[\n\P{C}]+$/u)
    expect(banner.match(/key-number-\d+ \(team/g)).toHaveLength(10)
    expect(banner).toContain('and 4 more')
  })

  it('shows the control token that was made, where other machines can reach the sandbox', async () => {
    const { url, banner } = await serve(['--public'])
    expect(banner).toContain('listens on all interfaces (0.0.0.0) http://127.0.0.1:')
    const [, token = ''] = /token +(\S+) \(opens/.exec(banner) ?? []
    expect((await fetch(`${url}/_sandbox/teams`)).status).toBe(401)
    expect((await fetch(`${url}/_sandbox/teams`, { headers: { 'x-sandbox-token': token } })).status).toBe(200)
  })

  it.each([
    ['400', 'prefer', []],
    ['200', null, ['--no-faults-by-header']],
  ] as const)('answers %s to a request that asks for an error by itself, with %s', async (status, fault, args) => {
    const { url } = await serve(['--world', 'two-teams', ...args])
    const query = 'page=1&limit=1&types=sms&statuses=approved'
    const headers = { 'x-api-key': 'acme-key', prefer: 'code=400' }
    const answer = await fetch(`${url}/api/templates?${query}`, { headers })
    expect([`${answer.status}`, answer.headers.get('x-sandbox-fault')]).toEqual([status, fault])
  })

  it('does not show a control token that was given', async () => {
    const given = 'a-control-token-of-ours'
    const { url, banner } = await serve([], { CRM_SANDBOX_CONTROL_TOKEN: given })
    expect(banner).not.toContain(given)
    expect((await fetch(`${url}/_sandbox/teams`)).status).toBe(401)
    expect((await fetch(`${url}/_sandbox/teams`, { headers: { authorization: `Bearer ${given}` } })).status).toBe(200)
  })
})

describe('the start for a script', () => {
  it('is one line of JSON with what it needs: the URL, and the teams with their keys', async () => {
    const given = ['--world', 'two-teams', '--assume', 'contactMatching=phoneThenEmail', '--assume', 'keyScope=team']
    const { url, banner, child } = await serve(['--print-json', ...given])
    expect(banner).toMatch(/^\{[^\n]*\}\n$/)
    expect(JSON.parse(banner)).toEqual({
      url,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      pid: child.pid,
      world: 'two-teams',
      store: 'memory',
      choices: { learned: 0, chosen: 2, assumed: assumptionNames.length - 2 },
      assumptions: { contactMatching: 'phoneThenEmail' },
      teams: [
        { teamId: 'acme', name: expect.any(String) as string, apiKeys: ['acme-key'] },
        { teamId: 'globex', name: expect.any(String) as string, apiKeys: ['globex-key'] },
      ],
    })
  })

  it('has the control token that was made, and not one that was given', async () => {
    const made = JSON.parse((await serve(['--print-json', '--public'])).banner) as { url: string; controlToken: string }
    const headers = { 'x-sandbox-token': made.controlToken }
    expect((await fetch(`${made.url}/_sandbox/teams`, { headers })).status).toBe(200)
    const given = await serve(['--print-json'], { CRM_SANDBOX_CONTROL_TOKEN: 'a-control-token-of-ours' })
    expect(given.banner).not.toContain('a-control-token-of-ours')
  })
})

describe('an option', () => {
  it('counts as a flag first, then as a variable, then from the profile', async () => {
    const profile = file(
      'profile.yaml',
      'contactMatching: refuse\nkeyScope: teamAndOperation\nseveralMatches: newest\n',
    )
    const { url } = await serve(['--assume', 'contactMatching=phoneThenEmail', '--profile', profile], {
      CRM_SANDBOX_ASSUME: 'contactMatching=emailThenPhone  severalMatches=refused',
    })
    const { data } = (await (await fetch(`${url}/_sandbox/health`)).json()) as { data: { assumptions: object } }
    expect(data.assumptions).toMatchObject({
      contactMatching: 'phoneThenEmail',
      severalMatches: 'refused',
      keyScope: 'teamAndOperation',
    })
  })

  it('of a profile counts as learned, in the banner and in the answers', async () => {
    const profile = file('profile.yaml', 'newContactStatus: absent\nseveralMatches: newest\n')
    const { url, banner } = await serve(['--profile', profile, '--assume', 'severalMatches=refused'])
    expect(banner).toMatch(
      /^ {2}choices +1 learned, 1 chosen by hand, \d+ assumed\n {2}learned +newContactStatus=absent\n {2}assumed +severalMatches=refused$/m,
    )
    const [, key = ''] = /key +(\S+)/.exec(banner) ?? []
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const body = JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace' })
    const answer = await fetch(`${url}/api/contacts`, { method: 'POST', headers, body })
    expect(answer.headers.get('x-sandbox-learned')).toBe('newContactStatus')
  })

  it('may come from a profile in JSON', async () => {
    const { url } = await serve(['--profile', file('profile.json', '{"rateLimit":"perMinute:60"}')])
    const health = await (await fetch(`${url}/_sandbox/health`)).text()
    expect(health).toContain('"rateLimit":"perMinute:60"')
  })

  it('counts as not given when its variable is empty', async () => {
    const empty = { CRM_SANDBOX_HOST: '', CRM_SANDBOX_CONTROL_TOKEN: '', CRM_SANDBOX_WORLD: '', CRM_SANDBOX_PUBLIC: '' }
    expect((await serve([], empty)).banner).toContain('listens on http://127.0.0.1:')
  })

  it('gives the sandbox another name', async () => {
    const { url } = await serve(['--allow-host', 'Crm.Test', '--allow-host', 'crm'])
    const { port } = new URL(url)
    const asked = (host: string) =>
      execFileSync('curl', [
        '-s',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '-H',
        `Host: ${host}`,
        `http://127.0.0.1:${port}/`,
      ]).toString()
    expect(['crm.test', 'crm:80', 'evil.test'].map(asked)).toEqual(['200', '200', '400'])
  })

  it('makes the same ids from the same seed', async () => {
    const create = async () => {
      const { url } = await serve(['--seed', '7', '--world', 'empty'])
      return (await fetch(`${url}/_sandbox/teams`, { method: 'POST' })).json() as Promise<{ data: { teamId: string } }>
    }
    expect((await create()).data.teamId).toBe((await create()).data.teamId)
  })
})

it('says in one sentence that its port is taken, and what to do', async () => {
  const { url } = await serve()
  const { port } = new URL(url)
  const { code, stdout, stderr } = await run(['serve', '--port', port])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    `error: Port ${port} of 127.0.0.1 is taken; stop what listens there, or choose another with --port (0 takes a free one).\n`,
  )
})

it('leaves no file behind when its port is taken', async () => {
  const { url } = await serve()
  const { port } = new URL(url)
  const folder = dirname(file('beside.txt', ''))
  const { code, stderr } = await run(['serve', '--port', port, '--store', `file:${join(folder, 'crm.json')}`])
  expect([code, stderr]).toEqual([1, expect.stringContaining(`Port ${port} of 127.0.0.1 is taken`)])
  expect(readdirSync(folder)).toEqual(['beside.txt'])
})

describe('once it has started', () => {
  it('is quiet', async () => {
    const { url, banner, child, over } = await serve()
    for (const path of ['/', '/nowhere', '/docs', '/_sandbox/health']) await fetch(url + path)
    child.kill('SIGTERM')
    expect(await over).toEqual({ code: 0, stdout: banner, stderr: '' })
  })

  it('logs lines to read when it is told to, from the level on that it is told', async () => {
    const { url, child, over } = await serve(['--log', 'text,warn'])
    const headers = { 'x-api-key': 'demo-key', 'content-type': 'application/json', 'x-request-id': 'ours-1' }
    const create = (body: object) =>
      fetch(`${url}/api/contacts`, { method: 'POST', headers, body: JSON.stringify(body) })
    await create({ firstName: 'Ada', lastName: 'Lovelace' })
    await create({ firstName: 'Ada' })
    child.kill('SIGTERM')
    expect((await over).stderr).toMatch(
      /^POST \/api\/contacts 400 lastName is required {2}\[demo\] [\d.]+ ms {2}createContact ours-1\b.*\n$/,
    )
  })

  it('logs each request on stderr when it is asked to, without keys', async () => {
    const { url, child, over } = await serve(['--log'])
    await fetch(`${url}/api/products?email=ada@example.com`, { headers: { 'x-api-key': 'a-key-of-somebody-else' } })
    child.kill('SIGTERM')
    const { stderr } = await over
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    const refused = { method: 'GET', url: '/api/products?email=[redacted]', status: 404, message: 'Resource not found' }
    expect(lines).toEqual([expect.objectContaining(refused)])
    expect(stderr).not.toContain('a-key-of-somebody-else')
  })
})

function file(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const providers = `[
  { _id: email-provider, channel: email, address: hello@acme.example.com },
  { _id: sms-provider, channel: sms, address: '+14155550100' },
  { _id: whatsapp-provider, channel: whatsapp, address: '+14155550101' } ]`
