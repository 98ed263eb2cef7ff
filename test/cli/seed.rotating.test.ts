import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countRecords, expectError, fewOf, run, serve } from './command.ts'
import { newFile, newFolder, serverThat } from '../for-one-test.ts'

const variables = { CRM_API_KEY: 'demo-key' }
const onlyFileIn = (folder: string) => join(folder, readdirSync(folder)[0] ?? '')

describe('seed', () => {
  it('creates a world, resumes without repeating anything, and undoes it', async () => {
    const { url } = await serve(['--world', 'empty'])
    const before = await countRecords(url)
    const ledgers = newFolder()
    const seeded = await run(['seed', '--base-url', url, '--world', 'demo', '--ledgers', ledgers])
    expect(seeded).toMatchObject({ code: 0, stderr: '' })
    expect(seeded.stdout).toContain('messages that were sent (--allow-sends sends them): 6')
    expect(seeded.stdout).toMatch(/\d+ of \d+ · contacts · [\d.,]+ a second · \d+ s left/)
    expect(seeded.stdout).toContain('On the server: 5 templates, 2 products, 4 contacts, 2 companies, 3 conversations')
    const after = await countRecords(url)
    expect(after).toMatchObject({ contacts: 4, messages: 0 })

    const ledger = onlyFileIn(ledgers)
    expect(readFileSync(ledger, 'utf8')).not.toContain('demo-key')
    expect(await run(['seed', '--resume', ledger])).toMatchObject({ code: 0, stderr: '' })
    expect(await countRecords(url)).toEqual(after)

    for (const flag of ['--resume', '--undo']) {
      const another = ['seed', '--base-url', 'http://127.0.0.1:9', flag, ledger]
      await expectError(another, /is about another server than http:\/\/127\.0\.0\.1:9\./, 2, variables)
    }
    const undone = await run(['seed', '--undo', ledger])
    expect(undone).toMatchObject({ code: 0, stderr: '' })
    expect(undone.stdout).toContain('Everything that the seeding made is deleted.')
    expect(await countRecords(url)).toEqual(before)
    expect(readdirSync(ledgers)).toEqual([])
  })

  it('prints a command that undoes it on a server that is not on this machine', async () => {
    const { url } = await serve(['--world', 'empty', '--allow-host', '0.0.0.0'])
    const before = await countRecords(url)
    const { host } = new URL(url.replace('127.0.0.1', '0.0.0.0'))
    const reach = ['--up-to', 'write', '--confirm-host', host, '--rate', '100', '--ledgers', newFolder()]
    const args = ['seed', '--base-url', `http://${host}`, '--world', 'demo', ...reach]
    const { stdout, stderr } = await run(args, variables)
    expect(stderr).toBe('')
    const [, command = ''] = /To undo it: crm-sandbox (.*)/.exec(stdout) ?? []
    expect(await run(command.split(' '), variables)).toMatchObject({ code: 0, stderr: '' })
    expect(await countRecords(url)).toEqual(before)
  })

  it('exits with 1 when a record could not be created, and names it', async () => {
    const { url } = await serve()
    const { code, stdout } = await run(['seed', '--base-url', url, '--world', 'demo', '--ledgers', newFolder()])
    expect(code).toBe(1)
    expect(stdout).toContain('templates[1] (66f0a1b2c3d4e5f601237002): 400 ')
    expect(stdout).toMatch(/To undo it: crm-sandbox seed --undo \S+\.jsonl/)
  })

  it('loads all teams of a world through the control plane of a sandbox, and deletes them again', async () => {
    const { url } = await serve()
    const ledgers = newFolder()
    const args = ['seed', '--base-url', url, '--world', 'two-teams', '--through', 'control', '--ledgers', ledgers]
    const loaded = await run(args)
    expect(loaded).toMatchObject({ code: 0, stderr: '' })
    expect(loaded.stdout).toContain('On the server: 2 teams')
    const teams = async () => (await (await fetch(`${url}/_sandbox/teams`)).json()) as { data: unknown[] }
    expect((await teams()).data).toHaveLength(3)
    const again = await run(args)
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('does not load the world')
    expect(await run(['seed', '--undo', onlyFileIn(ledgers)])).toMatchObject({ code: 0, stderr: '' })
    expect((await teams()).data).toHaveLength(1)
  })
})

describe('seed refuses in one sentence, and sends nothing:', () => {
  const broken = 'teams: [{ _id: a, name: A, apiKeys: [k], contacts: [{ _id: c, firstName: 7 }] }]'

  it.each(
    fewOf<[string, RegExp]>([
      ['--world dmeo', /There is no world dmeo; did you mean demo\?/],
      ['', /name a world with --world/],
      ['--world BROKEN', /contacts\[0\] \(c\): .*firstName/],
      ['--world demo --team acme', /no team acme; its teams are demo\./],
      ['--world demo --at-once 0', /--at-once must be a whole number from 1 to 100\./],
      ['--world demo --at-once abc', /--at-once must be a whole number/],
      ['--world demo --through magic', /--through must be api or control\./],
      [
        '--resume /nowhere/seed.jsonl',
        /^error: There is no ledger .nowhere.seed\.jsonl: it is deleted once nothing is left/,
      ],
      ['--undo BROKEN', /is no ledger of a run/],
      ['--resume a --undo a', /'--undo <ledger>' cannot be used with option '--resume <ledger>'/],
      ['--undo a --world demo', /'--undo <ledger>' cannot be used with option '--world/],
      ['--wrld demo', /unknown option '--wrld'/],
      ['--world demo --up-to read', /allow it with --up-to write/],
    ]),
  )('%s', async (line, sentence) => {
    let requests = 0
    const url = await serverThat((_, response) => {
      requests++
      response.writeHead(500).end()
    })
    const args = line === '' ? [] : line.replace('BROKEN', newFile('world.yaml', broken)).split(' ')
    const all = ['seed', '--base-url', url, '--ledgers', newFolder(), ...args]
    const { code, stderr, stdout } = await run(all, variables)
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: '', requests: 0 })
    expect(stderr).toMatch(sentence)
    expect(stderr).toMatch(/^error: /)
  })

  it.each([
    [[], /allow it with --up-to write --confirm-host crm\.example\.com\./],
    [['--up-to', 'write'], /--confirm-host crm\.example\.com/],
  ])('another host with %j', async (options, sentence) => {
    const args = ['seed', '--base-url', 'https://crm.example.com', '--world', 'demo', ...options]
    const { code, stdout, stderr } = await run(args, variables)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })
})
