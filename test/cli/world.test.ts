import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadWorld } from '../../fixtures/load-world.ts'
import { storyNames } from '../../fixtures/stories.ts'
import { cli } from '../docs/desk.ts'
import { run, serve } from './command.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'world-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

describe('world writes a world', () => {
  it('to a file, as JSON or YAML by its name, and the same to the byte each time', async () => {
    const folder = newFolder()
    const [json, yaml, again] = ['acme.json', 'acme.yaml', 'again.YML'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const wish =
      '--contacts 60 --seed 42 --locale de --team acme --since 2026-01-01 --until 2026-11-30 --awkward'.split(' ')
    const written = await run(['world', ...wish, '--out', json])
    expect(written).toMatchObject({ code: 0, stdout: '' })
    expect(written.stderr).toMatch(/^Written to .*acme\.json: 60 contacts, \d+ conversations, /)
    expect(await run(['world', ...wish, yaml])).toMatchObject({ code: 0 })
    expect(await run(['world', ...wish, '--out', again])).toMatchObject({ code: 0 })
    expect(readFileSync(yaml, 'utf8')).toBe(readFileSync(again, 'utf8'))
    expect(await loadWorld(yaml)).toEqual(await loadWorld(json))
    expect((await loadWorld(json)).teams).toMatchObject([{ _id: 'acme', apiKeys: ['acme-key'] }])
    expect(readdirSync(folder).toSorted()).toEqual(['acme.json', 'acme.yaml', 'again.YML'])
  })

  it('to the standard output, as YAML or as --format says', async () => {
    const yaml = await run(['world', '--contacts', '3'])
    expect(yaml).toMatchObject({ code: 0 })
    expect(yaml.stdout).toMatch(/^# .*\nteams:\n {2}- _id: "demo"\n/)
    const json = await run(['world', '--contacts', '3', '--out', '-', '--format', 'json'])
    expect((JSON.parse(json.stdout) as { teams: unknown[] }).teams).toHaveLength(1)
  })

  it('over an older file', async () => {
    const file = join(newFolder(), 'world.json')
    writeFileSync(file, 'old')
    expect(await run(['world', '--contacts', '0', '--out', file])).toMatchObject({ code: 0 })
    expect((await loadWorld(file)).teams[0]?.contacts).toEqual([])
  })

  it('with which a sandbox starts', async () => {
    const file = join(newFolder(), 'world.yaml')
    await run(['world', '--contacts', '40', '--locale', 'ar', '--team', 'acme', '--awkward', '--out', file])
    const { url } = await serve(['--world', file])
    const answer = await fetch(`${url}/api/templates?page=1&limit=1&types=sms&statuses=approved`, {
      headers: { 'x-api-key': 'acme-key' },
    })
    expect(await answer.json()).toMatchObject({ success: true, pagination: { totalResults: 3 } })
  })

  it('of a story, which serve loads by name', async () => {
    const listed = await run(['world', '--list'])
    for (const name of storyNames) expect(listed.stdout).toContain(`  ${name} `)
    expect(listed.stdout).toContain('en-US, en-GB')
    const { stdout } = await run(['world', '--story', 'shop', '--format', 'json'])
    const { url } = await serve(['--world', 'story:shop'])
    const held = (await (await fetch(`${url}/_sandbox/world`)).json()) as object
    expect(held).toEqual({ ...(JSON.parse(stdout) as object), version: 1 })
  })

  it('until its reader closes the pipe', async () => {
    const child = spawn(process.execPath, [cli, 'world', '--contacts', '100000'])
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const [code] = (await once(child, 'close')) as [number | null]
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('or nothing, when it is interrupted', async () => {
    const folder = newFolder()
    const child = spawn(process.execPath, [cli, 'world', '--contacts', '10000000', '--out', join(folder, 'world.json')])
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
      if (!child.killed && stderr.includes('records')) child.kill('SIGINT')
    })
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^100,000 records, now contacts\n(?:.* records.*\n)*error: Interrupted; nothing was written\.\n$/,
    )
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('world refuses with a sentence, and writes nothing:', () => {
  it.each([
    [
      'an unknown story',
      ['--story', 'shopp'],
      'There is no story shopp; did you mean shop? There are shop, clinic, agency.',
    ],
    ['an unknown locale', ['--locale', 'xx'], /^There is no locale xx\. There are en-US, /],
    ['a negative number', ['--contacts', '-1'], /^--contacts must be a whole number/],
    ['a number that is none', ['--contacts', 'abc'], /^--contacts must be a whole number from 0 to 10000000\.$/],
    ['a number with an exponent', ['--contacts', '1e9'], /^--contacts must be a whole number/],
    ['an empty number', ['--contacts', ''], /^--contacts must be a whole number/],
    ['a seed that is none', ['--seed', 'x'], /^--seed must be a whole number/],
    [
      'days in the wrong order',
      ['--since', '2026-02-02', '--until', '2026-01-01'],
      '--since must not be later than --until.',
    ],
    ['a day that does not exist', ['--since', '2026-13-01'], /^--since must be a day/],
    ['a team with spaces', ['--team', 'a b'], /^--team must be/],
    ['an unknown format', ['--format', 'xml'], '--format must be yaml or json.'],
    ['two forms', ['--out', 'x.json', '--format', 'yaml'], /^x\.json is called otherwise than --format yaml/],
    ['a name without a form', ['--out', 'world.txt'], /^The name of world\.txt must end in \.yaml, \.yml or \.json/],
    ['two files', ['a.json', '--out', 'b.json'], /^Two files are named/],
    ['a story with other people', ['--story', 'shop', '--contacts', '5'], /^--contacts is for a world that is made up/],
    ['a story from a server', ['--story', 'shop', '--from', 'http://127.0.0.1:1'], /exclude each other/],
    ['a contact without a server', ['--contact', 'x'], /^--contact needs --from/],
    ['no URL', ['--from', 'localhost'], /^--from must be a URL/],
    [
      'a URL where nobody is',
      ['--from', 'http://127.0.0.1:1'],
      /^Nothing answers at http:\/\/127\.0\.0\.1:1; check the URL/,
    ],
  ])('%s', async (_what, args, sentence) => {
    const { code, stdout, stderr } = await run(['world', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    const [, told = '', ...rest] = /^error: (.*)\n$/.exec(stderr) ?? []
    expect(rest).toEqual([])
    if (typeof sentence === 'string') expect(told).toBe(sentence)
    else expect(told).toMatch(sentence)
  })

  it('an unknown option', async () => {
    expect(await run(['world', '--contcts', '5'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('a file that cannot be written', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'folder.json'))
    writeFileSync(join(folder, 'file'), '')
    for (const out of [join(folder, 'folder.json'), join(folder, 'file', 'world.json')]) {
      const { code, stderr } = await run(['world', '--contacts', '3', '--out', out])
      expect(code).toBe(2)
      expect(stderr).toMatch(/^error: The file .* cannot be written \(E\w+\)\.\n$/)
    }
    expect(
      existsSync('/dev/full')
        ? await run(['world', '--contacts', '3', '--out', '/dev/full', '--format', 'json'])
        : { code: 2 },
    ).toMatchObject({ code: 2 })
    expect(readdirSync(folder).toSorted()).toEqual(['file', 'folder.json'])
  })
})

it.runIf(existsSync('/dev/full'))('world says that the output is full, and ends with 2', async () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => {
    closeSync(full)
  })
  const child = spawn(process.execPath, [cli, 'world', '--contacts', '500'], { stdio: ['ignore', full, 'pipe'] })
  let told = ''
  child.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  expect([code, told]).toEqual([2, 'error: The output cannot be written (ENOSPC).\n'])
})

describe('world --from', () => {
  it('reads the same world from a control plane', async () => {
    const folder = newFolder()
    const [first, second, third] = ['first.yaml', 'second.yaml', 'third.json'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await run(['world', '--contacts', '50', '--locale', 'fr', '--awkward', '--out', first])
    const one = await serve(['--world', first])
    expect(await run(['world', '--from', one.url, '--out', second])).toMatchObject({ code: 0, stdout: '' })
    const two = await serve(['--world', second])
    await run(['world', '--from', two.url, '--out', third])
    expect(await loadWorld(second)).toEqual(await loadWorld(first))
    expect(await loadWorld(third)).toEqual(await loadWorld(first))
  })

  it('needs the token of a control plane that has one', async () => {
    const { url } = await serve(['--control-token', 'a-token-of-some-length'])
    const without = await run(['world', '--from', url])
    expect(without).toMatchObject({ code: 2, stdout: '' })
    expect(without.stderr).toContain('set CRM_SANDBOX_CONTROL_TOKEN')
    const withToken = await run(['world', '--from', url], { CRM_SANDBOX_CONTROL_TOKEN: 'a-token-of-some-length' })
    expect(withToken).toMatchObject({ code: 0 })
    expect(withToken.stdout).toContain('Lovelace')
  })

  it('reads what the API shows where there is no control plane, and lists what it could not see', async () => {
    const sandbox = await serve()
    const url = await listen((request, response) => {
      if (request.url?.startsWith('/_sandbox')) return response.writeHead(404).end('{"message":"Not found"}')
      const { method = 'GET', headers } = request
      expect(method).toBe('GET')
      return fetch(`${sandbox.url}${request.url ?? ''}`, {
        headers: { 'x-api-key': String(headers['x-api-key']) },
      }).then(async (answer) =>
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
      )
    })
    const file = join(newFolder(), 'seen.json')
    const ada = '66f0a1b2c3d4e5f601234567'
    const asked = ['world', '--from', url, '--contact', ada, '--contact', '66f0a1b2c3d4e5f60123456f', '--out', file]
    const { code, stderr } = await run(asked, { CRM_API_KEY: 'demo-key' })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('has no control plane, so this is only what its API shows.')
    expect(stderr).toContain('Contact 66f0a1b2c3d4e5f60123456f: the API shows no conversation of it')
    expect(stderr).toContain('Not seen: companies, products, deals and quotes')
    expect(readFileSync(file, 'utf8')).not.toContain('"demo-key-')
    const [seen] = (await loadWorld(file)).teams
    const [held] = (await loadWorld('demo')).teams
    expect(seen?._id).toBe('demo')
    expect(seen?.contacts?.map(({ _id }) => _id)).toEqual([ada])
    const ofAda = held?.messages?.filter(({ contactId }) => contactId === ada).map(({ content }) => content)
    expect(seen?.messages?.map(({ content }) => content)).toEqual(ofAda)
    expect(seen?.templates?.map(({ _id }) => _id).toSorted()).toContain('66f0a1b2c3d4e5f601237001')

    const without = await run(['world', '--from', url])
    expect(without).toMatchObject({ code: 2, stdout: '' })
    expect(without.stderr).toContain('The key of a team is missing: set CRM_API_KEY.')
  })
})

async function listen(answer: (...args: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
