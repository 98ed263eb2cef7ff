import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKnownDeviations } from '../contracts/known-deviations.ts'
import { readTargetFile } from '../client/target/target-file.ts'
import { loadWorld } from '../fixtures/load-world.ts'
import { readProfile } from '../spec/choices.ts'
import { Desk } from './docs/desk.ts'
import { examplesIn, pagesWithExamples, type Example } from './docs/pages.ts'

// Every example of every page is run, in the order of the page, as a reader would.

const everywhere = 'http://127.0.0.1:4010'

describe.each(pagesWithExamples())('%s', (page) => {
  const examples = examplesIn(page)
  let desk: Desk
  let url: string
  /** What the example before has printed. */
  let printed = ''
  let compiled: Promise<unknown> | undefined

  beforeAll(async () => {
    desk = new Desk()
    url = await desk.serve('npx crm-sandbox serve --port 0')
  })
  afterAll(() => desk[Symbol.asyncDispose]())

  const run: Record<string, (example: Example) => Promise<void>> = {
    async sh({ code }) {
      const commands = code.trimEnd().split('\n')
      if (commands.every(isServe)) for (const command of commands) await startsAndStops(command)
      else printed = await desk.sh(code.replaceAll(everywhere, url))
    },
    async http({ code }) {
      for (const line of settled(code).trimEnd().split('\n')) expect(settled(printed)).toContain(line)
    },
    async json({ code }) {
      expect(JSON.parse(settled(printed.trimEnd().split('\n').at(-1) ?? ''))).toEqual(JSON.parse(settled(code)))
    },
    async text({ code }) {
      expect(printed).toBe(code)
    },
    async yaml({ code, refused }) {
      const [, name = ''] = /^# (\S+)\n/.exec(code) ?? []
      const path = desk.write(name, code.replaceAll(everywhere, url), 0o600)
      const [what = ''] = name.split(/[-.]/)
      if (what in readers) readers[what]?.(path)
      else if (refused === undefined) expect(await loadWorld(path)).toHaveProperty('teams')
      else printed = `${await refusal(loadWorld(path))}\n`.replace(path, name)
    },
    async ts({ line }) {
      await (compiled ??= compile())
      printed = await desk.sh(`node line-${line}.js`)
    },
  }

  it.for(examples.map((example) => [example.line, example.language, example] as const))(
    'line %i: the %s works',
    { timeout: 60_000 },
    async ([, language, example], { skip }) => {
      if (example.notRun !== undefined) skip(example.notRun)
      expect(Object.keys(run)).toContain(language)
      await run[language]?.(example)
    },
  )

  /** All of a page at once: the compiler needs as long for one. */
  async function compile(): Promise<unknown> {
    const sources = examples
      .filter(({ language }) => language === 'ts')
      .map(({ line, code }) => desk.write(`line-${line}.ts`, code))
    return desk.sh(`${tsc} --outDir ${desk.folder} ${sources.join(' ')} 1>&2`)
  }

  async function startsAndStops(command: string): Promise<void> {
    const own = await desk.serve(command.includes('--port') ? command : `${command} --port 0`)
    expect((await fetch(`${own}/openapi.json`)).status).toBe(200)
    expect(await desk.stop()).toBe(0)
  }
})

/** What a file is that is no world, by its name. */
const readers: Record<string, (path: string) => void> = {
  profile: (path) => {
    expect(readProfile(parse(readFileSync(path, 'utf8')))).not.toEqual({})
  },
  target: (path) => {
    expect(readTargetFile(path).credentials).not.toEqual({})
  },
  known: (path) => {
    expect(readKnownDeviations(path)).not.toEqual([])
  },
  workflow: (path) => {
    expect(parse(readFileSync(path, 'utf8'))).toHaveProperty('jobs')
  },
}

const isServe = (command: string) => command.startsWith('npx crm-sandbox serve')

const tsc =
  `${resolve('node_modules/.bin/tsc')} --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck --target es2022` +
  ' --lib es2023,esnext.disposable,dom --module nodenext --types node'

/** Without what is another at each run: ids, times and secrets. */
function settled(text: string): string {
  return text
    .replace(/\b[0-9a-f]{24}\b/g, 'an id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replace(/sandbox_[0-9a-f]+/g, 'a key')
    .replace(/eyJ[\w.-]+/g, 'a token')
    .replace(/("uptimeSeconds": ?)\d+/g, '$10')
    .replace(/\r/g, '')
}

async function refusal(loading: Promise<unknown>): Promise<string> {
  return loading.then(
    () => 'it was not refused',
    (error: unknown) => (error as Error).message,
  )
}
