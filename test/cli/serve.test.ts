import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
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

  it('shows the control token that was made, where other machines can reach the sandbox', async () => {
    const { url, banner } = await serve(['--public'])
    expect(banner).toContain('listens on all interfaces (0.0.0.0) http://127.0.0.1:')
    const [, token = ''] = /token +(\S+) \(opens/.exec(banner) ?? []
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(401)
    expect((await fetch(`${url}/_sandbox/health`, { headers: { 'x-sandbox-token': token } })).status).toBe(200)
  })

  it('does not show a control token that was given', async () => {
    const given = 'a-control-token-of-ours'
    const { url, banner } = await serve([], { CRM_SANDBOX_CONTROL_TOKEN: given })
    expect(banner).not.toContain(given)
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(401)
    expect((await fetch(`${url}/_sandbox/health`, { headers: { authorization: `Bearer ${given}` } })).status).toBe(200)
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

describe('once it has started', () => {
  it('is quiet', async () => {
    const { url, banner, child, over } = await serve()
    for (const path of ['/', '/nowhere', '/docs', '/_sandbox/health']) await fetch(url + path)
    child.kill('SIGTERM')
    expect(await over).toEqual({ code: 0, stdout: banner, stderr: '' })
  })

  it('logs each request on stderr when it is asked to, without keys', async () => {
    const { url, child, over } = await serve(['--log'])
    await fetch(`${url}/api/products?email=ada@example.com`, { headers: { 'x-api-key': 'a-key-of-somebody-else' } })
    child.kill('SIGTERM')
    const { stderr } = await over
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { req?: { url: string } })
    expect(lines.find(({ req }) => req)?.req?.url).toBe('/api/products?email=[redacted]')
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
