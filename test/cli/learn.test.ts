import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, serve } from './command.ts'
import { answering, countRecords, newFolder } from './servers.ts'

describe('learn', () => {
  it('writes a profile of a sandbox, with which another sandbox does the same', async () => {
    const folder = newFolder()
    const [profile, evidence] = [join(folder, 'crm.yaml'), join(folder, 'evidence.json')]
    const { url } = await serve(['--assume', 'badPage=clamped', '--assume', 'emailStored=lowerCase'])
    const asked = ['learn', '--base-url', url, '--only', 'badPage', '--only', 'email', '--ledgers', folder]
    const learned = await run([...asked, '--profile', profile, '--evidence', evidence])
    expect(learned).toMatchObject({ code: 0, stderr: '' })
    expect(learned.stdout).toContain('badPage=clamped')
    expect(readFileSync(profile, 'utf8')).toMatch(/^badPage: clamped # .*; seen \d{4}-\d\d-\d\d$/m)
    expect(readFileSync(evidence, 'utf8')).toContain('"name": "badPage"')
    expect(readFileSync(evidence, 'utf8')).not.toContain('demo-key')

    const twin = await serve(['--profile', profile])
    const same = await run(['learn', '--base-url', twin.url, '--check', profile, '--ledgers', folder])
    expect(same).toMatchObject({ code: 0, stderr: '' })
    expect(same.stdout).toContain('No difference from the profile was seen.')

    const other = await serve()
    const [junit, html] = [join(folder, 'drift.xml'), join(folder, 'drift.html')]
    const reports = ['--report-junit', junit, '--report-html', html]
    const differs = await run(['learn', '--base-url', other.url, '--check', profile, '--ledgers', folder, ...reports])
    expect(differs.code).toBe(1)
    expect(readFileSync(junit, 'utf8')).toContain('<failure message="was clamped, and is refused">')
    expect(readFileSync(html, 'utf8')).toContain('>badPage</td>')
    expect(differs.stdout).toContain('differs: badPage was clamped, and is refused')
  })

  it('leaves a server as it was', async () => {
    const { url } = await serve()
    const before = await countRecords(url)
    const { code, stdout } = await run(['learn', '--base-url', url, '--ledgers', newFolder()])
    expect(code, stdout).toBe(0)
    expect(await countRecords(url)).toEqual(before)
  })

  it('refuses what it cannot do with one sentence, before anything is sent', async () => {
    const folder = newFolder()
    const broken = join(folder, 'broken.yaml')
    writeFileSync(broken, 'badPage: [')
    const unknown = join(folder, 'unknown.yaml')
    writeFileSync(unknown, 'badPages: clamped')
    const closed = join(folder, 'empty.yaml')
    writeFileSync(closed, '')
    chmodSync(closed, 0o400)
    const url = 'http://127.0.0.1:9'
    const withSandbox = await serve()
    const refusals: (readonly [readonly string[], RegExp])[] = [
      [['--only', 'pigeon'], /^error: --only names no assumption: pigeon/],
      [['--operation', 'createPigeon'], /^error: --operation names no operation: createPigeon/],
      [['--only', 'bulk', '--operation', 'createDeal'], /^error: No assumption is left/],
      [['--patience', 'soon'], /It must be a duration such as 500ms/],
      [['--patience', '10000d'], /It must be a duration .* of at most a day/],
      [['--only', ''], /^error: --only names no assumption/],
      [['--profile', ''], /^error: The file .*cannot be written/],
      [['--report-json', ''], /^error: The report .*cannot be written/],
      [
        ['--profile', join(folder, 'same'), '--evidence', join(folder, 'same')],
        /^error: The file .*same is named for two outputs/,
      ],
      [
        ['--report-json', join(folder, 'same'), '--report-html', join(folder, 'same')],
        /^error: The file .*same is named for two outputs/,
      ],
      [['--merge'], /^error: --merge needs --profile/],
      [['--check', join(folder, 'none.yaml')], /^error: The profile .*none\.yaml cannot be read \(ENOENT\)/],
      [['--check', broken], /^error: The profile .*broken\.yaml is not YAML/],
      [['--check', unknown], /^error: There is no assumption "badPages"; close to it is badPage/],
      [['--check', closed], /^error: The profile .*empty\.yaml names nothing to ask about/],
      [['--report-html', '/proc/none/drift.html'], /^error: The report \/proc\/none\/drift\.html cannot be written/],
      [['--profile', '/proc/none/crm.yaml'], /^error: The file \/proc\/none\/crm\.yaml cannot be written/],
      [['--base-url', url, '--up-to', 'everything'], /--up-to/],
      [
        ['--base-url', withSandbox.url, '--ledgers', '/proc/none/ledgers'],
        /^error: The ledger \/proc\/none\/ledgers\/\S+ cannot be written/,
      ],
    ]
    for (const [args, sentence] of refusals) {
      const { code, stderr } = await run(['learn', '--ledgers', folder, ...args], { CRM_API_KEY: 'demo-key' })
      expect(stderr.trim().split('\n')[0], args.join(' ')).toMatch(sentence)
      expect(code, args.join(' ')).toBe(2)
    }
  })

  it('says in one sentence what is wrong with a server', async () => {
    const ask = async (url: string) =>
      run(['learn', '--base-url', url, '--ledgers', newFolder()], { CRM_API_KEY: 'key-of-mine' })
    expect(await ask('http://127.0.0.1:9')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cannot be reached/) as string,
    })
    expect(await ask(await answering(200, '<html>', 'text/html'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/not with JSON/) as string,
    })
    const refused = await ask(await answering(401, '{"success":false,"message":"no key-of-mine"}'))
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/does not accept the key of a team/) as string,
    })
    expect(refused.stderr).not.toContain('key-of-mine')
  })

  it('learns nothing from a server that refuses everything, and ends with 3', async () => {
    const url = await answering(404, '{"success":false,"message":"Resource not found"}')
    const { code, stdout } = await run(['learn', '--base-url', url, '--only', 'newContact', '--ledgers', newFolder()], {
      CRM_API_KEY: 'key-of-mine',
    })
    expect(stdout).toContain('0 of 2 learned')
    expect(code).toBe(3)
  })
})
