import { once } from 'node:events'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadWorld } from '../../fixtures/load-world.ts'
import { storyNames } from '../../fixtures/load-world.ts'
import { cli } from '../docs/docs-runner.ts'
import { ended, expectError, fewOf, run, serve, spawnCli } from './command.ts'
import { newFile, newFolder, serverThat, postAs } from '../for-one-test.ts'

describe('world writes a world', () => {
  it('to a file, as JSON or YAML by its name, the same to the byte each time', async () => {
    const folder = newFolder()
    const path = (name: string) => join(folder, name)
    writeFileSync(path('acme.json'), 'an older file')
    const range = ['--since', '2026-01-01', '--until', '2026-11-30']
    const options = ['--contacts', '60', '--seed', '42', '--locale', 'de', '--team', 'acme', ...range, '--awkward']
    const written = await run(['world', ...options, '--out', path('acme.json')])
    expect(written).toMatchObject({ code: 0, stdout: '' })
    expect(written.stderr).toMatch(/^Written to .*acme\.json: 60 contacts, \d+ conversations, /)
    expect(await run(['world', ...options, path('acme.yaml')])).toMatchObject({ code: 0 })
    expect(await run(['world', ...options, '--out', path('again.YML')])).toMatchObject({ code: 0 })
    expect(readFileSync(path('acme.yaml'), 'utf8')).toBe(readFileSync(path('again.YML'), 'utf8'))
    expect(await loadWorld(path('acme.yaml'))).toEqual(await loadWorld(path('acme.json')))
    expect((await loadWorld(path('acme.json'))).teams).toMatchObject([{ _id: 'acme', apiKeys: ['acme-key'] }])
    expect(readdirSync(folder).toSorted()).toEqual(['acme.json', 'acme.yaml', 'again.YML'])
  })

  it('to the standard output, as YAML or as --format says', async () => {
    const yaml = await run(['world', '--contacts', '3'])
    expect(yaml).toMatchObject({ code: 0 })
    expect(yaml.stdout).toMatch(/^# .*\nteams:\n {2}- _id: "demo"\n/)
    const json = await run(['world', '--contacts', '3', '--out', '-', '--format', 'json'])
    expect((JSON.parse(json.stdout) as { teams: unknown[] }).teams).toHaveLength(1)
  })

  it('with which a sandbox starts', async () => {
    const file = join(newFolder(), 'world.yaml')
    await run(['world', '--contacts', '40', '--locale', 'ar', '--team', 'acme', '--awkward', '--out', file])
    const { url } = await serve(['--world', file])
    const headers = { 'x-api-key': 'acme-key' }
    const answer = await fetch(`${url}/api/templates?page=1&limit=1&types=sms&statuses=approved`, { headers })
    expect(await answer.json()).toMatchObject({ success: true, pagination: { totalResults: 3 } })
  })

  it('of a story, which serve loads by name', async () => {
    const listed = await run(['world', '--list'])
    for (const name of storyNames) expect(listed.stdout).toContain(`  ${name} `)
    expect(listed.stdout).toContain('en-US, en-GB')
    const { stdout } = await run(['world', '--story', 'shop', '--format', 'json'])
    const { url } = await serve(['--world', 'story:shop', '--seed', '1'])
    const served = (await (await fetch(`${url}/_sandbox/world`)).json()) as object
    expect(served).toEqual({ ...(JSON.parse(stdout) as object), version: 1 })
  })

  it('until the reader closes the pipe', async () => {
    const child = spawnCli(['world', '--contacts', '100000'])
    const over = ended(child)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    expect(await over).toMatchObject({ code: 0, stderr: '' })
  })

  it('whole or not at all', async () => {
    const folder = newFolder()
    const child = spawnCli(['world', '--contacts', '10000000', '--out', join(folder, 'world.json')])
    const over = ended(child)
    await expect.poll(() => readdirSync(folder)).toHaveLength(1)
    child.kill('SIGINT')
    expect(await over).toMatchObject({ code: 2, stderr: 'error: Interrupted; nothing was written.\n' })
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('world refuses in one sentence', () => {
  it.each(
    fewOf<[string, RegExp]>([
      ['--story shopp', /^error: There is no story shopp; did you mean shop\? There are shop, clinic, agency\.$/],
      ['--locale xx', /^error: There is no locale xx\. There are en-US, /],
      ['--contacts -1', /^error: --contacts must be a whole number from 0 to 10000000\.$/],
      ['--contacts 1e9', /^error: --contacts must be a whole number/],
      ['--contacts ', /^error: --contacts must be an integer\.$/],
      ['--seed x', /^error: --seed must be an integer\.$/],
      ['--since 2026-02-02 --until 2026-01-01', /^error: --since must not be later than --until\.$/],
      ['--since 2026-13-01', /^error: --since must be a day/],
      ['--team a/b', /^error: --team must be/],
      [
        '--format xml',
        /^error: option '--format <form>' argument 'xml' is invalid\. Allowed choices are yaml, json\.$/,
      ],
      ['--out x.json --format yaml', /^error: x\.json is called otherwise than --format yaml/],
      ['--out world.txt', /^error: The name of world\.txt must end in \.yaml, \.yml or \.json/],
      ['a.json --out b.json', /^error: Two files are named/],
      [
        '--story shop --contacts 5',
        /^error: option '--story <name>' cannot be used with option '--contacts <number>'$/,
      ],
      ['--story shop --from http://127.0.0.1:1', /cannot be used with option '--from <url>'$/],
      ['--contact x', /^error: --contact needs --from/],
      ['--all', /^error: --all needs --from/],
      ['--from localhost', /^error: --from must be a URL/],
      ['--from http://127.0.0.1:1', /^error: Nothing answers at http:\/\/127\.0\.0\.1:1; check the URL/],
      ['--contcts 5', /unknown option/],
    ]),
  )('%s', (args, sentence) => expectError(['world', ...args.split(' ')], sentence))

  it('a file that cannot be written', async () => {
    const file = newFile('file', '')
    await expectError(['world', '--out', join(file, 'world.json')], /^error: The file .* cannot be written \(E\w+\)\.$/)
    expect(readdirSync(dirname(file))).toEqual(['file'])
  })

  it.runIf(existsSync('/dev/full'))('a full output', async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const child = spawn(process.execPath, [cli, 'world', '--contacts', '500'], { stdio: ['ignore', full, 'pipe'] })
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number]
    expect([code, stderr]).toEqual([2, 'error: The output cannot be written (ENOSPC).\n'])
  })
})

describe('world --from', () => {
  it('reads the same world from a control plane', async () => {
    const folder = newFolder()
    const [first, second] = [join(folder, 'first.yaml'), join(folder, 'second.yaml')]
    await run(['world', '--contacts', '50', '--locale', 'fr', '--awkward', '--out', first])
    const { url } = await serve(['--world', first])
    expect(await run(['world', '--from', url, '--out', second])).toMatchObject({ code: 0, stdout: '' })
    expect(await loadWorld(second)).toEqual(await loadWorld(first))
  })

  it('leaves out deleted records and stored answers, unless --all asks for them', async () => {
    const { url } = await serve()
    const gone = { firstName: 'Gone', lastName: 'Person', email: 'gone@example.com' }
    const created = await fetch(`${url}/api/contacts`, postAs('demo-key', gone, { 'idempotency-key': 'once' }))
    const { data } = (await created.json()) as { data: { _id: string } }
    await fetch(`${url}/api/contacts/${data._id}`, { method: 'DELETE', headers: { 'x-api-key': 'demo-key' } })
    expect((await run(['world', '--from', url])).stdout).not.toContain('Gone')
    const all = (await run(['world', '--from', url, '--all'])).stdout
    expect(all).toMatch(/^ +deleted:$[^]*Gone/m)
    expect(all).toMatch(/^ +answers:$/m)
  })

  it('refuses --contact where there is a control plane', async () => {
    const { url } = await serve()
    const args = ['world', '--from', url, '--contact', '66f0a1b2c3d4e5f601234567']
    await expectError(args, /^error: --contact is for servers without a control plane, .* leave it out\.$/)
  })

  it('needs the token of the control plane', async () => {
    const token = { CRM_SANDBOX_CONTROL_TOKEN: 'a-token-of-some-length' }
    const { url } = await serve([], token)
    await expectError(['world', '--from', url], /set CRM_SANDBOX_CONTROL_TOKEN/)
    const withToken = await run(['world', '--from', url], token)
    expect(withToken).toMatchObject({ code: 0 })
    expect(withToken.stdout).toContain('Lovelace')
  })

  it('reads through the API where there is no control plane, and lists the parts that it could not read', async () => {
    const sandbox = await serve()
    const methods = new Set<string | undefined>()
    const url = await serverThat((request, response) => {
      methods.add(request.method)
      if (request.url?.startsWith('/_sandbox')) return response.writeHead(404).end('{"message":"Not found"}')
      const headers = { 'x-api-key': String(request.headers['x-api-key']) }
      return void fetch(`${sandbox.url}${request.url ?? ''}`, { headers }).then(async (answer) =>
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
      )
    })
    const file = join(newFolder(), 'seen.json')
    const [ada, unknown] = ['66f0a1b2c3d4e5f601234567', '66f0a1b2c3d4e5f60123456f']
    const args = ['world', '--from', url, '--contact', ada, '--contact', unknown, '--out', file]
    const { code, stderr } = await run(args, { CRM_API_KEY: 'demo-key' })
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('has no control plane, so this is only what its API shows.')
    expect(stderr).toContain(`Contact ${unknown}: the API shows no conversation of it`)
    expect(stderr).toContain('Not seen: companies, products, deals and quotes')
    expect([...methods]).toEqual(['GET'])
    const [[read], [demo]] = [(await loadWorld(file)).teams, (await loadWorld('demo')).teams]
    expect(read?._id).toBe('demo')
    expect(read?.contacts?.map(({ _id }) => _id)).toEqual([ada])
    const ofAda = demo?.messages?.filter(({ contactId }) => contactId === ada).map(({ content }) => content)
    expect(read?.messages?.map(({ content }) => content)).toEqual(ofAda)
    expect(read?.templates?.map(({ _id }) => _id)).toContain('66f0a1b2c3d4e5f601237001')
    expect((await run(['world', '--from', url])).stderr).toContain('The key of a team is missing: set CRM_API_KEY.')
    await expectError(
      ['world', '--from', url, '--all'],
      /--all is for servers with a control plane, .* leave it out\.$/,
    )
  })
})
