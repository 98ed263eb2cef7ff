import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, serve } from './command.ts'
import { answering, countRecords, newFolder, serverThat } from './servers.ts'

describe('compare', () => {
  it('finds no difference between two sandboxes, and takes the same walk with the same seed', async () => {
    const options = ['compare', '--steps', '60', '--seed', '7']
    const [one, other] = await Promise.all([run(options), run(options)])
    expect(one).toMatchObject({ code: 0, stderr: '' })
    expect(one.stdout).toContain('60 steps with seed 7; ')
    expect(one.stdout).toContain('Verdict: no difference.')
    const withoutPlaceAndTime = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+|\d+\.\d seconds/g, '')
    expect(withoutPlaceAndTime(other.stdout)).toBe(withoutPlaceAndTime(one.stdout))
  })

  it('tells a difference in two columns and as requests, and which entry explains it', async () => {
    const folder = newFolder()
    const [json, markdown] = [join(folder, 'r.json'), join(folder, 'r.md')]
    const { url } = await serve(['--assume', 'populatedName=firstOnly'])
    const reports = ['--report-json', json, '--report-markdown', markdown]
    const compared = await run([
      'compare',
      '--base-url',
      url,
      '--steps',
      '80',
      '--seed',
      '1',
      '--ledgers',
      join(folder, 'ledgers'),
      ...reports,
    ])
    expect(compared).toMatchObject({ code: 1, stderr: '' })
    expect(compared.stdout).toMatch(/data\S*\.contactId\.name +"[^"]+" +"[^"]+ [^"]+"/)
    expect(compared.stdout).toContain('curl -sS -X POST')
    expect(compared.stdout).toContain('populatedName=firstOnly, in place of firstSpaceLast')
    expect(compared.stdout).not.toContain('demo-key')
    expect(compared.stdout).toMatch(/Everything that .* is deleted\./)
    expect(readdirSync(join(folder, 'ledgers'))).toEqual([])
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
      exitCode: 1,
      seed: 1,
      differences: [{ explainedBy: [{ name: 'populatedName', choice: 'firstOnly' }] }],
    })
    expect(readFileSync(markdown, 'utf8')).toContain('### Difference 1')
  })

  it('leaves a server as it was', async () => {
    const { url } = await serve()
    const before = await countRecords(url)
    const options = ['compare', '--base-url', url, '--steps', '250', '--seed', '4', '--ledgers', newFolder()]
    const { code, stdout } = await run(options)
    expect(code, stdout).toBe(0)
    expect(await countRecords(url)).toEqual(before)
  })

  it('waits when the rate is limited, which is no difference', async () => {
    const { url } = await serve()
    let requests = 0
    const limited = await serverThat((request, response) => {
      if (++requests % 40 === 0) response.writeHead(429, { 'retry-after': '0' }).end('{}')
      else void forward(url, request, response)
    })
    const options = ['compare', '--base-url', limited, '--steps', '40', '--seed', '2', '--ledgers', newFolder()]
    const { code, stdout } = await run(options)
    expect(code, stdout).toBe(0)
    expect(requests).toBeGreaterThan(80)
  })

  it('refuses what it cannot do with one sentence, before anything is sent', async () => {
    const folder = newFolder()
    const [list, missing] = [join(folder, 'list.yaml'), join(folder, 'missing.yaml')]
    writeFileSync(list, '[1, 2]')
    const wrong: [string[], RegExp][] = [
      [['--steps', '0'], /at least 1/],
      [['--steps', '-1'], /whole number/],
      [['--steps', 'abc'], /whole number/],
      [['--seed', 'x'], /whole number/],
      [['--profile', list], /A profile gives names their choices/],
      [['--profile', missing], /missing\.yaml/],
      [['--base-url', 'nowhere'], /base URL/],
      [['--report-json', '/proc/nothing/r.json'], /The report/],
    ]
    for (const [args, sentence] of wrong) {
      const { code, stdout, stderr } = await run(['compare', ...args])
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toMatch(/^error: [^\n]+\n$/)
      expect(stderr).toMatch(sentence)
    }
  })

  it('says with one sentence that a server is no such service, or does not let it in', async () => {
    const servers: [Promise<string>, RegExp][] = [
      [answering(200, '<html>', 'text/html'), /not with JSON/],
      [answering(401, '{"success":false,"message":"Unauthorized"}'), /does not accept the key/],
      [serverThat(() => undefined), /no answer within 0\.2 seconds/],
    ]
    for (const [starting, sentence] of servers) {
      const options = ['--base-url', await starting, '--timeout', '0.2', '--ledgers', newFolder()]
      const { code, stderr } = await run(['compare', ...options], { CRM_API_KEY: 'a-key' })
      expect(code).toBe(2)
      expect(stderr).toMatch(sentence)
    }
  })
})

type Request = Parameters<RequestListener>[0]
type Response = Parameters<RequestListener>[1]

async function forward(url: string, request: Request, response: Response): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { host, connection, 'content-length': _, 'transfer-encoding': __, ...headers } = request.headers
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
  const answer = await fetch(url + (request.url ?? ''), {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...body,
  })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end(await answer.text())
}
