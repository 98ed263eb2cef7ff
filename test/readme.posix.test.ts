import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKnownDeviations } from '../contracts/known-deviations.ts'
import { readTargetFile } from '../contracts/client/target/target-file.ts'
import { loadWorld } from '../fixtures/load-world.ts'
import { readProfile } from '../spec/choices.ts'
import { DocsRunner, quoted } from './docs/docs-runner.ts'
import { examplesIn, pages, type Example } from './docs/examples-of-pages.ts'
import { inTier, tier } from './tier.ts'

// Runs the examples of the README and of docs/, in the order of the page: CI all of them, `npm test` the first of each kind.

const urlInPages = 'http://127.0.0.1:4010'
/** The test of the other languages runs theirs, with their compilers. */
const ofOtherLanguages = ['docs/python.md', 'docs/java.md', 'docs/go.md']
const pagesWithExamples = pages().filter((page) => examplesIn(page).length > 0 && !ofOtherLanguages.includes(page))

/** A whole run of the contract suite, or of `learn`, takes half a minute: before a nightly run, these examples run for a part. */
const parts = 'verify: { only: [contact.delete] }\nlearn: { only: [badPage] }\nsweep: { only: [newContact] }\n'

/**
 * The TypeScript examples of all pages, and those in JavaScript, which are TypeScript too, are compiled at once, which takes as
 * long as one. The pages share a server.
 */
const compiler = new DocsRunner()
let url: string
beforeAll(async () => {
  url = await compiler.serve('npx crm-sandbox serve --port 0')
  const sources = pagesWithExamples.flatMap((page) =>
    examplesIn(page)
      .filter(({ language, notRun }) => language === 'ts' || (language === 'js' && notRun === undefined))
      .map(({ line, code }) => compiler.write(moduleName(page, line, 'ts'), code)),
  )
  const fields = optionRows.map(([name, example]) => `${name}: ${example},`).join('\n')
  const options = `import type { SandboxOptions } from 'crm-sandbox'
    export const options = { ${fields} } satisfies Required<SandboxOptions>`
  await compiler.compile([...sources, compiler.write('options.ts', options)])
})
afterAll(() => compiler[Symbol.asyncDispose]())

/** The options of createSandbox, each with its example; the compiler also checks that none is missing. */
const optionRows = [...readFileSync('docs/testing.md', 'utf8').matchAll(/^\| `(\w+)` +\|[^|]+\| `(.+?)` +\|/gm)].map(
  ([, name = '', example = '']) => [name, example] as const,
)

const moduleName = (page: string, line: number, extension: string) =>
  `${page.replaceAll('/', '-')}-line-${line}.${extension}`

const isServe = (command: string) => /^(?:\w+=(?:'[^']*'|\S+) )*npx crm-sandbox serve\b/.test(command)

/** The output of the example before it. */
const isOutput = ({ language }: Example) => ['http', 'json', 'text'].includes(language)

const kindOf = ({ language, code }: Example) => (language === 'sh' && isServe(code) ? 'serve' : language)

/** Those that a test can run, each with its outputs. */
function firstOfEachKind(examples: readonly Example[]): readonly Example[] {
  const steps: Example[][] = []
  for (const example of examples.filter(({ notRun }) => notRun === undefined)) {
    if (isOutput(example)) steps.at(-1)?.push(example)
    else steps.push([example])
  }
  const kinds = new Set<string>()
  const isNew = (example: Example) => kinds.size < kinds.add(kindOf(example)).size
  return steps.filter((step) => step.filter(isNew).length > 0).flat()
}

const tried = pagesWithExamples
  .map((page) => [page, inTier({ test: firstOfEachKind(examplesIn(page)), ci: examplesIn(page) })] as const)
  .filter(([, examples]) => examples.length > 0)

describe.each(tried)('%s', (page, examples) => {
  let runner: DocsRunner
  /** The output of the previous example. */
  let printed = ''

  beforeAll(async () => {
    runner = new DocsRunner()
    if (tier !== 'nightly') runner.write('crm-sandbox.config.yaml', parts)
    await fetch(`${url}/_sandbox/reset`, { method: 'POST' })
  })
  afterAll(() => runner[Symbol.asyncDispose]())

  const run: Record<string, (example: Example) => Promise<void>> = {
    async sh({ code }) {
      const commands = code.trimEnd().split('\n')
      if (commands.every(isServe)) for (const command of commands) await startAndStop(command)
      else printed = await runner.sh(code.replaceAll(urlInPages, url))
    },
    async http({ code }) {
      for (const line of withoutVariableParts(code).trimEnd().split('\n')) {
        expect(withoutVariableParts(printed)).toContain(line)
      }
    },
    async json({ code }) {
      const lastLine = printed.trimEnd().split('\n').at(-1) ?? ''
      expect(JSON.parse(withoutVariableParts(lastLine))).toEqual(JSON.parse(withoutVariableParts(code)))
    },
    async text({ code }) {
      expect(printed).toBe(code)
    },
    async yaml({ code }) {
      const [, name = ''] = /^# (\S+)\n/.exec(code) ?? []
      const path = runner.write(name, code.replaceAll(urlInPages, url), 0o600)
      const [kind = ''] = name.split(/[-.]/)
      if (kind in readers) readers[kind]?.(path)
      else expect(await loadWorld(path)).toHaveProperty('teams')
    },
    async js({ line, code }) {
      const path = runner.write(moduleName(page, line, 'mjs'), code.replaceAll(urlInPages, url))
      printed = await runner.sh(`node ${quoted(path)}`)
    },
    async ts({ line }) {
      const name = moduleName(page, line, 'js')
      runner.write(name, readFileSync(join(compiler.folder, name), 'utf8').replaceAll(urlInPages, url))
      printed = await runner.sh(`node ${name}`)
    },
  }

  it.for(examples.map((example) => [example.line, example.language, example] as const))(
    'line %i: the %s example works',
    async ([, language, example], { skip }) => {
      if (example.notRun !== undefined) skip(example.notRun)
      expect(Object.keys(run)).toContain(language)
      await run[language]?.(example)
    },
  )

  async function startAndStop(command: string): Promise<void> {
    const ownUrl = await runner.serve(command.includes('--port') ? command : `${command} --port 0`)
    expect((await fetch(`${ownUrl}/openapi.json`)).status).toBe(200)
    expect(await runner.stop()).toBe(0)
  }
})

it('the options of createSandbox in docs/testing.md each work as in their example', async () => {
  await using runner = new DocsRunner()
  const tries = optionRows.map(
    ([name, example]) => `await (await createSandbox({ ${name}: ${example} })).close(); console.log('${name}')`,
  )
  runner.write('each.js', ["import { createSandbox } from 'crm-sandbox'", ...tries].join('\n'))
  expect(await runner.sh('node each.js')).toBe(optionRows.map(([name]) => `${name}\n`).join(''))
})

const isConfig = new Ajv({ allowUnionTypes: true }).compile(
  JSON.parse(readFileSync('dist/config.schema.json', 'utf8')) as object,
)

/** How to read the YAML files that are not worlds, by the first word of the file name. */
const readers: Record<string, (path: string) => void> = {
  crm: (path) => {
    expect(parse(readFileSync(path, 'utf8'))).toSatisfy(isConfig)
  },
  profile: (path) => expect(readProfile(parse(readFileSync(path, 'utf8')))).not.toEqual({}),
  faults: (path) => expect(parse(readFileSync(path, 'utf8'))).toEqual([expect.anything(), expect.anything()]),
  target: (path) => expect(readTargetFile(path).credentials).not.toEqual({}),
  known: (path) => expect(readKnownDeviations(path)).not.toEqual([]),
  workflow: (path) => expect(parse(readFileSync(path, 'utf8'))).toHaveProperty('jobs'),
}

/** Replaces what differs in each run: ids, times and secrets. */
function withoutVariableParts(text: string): string {
  return text
    .replace(/\b[0-9a-f]{24}\b/g, 'an id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replace(/sandbox_[0-9a-f]+/g, 'a key')
    .replace(/eyJ[\w.-]+/g, 'a token')
    .replace(/("uptimeSeconds": ?)\d+/g, '$10')
    .replace(/\r/g, '')
}
