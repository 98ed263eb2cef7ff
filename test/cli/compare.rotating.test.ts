import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { credentials, startOtherServer } from '../contracts/other-server/server.ts'
import { asAssumed } from '../contracts/other-server/switches.ts'
import { inTier } from '../tier.ts'
import { answering, countRecords, expectError, run, serve } from './command.ts'
import { newFile, newFolder, serverThat, startSandbox } from '../for-one-test.ts'

describe('compare', () => {
  it('finds no difference between two sandboxes, and sends the same requests with the same seed', async () => {
    const options = ['compare', '--steps', '30', '--seed', '7']
    const [one, other] = await Promise.all([run(options), run(options)])
    expect(one).toMatchObject({ code: 0, stderr: '' })
    expect(one.stdout).toContain('30 steps with seed 7; ')
    expect(one.stdout).toContain('Verdict: no difference.')
    const withoutPlaceAndTime = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+|\d+\.\d seconds/g, '')
    expect(withoutPlaceAndTime(other.stdout)).toBe(withoutPlaceAndTime(one.stdout))
  })

  it('reports a difference in two columns and as requests, and the choice that explains it', async () => {
    const folder = newFolder()
    const [json, markdown, ledgers] = [join(folder, 'r.json'), join(folder, 'r.md'), join(folder, 'ledgers')]
    const { url } = await serve(['--assume', 'populatedName=firstOnly'])
    const reports = ['--report-json', json, '--report-markdown', markdown, '--ledgers', ledgers]
    const compared = await run(['compare', '--base-url', url, '--steps', '80', '--seed', '1', ...reports])
    expect(compared).toMatchObject({ code: 1, stderr: '' })
    expect(compared.stdout).toMatch(/data\S*\.contactId\.name +\S.*" +\S.* Lovelace contract/)
    expect(compared.stdout).toContain('curl -sS -X POST')
    expect(compared.stdout).toContain('populatedName=firstOnly, in place of firstSpaceLast')
    expect(compared.stdout).not.toContain('demo-key')
    expect(compared.stdout).toMatch(/Everything that .* is deleted\./)
    expect(readdirSync(ledgers)).toEqual([])
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
      exitCode: 1,
      seed: 1,
      differences: [{ explainedBy: [{ name: 'populatedName', choice: 'firstOnly' }] }],
    })
    expect(readFileSync(markdown, 'utf8')).toContain('### Difference 1')
  })

  it('reports once what a server does in all operations, with its count and what silences it', async () => {
    const further = { envelope: 'nulls', extraFields: true, lacking: 'null' } as const
    const { url, close } = await startOtherServer({ ...asAssumed, ...further, emptyUpdate: 'refused' })
    onTestFinished(close)
    const options = ['compare', '--base-url', url, '--seed', '1', '--ledgers', newFolder()]
    const variables = { CRM_API_KEY: credentials.team, CRM_OTHER_API_KEY: credentials.otherTeam }
    const { code, stdout } = await run([...options, '--steps', '200'], variables)
    expect(code, stdout).toBe(1)
    expect(stdout).toMatch(/Seen in [12]\d\d responses: \w+, \w+, \w+ and \d+ others\./)
    expect(stdout).toMatch(/To leave it out: --ignore __v .*--ignore null/)
    expect(stdout.match(/emptyUpdate=refused, in place of/g)).toHaveLength(1)
    expect(stdout.match(/--ignore __v/g)).toHaveLength(1)
    const ignored = await run([...options, '--steps', '30', '--ignore', '__v', '--ignore', 'null'], variables)
    expect(ignored.stdout).not.toMatch(/__v|null/)
  })

  it('exits with 0 when the profile has the choice of the server, or leaves it undetermined', async () => {
    const { url } = await startSandbox({ port: 0, world: 'two-teams', assume: { populatedName: 'firstOnly' } })
    const options = ['compare', '--base-url', url, '--ledgers', newFolder(), '--seed', '1', '--steps', '80']
    const comparedWith = (profile: string) =>
      run([...options, '--profile', newFile('profile.yaml', profile)], { CRM_API_KEY: 'acme-key' })
    const same = await comparedWith('populatedName: firstOnly\n')
    expect(same.stdout).toContain('Verdict: no difference.')
    expect(same.code).toBe(0)
    const undetermined = await comparedWith('# populatedName: the server shows no conversation\n')
    expect(undetermined.stdout).toContain(
      'The profile leaves populatedName undetermined; the server does as with firstOnly.',
    )
    expect(undetermined.code).toBe(0)
  })

  it('leaves a server unchanged', async () => {
    const { url } = await serve()
    const before = await countRecords(url)
    const options = [
      'compare',
      '--base-url',
      url,
      '--steps',
      inTier({ test: '60', nightly: '250' }),
      '--seed',
      '4',
      '--ledgers',
      newFolder(),
    ]
    const { code, stdout } = await run(options)
    expect(code, stdout).toBe(0)
    expect(await countRecords(url)).toEqual(before)
  })

  it('waits for a rate limit, which is no difference', async () => {
    const { url } = await serve()
    let requests = 0
    const limited = await serverThat((request, response) => {
      if (++requests % 40 === 0) {
        response.writeHead(429, { 'retry-after': '0' }).end('{}')
        return
      }
      const { host, connection, ...headers } = request.headers
      const body = request.method === 'GET' ? {} : { body: request, duplex: 'half' }
      const init = { method: request.method, headers, ...body } as RequestInit
      void fetch(url + (request.url ?? ''), init).then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
        response.end(await answer.text())
      })
    })
    const options = ['compare', '--base-url', limited, '--steps', '40', '--seed', '2', '--ledgers', newFolder()]
    const { code, stdout } = await run(options)
    expect(code, stdout).toBe(0)
    expect(requests).toBeGreaterThan(80)
  })

  it.each([
    [['--steps', '0'], /at least 1/],
    [['--steps', 'abc'], /whole number/],
    [['--seed', 'x'], /whole number/],
    [['--profile', 'nowhere.yaml'], /nowhere\.yaml/],
    [['--base-url', 'nowhere'], /base URL/],
    [['--report-json', '/proc/nothing/r.json'], /The report/],
  ])('refuses %j in one sentence', (args, sentence) => expectError(['compare', ...args], sentence))

  it('refuses a profile that is a list', () =>
    expectError(['compare', '--profile', newFile('list.yaml', '[1, 2]')], /A profile gives names their choices/))

  it.each([
    ['is no such service', '60', () => answering(200, '<html>', 'text/html'), /not with JSON/],
    ['refuses the key', '60', () => answering(401, '{"success":false}'), /does not accept the key/],
    ['does not answer', '0.2', () => serverThat(() => undefined), /no response within 0\.2 seconds/],
  ])('reports in one sentence a server that %s', async (_, timeout, start, sentence) => {
    const options = ['--base-url', await start(), '--timeout', timeout, '--ledgers', newFolder()]
    const { code, stderr } = await run(['compare', ...options], { CRM_API_KEY: 'a-key' })
    expect(code).toBe(2)
    expect(stderr).toMatch(sentence)
  })
})
