import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFailed } from 'vitest'
import { startSandbox, postAs } from '../for-one-test.ts'
import { expectWithin } from './budget.ts'

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(existsSync)

// A commit that removes lines lowers these limits. A commit that needs more says what a user gets for it.
it('has no more lines and files than before', () => {
  const written = tracked.filter((file) => /\.tsx?$/.test(file) && !/generated\/|\.d\.ts$/.test(file))
  const product = written.filter((file) => !isTest(file))
  expect(product).toContain('index.ts')
  expectWithin('product lines', linesOf(product), 54_239)

  expectWithin('test lines', linesOf(written.filter(isTest)), 38_241)

  expectWithin('files', tracked.length, 891)
})

it('has few folders and files at the top', () => {
  expect(tracked.length).toBeGreaterThan(500)
  const folders = tracked
    .filter((file) => file.includes('/') && !file.startsWith('.'))
    .map((file) => file.split('/')[0])
  expectWithin('folders at the top', new Set(folders).size, 11)
  expectWithin('files at the top', tracked.filter((file) => !file.includes('/')).length, 20)
})

it.each([
  ['without a key', 29, () => ({})],
  ['with a key', 30, (number: number) => ({ 'idempotency-key': `key-${number}` })],
])('runs few of our files for a createContact over HTTP %s', async (kind, most, keyOf) => {
  const { url } = await startSandbox({ port: 0 })
  const create = async (number: number) => {
    const body = { firstName: 'Ada', lastName: 'Byron', email: `ada.${number}@example.com` }
    const { status } = await fetch(`${url}/api/contacts`, postAs('demo-key', body, keyOf(number)))
    expect(status).toBe(201)
  }
  // The first requests load modules and compile schemas.
  for (let number = 0; number < 20; number++) await create(number)
  const files = await filesRunBy(() => create(20))
  onTestFailed(() => console.log(files.sort().join('\n')))
  expect(files).toContain('mock/operations/contacts.ts')
  expectWithin(`our files that a createContact ${kind} runs`, files.length, most)
})

const isTest = (file: string) => file.startsWith('test/') || /\.test\.tsx?$/.test(file)

/** Blank lines do not count. */
const linesOf = (files: readonly string[]) =>
  files.flatMap((file) => readFileSync(file, 'utf8').split('\n')).filter((line) => line.trim() !== '').length

/** A module that reads an export of another calls such a function there. */
const exportOfVite = /^\(\) => \{ try \{ return \w+ \} catch \{\} \}$/

/** The files of this repository, outside of `test`, with a function that the work calls. */
async function filesRunBy(work: () => Promise<void>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Debugger.enable')
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true })
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const files: string[] = []
  for (const { scriptId, url, functions } of result) {
    const file = url.startsWith('file:') ? relative('.', fileURLToPath(url)) : ''
    if (!file.endsWith('.ts') || file.startsWith('test/')) continue
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
    const called = functions
      .flatMap(({ ranges }) => ranges)
      .filter(({ count }) => count > 0)
      .map(({ startOffset, endOffset }) => scriptSource.slice(startOffset, endOffset))
    if (!called.every((text) => exportOfVite.test(text))) files.push(file)
  }
  session.disconnect()
  return files
}
