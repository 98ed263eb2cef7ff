import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assumptionNames } from '../../spec/assumptions.ts'
import { expectError, serve } from './command.ts'
import { newFile, newFolder, postAs } from '../for-one-test.ts'

const runCurlOf = (banner: string) =>
  JSON.parse(
    execFileSync('sh', ['-c', /curl .*/.exec(banner)?.[0] ?? ''], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
  ) as object

const statusOf = async (url: string, headers = {}) => (await fetch(`${url}/_sandbox/teams`, { headers })).status

describe('the banner', () => {
  it('has a curl line that works, with the key of the first team', async () => {
    const { url, banner } = await serve(['--host', 'localhost'])
    expect(banner).toMatch(/^crm-sandbox \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+\n/)
    expect(runCurlOf(banner)).toMatchObject({ success: true, message: 'Contact created' })
    expect(banner).toContain(`${url}/docs\n`)
  })

  it('has a curl line that creates a team if there is none', async () => {
    const { banner } = await serve(['--world', newFile('nobody.yaml', 'teams: []')])
    expect(runCurlOf(banner)).toMatchObject({ message: 'Team created' })
  })

  it('shows the world, the store, the changed choices, and the key of each team', async () => {
    const store = `file:${join(newFolder(), 'crm.json')}`
    const choices = ['contactMatching=phoneThenEmail', 'rateLimit=perMinute:60', 'keyScope=team']
    const assume = choices.flatMap((choice) => ['--assume', choice])
    const { banner } = await serve(['--world', 'two-teams', '--store', store, ...assume])
    for (const line of [
      /^ {2}key +acme-key \(team Acme.*\)\n +globex-key \(team Globex.*\)$/m,
      /^ {2}world +two-teams$/m,
      /^ {2}choices +0 learned, 3 chosen by hand, \d+ assumed$/m,
      /^ {2}assumed +contactMatching=phoneThenEmail\n +rateLimit=perMinute:60\n {2}console/m,
    ]) {
      expect(banner).toMatch(line)
    }
    expect(banner).toContain(`store    ${store}\n`)
  })

  it('shows ten keys of many', async () => {
    const keys = Array.from({ length: 14 }, (_, at) => `key-number-${at}`)
    const world = `teams: [{ _id: a, name: A, apiKeys: [${keys.join(', ')}], providers: ${providers} }]`
    const { banner } = await serve(['--world', newFile('many.yaml', world)])
    expect(banner.match(/key-number-\d+ \(team/g)).toHaveLength(10)
    expect(banner).toContain('and 4 more')
  })

  it('shows a generated control token, which other machines need', async () => {
    const { url, banner } = await serve(['--public'])
    expect(banner).toContain('listens on all interfaces (0.0.0.0) http://127.0.0.1:')
    const [, token = ''] = /token +(\S+) \(opens/.exec(banner) ?? []
    expect(await statusOf(url)).toBe(401)
    expect(await statusOf(url, { 'x-sandbox-token': token })).toBe(200)
  })

  it.each([[[]], [['--print-json']]])('does not show the control token of the operator, with %j', async (args) => {
    const token = 'a-control-token-of-ours'
    const { url, banner } = await serve(args, { CRM_SANDBOX_CONTROL_TOKEN: token })
    expect(banner).not.toContain(token)
    expect(await statusOf(url)).toBe(401)
    expect(await statusOf(url, { authorization: `Bearer ${token}` })).toBe(200)
  })
})

describe('--print-json', () => {
  it('prints one line of JSON with the URL, and the teams with their keys', async () => {
    const assume = ['--assume', 'contactMatching=phoneThenEmail', '--assume', 'keyScope=team']
    const { url, banner, child } = await serve(['--print-json', '--world', 'two-teams', ...assume])
    expect(banner).toMatch(/^\{[^\n]*\}\n$/)
    expect(JSON.parse(banner)).toEqual({
      url,
      console: `${url}/console`,
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

  it('has a generated control token', async () => {
    const { banner } = await serve(['--print-json', '--public'])
    const { url, controlToken } = JSON.parse(banner) as { url: string; controlToken: string }
    expect(await statusOf(url, { 'x-sandbox-token': controlToken })).toBe(200)
  })
})

describe('--open', () => {
  it('opens the console with the program of the system', async () => {
    const folder = newFolder()
    const program = join(folder, 'xdg-open')
    writeFileSync(program, `#!/bin/sh\necho "$@" > "${folder}/opened"\n`, { mode: 0o755 })
    const { url } = await serve(['--open'], { PATH: `${folder}:/bin:/usr/bin` })
    await expect.poll(() => existsSync(join(folder, 'opened'))).toBe(true)
    await expect.poll(() => readFileSync(join(folder, 'opened'), 'utf8')).toBe(`${url}/console\n`)
  })

  it.each([
    ['this machine has no xdg-open', undefined],
    ['xdg-open found no browser', '#!/bin/sh\nexit 3\n'],
  ])('says that %s, and the sandbox runs on', async (reason, program) => {
    const folder = newFolder()
    if (program !== undefined) writeFileSync(join(folder, 'xdg-open'), program, { mode: 0o755 })
    const { url, child } = await serve(['--open'], { PATH: folder })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const sentence = `--open: ${reason}, so no browser was opened; open ${url}/console yourself\n`
    await expect.poll(() => stderr).toBe(sentence)
    expect(await statusOf(url)).toBe(200)
  })
})

describe('an option', () => {
  it.each([
    ['400', 'prefer', []],
    ['200', null, ['--no-faults-by-header']],
  ] as const)('answers %s to Prefer: code=400, with %s', async (status, fault, args) => {
    const { url } = await serve(['--world', 'two-teams', ...args])
    const headers = { 'x-api-key': 'acme-key', prefer: 'code=400' }
    const answer = await fetch(`${url}/api/templates?page=1&limit=1&types=sms&statuses=approved`, { headers })
    expect([`${answer.status}`, answer.headers.get('x-sandbox-fault')]).toEqual([status, fault])
  })

  it('as a flag has precedence over its variable, and both over the profile, which counts as learned', async () => {
    const text =
      'contactMatching: refuse\nkeyScope: teamAndOperation\nseveralMatches: newest\nrateLimit: perMinute:60\n'
    const args = ['--assume', 'contactMatching=phoneThenEmail', '--profile', newFile('profile.yaml', text)]
    const { url, banner } = await serve(args, {
      CRM_SANDBOX_ASSUME: 'contactMatching=emailThenPhone  severalMatches=refused',
    })
    const { data } = (await (await fetch(`${url}/_sandbox/health`)).json()) as { data: { assumptions: object } }
    expect(data.assumptions).toMatchObject({
      contactMatching: 'phoneThenEmail',
      severalMatches: 'refused',
      keyScope: 'teamAndOperation',
      rateLimit: 'perMinute:60',
    })
    expect(banner).toMatch(/^ {2}choices +2 learned, 2 chosen by hand, \d+ assumed\n {2}learned +keyScope=/m)
  })

  it('counts as not set when its variable is empty', async () => {
    const empty = { CRM_SANDBOX_HOST: '', CRM_SANDBOX_CONTROL_TOKEN: '', CRM_SANDBOX_WORLD: '', CRM_SANDBOX_PUBLIC: '' }
    expect((await serve([], empty)).banner).toContain('listens on http://127.0.0.1:')
  })

  it('adds accepted host names', async () => {
    const { url } = await serve(['--allow-host', 'Crm.Test', '--allow-host', 'crm'])
    const curl = ['-s', '-o', '/dev/null', '-w', '%{http_code}', url, '-H']
    const statuses = ['crm.test', 'crm:80', 'evil.test'].map((host) => execFileSync('curl', [...curl, `Host: ${host}`]))
    expect(statuses.map(String)).toEqual(['200', '200', '400'])
  })

  it('makes the same ids from the same seed', async () => {
    const create = async () => {
      const { url } = await serve(['--seed', '7', '--world', 'empty'])
      return (await fetch(`${url}/_sandbox/teams`, { method: 'POST' })).json() as Promise<{ data: { teamId: string } }>
    }
    expect((await create()).data.teamId).toBe((await create()).data.teamId)
  })
})

it('reports a used port in one sentence, and writes no file', async () => {
  const { port } = new URL((await serve()).url)
  const folder = dirname(newFile('beside.txt', ''))
  const sentence = new RegExp(
    `^error: Port ${port} of 127\\.0\\.0\\.1 is taken; stop what listens there, or choose another with --port \\(0 takes a free one\\)\\.$`,
  )
  await expectError(['serve', '--port', port, '--store', `file:${join(folder, 'crm.json')}`], sentence, 1)
  expect(readdirSync(folder)).toEqual(['beside.txt'])
})

describe('after the start', () => {
  it('prints nothing', async () => {
    const { url, banner, child, over } = await serve()
    for (const path of ['/', '/nowhere', '/docs', '/_sandbox/health']) await fetch(url + path)
    child.kill('SIGTERM')
    expect(await over).toEqual({ code: 0, stdout: banner, stderr: '' })
  })

  it('logs text, from a level on', async () => {
    const { url, child, over } = await serve(['--log', 'text,warn'])
    for (const body of ['{"firstName":"Ada","lastName":"Lovelace"}', '{"firstName":"Ada"}'])
      await fetch(`${url}/api/contacts`, postAs('demo-key', body, { 'x-request-id': 'ours-1' }))
    child.kill('SIGTERM')
    expect((await over).stderr).toMatch(
      /^POST \/api\/contacts 400 lastName is required {2}\[demo\] [\d.]+ ms {2}createContact ours-1\b.*\n$/,
    )
  })

  it('logs JSON, without keys', async () => {
    const { url, child, over } = await serve(['--log'])
    await fetch(`${url}/api/products?email=ada@example.com`, { headers: { 'x-api-key': 'a-key-of-another-team' } })
    child.kill('SIGTERM')
    const { stderr } = await over
    const refused = { method: 'GET', url: '/api/products?email=[redacted]', status: 404, message: 'Resource not found' }
    expect(JSON.parse(stderr)).toMatchObject(refused)
    expect(stderr).not.toContain('a-key-of-another-team')
  })
})

const providers = `[
  { _id: email-provider, channel: email, address: hello@acme.example.com },
  { _id: sms-provider, channel: sms, address: '+14155550100' },
  { _id: whatsapp-provider, channel: whatsapp, address: '+14155550101' } ]`
