import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, serverThat } from '../client/harness.ts'
import { run, serve } from './command.ts'

async function countOf(url: string, kind: string): Promise<number> {
  const answer = await fetch(`${url}/_sandbox/teams/demo/${kind}?limit=1`)
  return ((await answer.json()) as { data: { total: number } }).data.total
}

describe('seed', () => {
  it('makes a world, says what it could not, goes on without doing anything twice, and undoes it', async () => {
    const { url } = await serve(['--world', 'empty'])
    const ledgers = folder()
    const made = await run(['seed', '--base-url', url, '--world', 'demo', '--ledgers', ledgers])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toContain('messages that were sent (--allow-sends sends them): 6')
    expect(made.stdout).toMatch(/\d+ of \d+ · contacts · [\d.,]+ a second · \d+ s left/)
    expect(made.stdout).toContain('On the server: 5 templates, 2 products, 4 contacts, 2 companies, 3 conversations')
    expect(await countOf(url, 'contacts')).toBe(4)
    expect(await countOf(url, 'messages')).toBe(0)

    const [name = ''] = readdirSync(ledgers)
    const ledger = join(ledgers, name)
    expect(readFileSync(ledger, 'utf8')).not.toContain('demo-key')
    const again = await run(['seed', '--resume', ledger])
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(await countOf(url, 'contacts')).toBe(4)

    const undone = await run(['seed', '--undo', ledger])
    expect(undone).toMatchObject({ code: 0, stderr: '' })
    expect(undone.stdout).toContain('Everything that the seeding made is deleted.')
    for (const kind of ['contacts', 'conversations', 'templates', 'deals', 'quotes', 'companies', 'products'])
      expect(await countOf(url, kind), kind).toBe(0)
    expect(readdirSync(ledgers)).toEqual([])
  })

  it('ends with 1 when a record could not be made, and names it', async () => {
    const { url } = await serve()
    const { code, stdout } = await run(['seed', '--base-url', url, '--world', 'demo', '--ledgers', folder()])
    expect(code).toBe(1)
    expect(stdout).toContain('templates[1] (66f0a1b2c3d4e5f601237002): 400 ')
    expect(stdout).toMatch(/To undo it: crm-sandbox seed --undo \S+\.jsonl/)
  })

  it('loads all teams of a world through the control plane of a sandbox, whole, and deletes them again', async () => {
    const { url } = await serve()
    const ledgers = folder()
    const whole = ['seed', '--base-url', url, '--world', 'two-teams', '--through', 'control', '--ledgers', ledgers]
    const loaded = await run(whole)
    expect(loaded).toMatchObject({ code: 0, stderr: '' })
    expect(loaded.stdout).toContain('On the server: 2 teams')
    const teams = async () => (await (await fetch(`${url}/_sandbox/teams`)).json()) as { data: unknown[] }
    expect((await teams()).data).toHaveLength(3)
    expect(await run(whole)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not load the world') as string,
    })
    const [name = ''] = readdirSync(ledgers)
    expect(await run(['seed', '--undo', join(ledgers, name)])).toMatchObject({ code: 0, stderr: '' })
    expect((await teams()).data).toHaveLength(1)
  })

  it('says in its help what each exit code means', async () => {
    const { stdout } = await run(['seed', '--help'])
    for (const words of ['Exit codes: 0 it is done', '--resume', '--undo', '--at-once', '--allow-sends', 'Examples:'])
      expect(stdout).toContain(words)
  })
})

describe('seed refuses with one sentence and code 2, and sends nothing', () => {
  const broken = (text: string) => {
    const file = join(folder(), 'world.yaml')
    writeFileSync(file, text)
    return file
  }

  it.each<[string, () => string[], RegExp]>([
    ['an unknown world', () => ['--world', 'dmeo'], /There is no world dmeo; did you mean demo\?/],
    ['no world', () => [], /name a world with --world/],
    [
      'a broken world',
      () => ['--world', broken('teams: [{ _id: a, name: A, apiKeys: [k], contacts: [{ _id: c, firstName: 7 }] }]')],
      /contacts\[0\] \(c\): .*firstName/,
    ],
    ['an unknown team', () => ['--world', 'demo', '--team', 'acme'], /no team acme; its teams are demo\./],
    ['--at-once 0', () => ['--world', 'demo', '--at-once', '0'], /--at-once must be a whole number from 1 to 100\./],
    ['--at-once abc', () => ['--world', 'demo', '--at-once', 'abc'], /--at-once must be a whole number/],
    ['an unknown way', () => ['--world', 'demo', '--through', 'magic'], /--through must be api or control\./],
    [
      'an unwritable folder',
      () => ['--world', 'demo', '--ledgers', '/proc/ledgers'],
      /The folder \/proc\/ledgers cannot be written/,
    ],
    [
      'a ledger that is not there',
      () => ['--resume', '/nowhere/seed.jsonl'],
      /^error: There is no ledger .nowhere.seed\.jsonl: it is deleted once nothing is left/,
    ],
    ['a ledger that is none', () => ['--undo', broken('{}\n')], /is no ledger of a run/],
    ['--resume with --undo', () => ['--resume', 'a', '--undo', 'a'], /exclude each other/],
    ['--undo with a world', () => ['--undo', 'a', '--world', 'demo'], /--undo takes no --world/],
    ['an unknown option', () => ['--wrld', 'demo'], /unknown option '--wrld'/],
    ['--up-to read', () => ['--world', 'demo', '--up-to', 'read'], /allow it with --up-to write/],
  ])('%s', async (_, args, sentence) => {
    let count = 0
    const url = await serverThat((_request, response) => {
      count++
      response.writeHead(500).end()
    })
    const { code, stderr, stdout } = await run(['seed', '--base-url', url, '--ledgers', folder(), ...args()], {
      CRM_API_KEY: 'demo-key',
    })
    expect({ code, stdout, count }).toEqual({ code: 2, stdout: '', count: 0 })
    expect(stderr).toMatch(sentence)
    expect(stderr).toMatch(/^error: /)
  })

  it('another host without --up-to write, or without --confirm-host', async () => {
    const args = ['seed', '--base-url', 'https://crm.example.com', '--world', 'demo']
    const without = await run(args, { CRM_API_KEY: 'k' })
    expect(without).toMatchObject({ code: 2, stdout: '' })
    expect(without.stderr).toContain('allow it with --up-to write --confirm-host crm.example.com.')
    const unconfirmed = await run([...args, '--up-to', 'write'], { CRM_API_KEY: 'k' })
    expect(unconfirmed).toMatchObject({ code: 2, stdout: '' })
    expect(unconfirmed.stderr).toContain('--confirm-host crm.example.com')
  })

  it('another server than the one of the ledger', async () => {
    const { url } = await serve(['--world', 'empty'])
    const ledgers = folder()
    await run(['seed', '--base-url', url, '--world', 'demo', '--ledgers', ledgers])
    const ledger = join(ledgers, readdirSync(ledgers)[0] ?? '')
    for (const flag of ['--resume', '--undo']) {
      const { code, stderr } = await run(['seed', '--base-url', 'http://127.0.0.1:9', flag, ledger], {
        CRM_API_KEY: 'demo-key',
      })
      expect(code).toBe(2)
      expect(stderr).toContain('is about another server than http://127.0.0.1:9.')
    }
  })
})
