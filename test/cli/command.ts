import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { cli } from '../docs/docs-runner.ts'
import { inTier, sampleOf } from '../tier.ts'
import { serverThat } from '../for-one-test.ts'

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type Variables = Readonly<Record<string, string>>

/** Runs the published command to its end. */
export async function run(args: readonly string[], variables: Variables = {}, cwd = '.'): Promise<Ended> {
  return ended(spawnCli(args, variables, cwd))
}

/** Expects an error of one line without control characters, and no output. */
export async function expectError(args: readonly string[], sentence: RegExp, code = 2, variables: Variables = {}) {
  const { stderr, ...others } = await run(args, variables)
  expect(others, stderr).toEqual({ code, stdout: '' })
  expect(stderr).toMatch(/^error: [ -~\u00a0-\uffff]+\n$/)
  expect(stderr.trimEnd()).toMatch(sentence)
}

/** Each refusal starts a process: `npm test` takes a quarter of a table, CI another quarter each day. */
export const fewOf = <Row>(rows: readonly Row[]) =>
  sampleOf(rows, inTier({ test: Math.ceil(rows.length / 4), nightly: Infinity }))

/** Starts `serve`, and waits for its banner. */
export async function serve(args: readonly string[] = [], variables: Variables = {}, cwd = '.') {
  const child = spawnCli(['serve', '--port', '0', ...args], variables, cwd)
  const over = ended(child)
  let banner = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      banner += chunk.toString()
      if (banner.endsWith('}\n') || banner.includes('/_sandbox/health')) resolve()
    })
    void over.then(({ stderr }) => reject(new Error(`It ended: ${stderr}`)))
  })
  const url = /http:\/\/[^\s/"]+/.exec(banner)?.[0] ?? ''
  return { url, banner, child, over }
}

export function spawnCli(
  args: readonly string[],
  variables: Variables = {},
  cwd = '.',
): ChildProcessWithoutNullStreams {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [cli, ...args], { cwd, env: { PATH, ...variables } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

/** A server with the same response to every request. */
export const answering = (status: number, text: string, type = 'application/json') =>
  serverThat((_, response) => {
    response.writeHead(status, { 'content-type': type }).end(text)
  })

/** The number of records of each kind of the team demo. */
export async function countRecords(url: string): Promise<Record<string, number>> {
  const kinds = ['contacts', 'companies', 'products', 'deals', 'quotes', 'templates', 'conversations', 'messages']
  const counts = kinds.map(async (kind) => {
    const response = await fetch(`${url}/_sandbox/teams/demo/${kind}?limit=1`)
    return [kind, ((await response.json()) as { data: { total: number } }).data.total] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}
