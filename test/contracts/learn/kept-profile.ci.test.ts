import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { cli } from '../../docs/docs-runner.ts'
import { inTier, sampleOf } from '../../tier.ts'
import { forward } from './helpers.ts'
import { newFolder, serverThat, startSandbox } from '../../for-one-test.ts'

const good = '# What a good run has found.\nkeyScope: team # in the team; seen 2026-11-20\nbadPage: clamped\n'

/** An event in the middle of a run; unless it ends the response, the server answers as usual. */
type Middle = (response: ServerResponse, run: ChildProcess) => unknown

const middles: Readonly<Record<string, Middle>> = {
  'the server is gone': (response) => response.destroy(),
  'the server takes the key back': (response) => refuse(response, 401),
  'the server limits the rate for an hour': (response) => refuse(response.setHeader('retry-after', '3600'), 429),
  'the server fails at everything': (response) => refuse(response, 500),
  'the server shows a page': (response) => response.setHeader('content-type', 'text/html').end('<h1>Back soon</h1>'),
  'the run is interrupted': (_, run) => run.killed || run.kill('SIGINT'),
}

const refuse = (response: ServerResponse, status: number) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end('{"success":false,"message":"no"}')

describe('a profile of an earlier run', () => {
  it.each(sampleOf(Object.entries(middles), inTier({ test: 2, nightly: Infinity })))(
    'stays as it was when %s',
    async (what, middle) => {
      const { profile, code, stdout } = await learnUntil(middle)
      expect(stdout).toMatch(/^Verdict: .*; the run ended early: /m)
      expect(stdout).toContain(`The file ${profile} is left as it was`)
      expect(what === 'the server is gone' ? [2] : [3, 4]).toContain(code)
      expect(readFileSync(profile, 'utf8')).toBe(good)
      expect(readdirSync(dirname(profile))).toEqual(['crm.yaml'])
    },
  )

  it('is added to with --merge, though the run ended early', async () => {
    const { profile } = await learnUntil((response) => response.destroy(), ['--merge'])
    const text = readFileSync(profile, 'utf8')
    expect(text).toMatch(/^repeatedKeyInFlight: wait # .*; seen /m)
    expect(text).toContain('\nkeyScope: team # in the team; seen 2026-11-20\n')
    expect(text).toContain('\nbadPage: clamped # from an earlier profile\n')
  })

  it('is replaced by a run that was about less, and ended well', async () => {
    const { profile, code } = await learnUntil(() => undefined, ['--only', 'malformedId'])
    expect(code).toBe(0)
    expect(readFileSync(profile, 'utf8')).toMatch(/^malformedId: /m)
    expect(readFileSync(profile, 'utf8')).not.toContain('keyScope')
  })
})

/** Learns from a sandbox behind a server with which something happens from its 200th request on. */
async function learnUntil(middle: Middle, args: readonly string[] = []) {
  const sandbox = await startSandbox({ port: 0 })
  let requests = 0
  const url = await serverThat((request, response) => {
    if (++requests > 200) middle(response, run)
    if (!response.writableEnded && !response.destroyed)
      void request.toArray().then((parts) => forward(sandbox.url, request, Buffer.concat(parts), response))
  })
  const profile = join(newFolder(), 'crm.yaml')
  writeFileSync(profile, good)
  const run = spawn(
    process.execPath,
    [cli, 'learn', '--base-url', url, '--ledgers', newFolder(), '--profile', profile, ...args],
    { env: { PATH: process.env.PATH ?? '', CRM_API_KEY: 'demo-key' } },
  )
  let stdout = ''
  run.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  const [code] = (await once(run, 'close')) as [number | null]
  return { profile, code, stdout }
}
