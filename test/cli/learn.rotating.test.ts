import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Ledger } from '../../contracts/client/ledger.ts'
import { newMarks } from '../../contracts/client/mint.ts'
import type { ReachOptions } from '../../contracts/client/run.ts'
import { createTarget } from '../../contracts/client/target/target.ts'
import { compare } from '../../contracts/compare/compare.ts'
import { learn } from '../../contracts/learn/learn.ts'
import { startComparedSandbox } from '../../cli/own-target.ts'
import { inTier } from '../tier.ts'
import { answering, countRecords, expectError, fewOf, run, serve } from './command.ts'
import { newFile, newFolder } from '../for-one-test.ts'

/** `test/long` kills runs that ask for everything. */
const some = inTier({ test: ['--only', 'newContact', '--only', 'bulk', '--only', 'template'], nightly: [] })
const variables = { CRM_API_KEY: 'key-of-ours' }

describe('learn', () => {
  it('writes the profile of a sandbox, with which another sandbox does the same', async () => {
    const folder = newFolder()
    const [profile, evidence] = [join(folder, 'crm.yaml'), join(folder, 'evidence.json')]
    const { url } = await serve(['--assume', 'badPage=refused', '--assume', 'emailStored=lowerCase'])
    const learn = ['learn', '--ledgers', folder, '--base-url']
    const only = ['--only', 'badPage', '--only', 'email']
    const learned = await run([...learn, url, ...only, '--profile', profile, '--evidence', evidence])
    expect(learned).toMatchObject({ code: 0, stderr: '' })
    expect(learned.stdout).toContain('badPage=refused')
    expect(readFileSync(profile, 'utf8')).toMatch(/^badPage: refused # .*; seen \d{4}-\d\d-\d\d$/m)
    expect(readFileSync(evidence, 'utf8')).toContain('"name": "badPage"')
    expect(readFileSync(evidence, 'utf8')).not.toContain('demo-key')

    const same = await serve(['--profile', profile])
    const checked = await run([...learn, same.url, '--check', profile])
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    expect(checked.stdout).toContain('No difference from the profile was seen.')

    const other = await serve()
    const [junit, html] = [join(folder, 'drift.xml'), join(folder, 'drift.html')]
    const differs = await run([...learn, other.url, '--check', profile, '--report-junit', junit, '--report-html', html])
    expect(differs.code).toBe(1)
    expect(differs.stdout).toContain('differs: badPage was refused, and is clamped')
    expect(readFileSync(junit, 'utf8')).toContain('<failure message="was refused, and is clamped">')
    expect(readFileSync(html, 'utf8')).toContain('>badPage</td>')
  })

  it('leaves a server unchanged', async () => {
    const { url } = await serve()
    const before = await countRecords(url)
    const { code, stdout } = await run(['learn', '--base-url', url, '--ledgers', newFolder(), ...some])
    expect(code, stdout).toBe(0)
    expect(await countRecords(url)).toEqual(before)
  })

  it.each(
    fewOf<[string, RegExp]>([
      ['--only pigeon', /^error: --only names no assumption: pigeon/],
      ['--only ', /^error: --only names no assumption/],
      ['--operation createPigeon', /^error: --operation names no operation: createPigeon/],
      ['--only bulk --operation createDeal', /^error: No assumption is left/],
      ['--patience 3', /It must be a duration such as 500ms, 90s or 15m, of at most a day\.$/m],
      ['--patience soon', /It must be a duration such as 500ms/],
      ['--patience 10000d', /It must be a duration .* of at most a day/],
      ['--profile ', /^error: The file .*cannot be written/],
      ['--report-json ', /^error: The report .*cannot be written/],
      ['--profile same --evidence same', /^error: The file .*same is named for two outputs/],
      ['--merge', /^error: --merge needs --profile/],
      ['--check none.yaml', /^error: The profile .*none\.yaml cannot be read \(ENOENT\)/],
      ['--report-html /proc/none/drift.html', /^error: The report \/proc\/none\/drift\.html cannot be written/],
      ['--profile /proc/none/crm.yaml', /^error: The file \/proc\/none\/crm\.yaml cannot be written/],
      ['--base-url http://127.0.0.1:9 --up-to everything', /--up-to/],
    ]),
  )('refuses "%s" in one sentence', (args, sentence) => expectError(['learn', ...args.split(' ')], sentence))

  it.each([
    ['is not YAML', 'badPage: [', /^error: The profile .* is not YAML/],
    ['has an unknown name', 'badPages: clamped', /^error: There is no assumption "badPages"; close to it: badPage/],
    ['is empty', '', /^error: The profile .* names nothing to ask about/],
  ])('refuses to check a profile that %s', (_, text, sentence) =>
    expectError(['learn', '--check', newFile('profile.yaml', text)], sentence),
  )

  it.each([
    ['cannot be reached', () => Promise.resolve('http://127.0.0.1:9'), /cannot be reached/],
    ['is no such service', () => answering(200, '<html>', 'text/html'), /not with JSON/],
    ['refuses the key', () => answering(401, '{"message":"no key-of-ours"}'), /does not accept the key of a team/],
  ])('reports in one sentence a server that %s, without the key', async (_, start, sentence) => {
    const { code, stderr } = await run(['learn', '--base-url', await start(), '--ledgers', newFolder()], variables)
    expect(code).toBe(2)
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toContain('key-of-ours')
  })

  it('learns nothing from a server that refuses everything, and exits with 3', async () => {
    const url = await answering(404, '{"success":false,"message":"Resource not found"}')
    const args = ['learn', '--base-url', url, '--only', 'newContactStatus', '--ledgers', newFolder()]
    const { code, stdout } = await run(args, variables)
    expect(stdout).toContain('about 1 assumption.\n')
    expect(stdout).toContain('0 of 1 learned')
    expect(code).toBe(3)
  })
})

it.each([
  ['learn', '--only', 'badPage'],
  ['compare', '--steps', '1'],
])('%s names the ledger of an earlier run that was killed', async (...command) => {
  const [{ url }, ledgers] = [await serve(), newFolder()]
  const target = createTarget({ baseUrl: url }, { team: 'demo-key' })
  const ledger = Ledger.create(ledgers, target, { ledger: 'check', ...newMarks() })
  ledger.intend({ operation: 'createContact', who: 'team', kind: 'contact', body: {} })
  ledger.close()
  const asOfDeadProcess = readFileSync(ledger.path, 'utf8').replace(`"pid":${process.pid}`, '"pid":4194305')
  writeFileSync(ledger.path, asOfDeadProcess)
  const { code, stdout } = await run([...command, '--base-url', url, '--ledgers', ledgers])
  expect([code, stdout]).toEqual([0, expect.stringContaining(`\`verify --clean ${ledger.path}\` deletes them.`)])
})

it.each([
  ['learn', (options: ReachOptions) => learn(options)],
  [
    'compare',
    (options: ReachOptions) => compare({ ...options, steps: 1, seed: 1, startSandbox: startComparedSandbox }),
  ],
])('%s refuses to begin while another run is going on, also where nobody listens to its progress', async (_, begin) => {
  const [{ url }, ledgers] = [await serve(), newFolder()]
  const ledger = Ledger.create(ledgers, createTarget({ baseUrl: url }, { team: 'demo-key' }), {
    ledger: 'check',
    ...newMarks(),
  })
  onTestFinished(() => ledger.close())
  const begun = begin({ baseUrl: url, ledgers, env: { CRM_API_KEY: 'demo-key' } })
  await expect(begun).rejects.toThrow(/^A run on .* is going on/)
})
