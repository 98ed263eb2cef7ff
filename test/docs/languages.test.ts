import { spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTier, sampleOf } from '../tier.ts'
import { Desk } from './desk.ts'
import { type Command, installOnce, run } from './install.ts'
import { examplesIn } from './pages.ts'

// Runs the examples of the pages for other languages, with the compilers and test runners of these languages.

let desk: Desk
beforeAll(() => {
  desk = new Desk()
})
afterAll(() => desk[Symbol.asyncDispose]())

/** A compiler takes minutes on a machine that has never used it, so CI tries one language each day. */
const tried = sampleOf(['python', 'java', 'go'], inTier({ test: 1, nightly: 3 }))

describe('the example of the page', () => {
  it.runIf(tried.includes('python'))('docs/python.md passes in pytest', async ({ skip }) => {
    const python = resolve('node_modules/.cache/docs/python')
    const requirements = ['pytest==8.3.4', 'httpx==0.28.1']
    const install: Command[] = [
      ['python3', '-m', 'venv', python],
      [`${python}/bin/pip`, 'install', '--quiet', ...requirements],
    ]
    const missing = await installOnce(install, requirements.join(), { cwd: python })
    if (missing !== undefined) skipAloud(skip, 'python', missing)
    writeExamples('docs/python.md', /^# (\S+)/)
    expect(await runIn([`${python}/bin/pytest`, '-q'])).toMatch(/^4 passed/m)
  })

  it.runIf(tried.includes('java'))('docs/java.md prints what the page says', async ({ skip }) => {
    if (!isInstalled('java')) skipAloud(skip, 'java', 'it is not installed')
    writeExamples('docs/java.md', /^\/\/ (\S+)/)
    const [expected] = examplesIn('docs/java.md').filter(({ language }) => language === 'text')
    expect(await runIn(['java', 'Orders.java'])).toBe(expected?.code)
  })

  it.runIf(tried.includes('go'))('docs/go.md passes in go test', async ({ skip }) => {
    if (!isInstalled('go')) skipAloud(skip, 'go', 'it is not installed')
    writeExamples('docs/go.md', /^\/\/ (\S+)/)
    desk.write('go.mod', 'module orders\n\ngo 1.21\n')
    expect(await runIn(['go', 'test', './...'])).toMatch(/^ok\s+orders/)
  })
})

/** Writes the examples that are run into files of the name in their first line. */
function writeExamples(page: string, firstLine: RegExp): void {
  for (const { code, notRun } of examplesIn(page)) {
    const [, name] = firstLine.exec(code) ?? []
    if (notRun === undefined && name !== undefined) desk.write(name, code)
  }
}

function skipAloud(skip: (reason: string) => never, program: string, reason: string): void {
  console.log(`Skipped the page of ${program}: ${reason}`)
  skip(reason)
}

const isInstalled = (program: string) => spawnSync('which', [program]).status === 0

/** With the `npx` of the desk, which runs the build of this repository. */
function runIn(command: Command): Promise<string> {
  const PATH = [desk.folder, process.env.PATH].join(delimiter)
  return run(command, { cwd: desk.folder, env: { PATH, HOME: homedir(), GOCACHE: join(homedir(), '.cache/go-build') } })
}
