import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createSandbox, type Sandbox } from '../../index.ts'
import { chromiumPath } from '../mock/console/browser.ts'
import { freePort } from '../mock/store/postgres.ts'
import { inTier, sampleOf, tier } from '../tier.ts'
import { DocsRunner } from './docs-runner.ts'
import { type Command, installOnce, run } from './install.ts'
import { examplesIn } from './examples-of-pages.ts'

// Runs the examples of the pages for other languages and tools, with the compilers, test runners and clients of these.

let runner: DocsRunner
beforeAll(() => {
  runner = new DocsRunner()
})
afterAll(() => runner[Symbol.asyncDispose]())

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
    runner.write('go.mod', 'module orders\n\ngo 1.21\n')
    expect(await runIn(['go', 'test', './...'])).toMatch(/^ok\s+orders/)
  })
})

describe('docs/browser.md has', () => {
  const tools = resolve('node_modules/.cache/docs/browser')
  let missing: string | undefined
  let ports: { readonly page: number; readonly sandbox: number }
  beforeAll(async () => {
    const packages = ['@playwright/test@1.56.1', 'cypress@15.3.0', 'newman@6.2.1', 'openapi-to-postmanv2@5.8.0']
    const install: Command = ['npm', 'install', '--prefix', tools, '--no-audit', '--no-fund', ...packages]
    // The test only loads the settings, so the package is enough, without the program that it downloads.
    const env = { ...process.env, CYPRESS_INSTALL_BINARY: '0' }
    missing = await installOnce([install], packages.join(), { cwd: tools, env })
    for (const name of ['@playwright', 'cypress']) runner.link(name, join(tools, 'node_modules', name))
    ports = { page: await freePort(), sandbox: await freePort() }
  })

  const write = (firstLine: RegExp) => {
    writeExamples('docs/browser.md', firstLine, (code) =>
      code
        .replaceAll('4010', `${ports.sandbox}`)
        .replaceAll('5173', `${ports.page}`)
        .replaceAll('https://crm.example.com', `http://127.0.0.1:${ports.sandbox}`),
    )
  }

  it('a configuration and a test that pass in Playwright', async ({ skip }) => {
    if (missing !== undefined) skipAloud(skip, 'Playwright', missing)
    if (chromiumPath === undefined) skipAloud(skip, 'Playwright', 'no Chromium is installed')
    write(/^\/\/ (playwright\.config\.ts|order\.spec\.ts|intercepted\.spec\.ts)/)
    const launch = JSON.stringify({ executablePath: chromiumPath, args: ['--no-sandbox'] })
    const withChromium = `import config from './playwright.config.ts'
export default { ...config, use: { ...config.use, launchOptions: ${launch} } }`
    runner.write('chromium.config.ts', withChromium)
    runner.write('page.mjs', pageOfOrders(ports))
    runner.write('npm', '#!/bin/sh\n[ "$*" = "run dev" ] && exec node page.mjs\n', 0o755)
    const playwright = join(tools, 'node_modules/.bin/playwright')
    const variables = { CRM_SANDBOX_PORT: `${ports.sandbox}` }
    expect(await runIn([playwright, 'test', '--config', 'chromium.config.ts'], variables)).toContain('2 passed')
  })

  it('tasks that control the sandbox in Cypress', async ({ skip }) => {
    if (missing !== undefined) skipAloud(skip, 'Cypress', missing)
    await using sandbox = await createSandbox({ port: ports.sandbox })
    write(/^\/\/ (cypress\.config\.js)/)
    runner.write('cypress.config.cjs', readFileSync(join(runner.folder, 'cypress.config.js'), 'utf8'))
    const { default: config } = (await import(join(runner.folder, 'cypress.config.cjs'))) as { default: CypressConfig }
    let tasks: Parameters<Parameters<CypressConfig['e2e']['setupNodeEvents']>[0]>[1] | undefined
    config.e2e.setupNodeEvents((_, given) => (tasks = given))
    await tasks?.fail({ operation: 'createProduct', status: 500 })
    expect((await createProduct(sandbox)).status).toBe(500)
    expect(await tasks?.outbox()).toEqual(await sandbox.outbox.list())
    expect(await tasks?.reset()).toBe(null)
    expect((await createProduct(sandbox)).status).toBe(201)
  })

  it('commands that make a collection, and Newman succeeds with each request', async ({ skip }) => {
    if (missing !== undefined) skipAloud(skip, 'Newman', missing)
    await using sandbox = await createSandbox({ port: ports.sandbox })
    const [example] = examplesIn('docs/browser.md')
      .filter(({ language }) => language === 'sh')
      .slice(-1)
    const script = (example?.code ?? '').replaceAll('4010', `${ports.sandbox}`).replaceAll(/npx (--package \S+ )?/g, '')
    const PATH = [join(tools, 'node_modules/.bin'), process.env.PATH].join(delimiter)
    await run(['sh', '-ec', script], { cwd: runner.folder, env: { PATH } })
    const asked = await sandbox.requests.find({ last: 100 })
    const statuses = asked.map(({ status }) => status)
    expect(asked).toHaveLength(32)
    expect(statuses.filter((status) => status >= 400)).toEqual([])
  })
})

describe('docs/ci.md has', () => {
  interface Job {
    readonly script: readonly string[]
    readonly steps: readonly { readonly run?: string; readonly if?: string }[]
  }
  const scriptsOf: Readonly<Record<string, (code: string) => (string | undefined)[]>> = {
    'workflow.yaml': (code) => (parse(code) as { jobs: { test: Job } }).jobs.test.steps.map(({ run }) => run),
    '.gitlab-ci.yml': (code) => [...(parse(code) as { test: Job }).test.script],
    Jenkinsfile: (code) => [...code.matchAll(/\bsh ('''|')([^]*?)\1/g)].map(([, , script]) => script),
  }

  it.each(Object.keys(scriptsOf))('a %s whose commands succeed', async (name) => {
    const example = examplesIn('docs/ci.md').find(({ code }) => code.includes(` ${name}\n`))
    await using own = await createSandbox({ port: 0, world: 'two-teams' })
    const code = (example?.code ?? '').replaceAll('8080', new URL(own.url).port)
    const script = (scriptsOf[name]?.(code) ?? []).join('\n')
    runner.write('npm', '#!/bin/sh\necho "npm $* $CRM_API_KEY" >> npm.log\n', 0o755)
    if (tier !== 'nightly') runner.write('crm-sandbox.config.yaml', 'verify: { only: [contact.delete] }\n')
    await runIn(['sh', '-ec', script], { CRM_API_KEY: 'acme-key' })
    expect(readFileSync(join(runner.folder, 'npm.log'), 'utf8')).toBe('npm ci acme-key\nnpm test demo-key\n')
    rmSync(join(runner.folder, 'npm.log'))
  })
})

interface CypressConfig {
  readonly e2e: {
    setupNodeEvents: (
      on: (
        event: string,
        tasks: Readonly<Record<'reset' | 'outbox' | 'fail', (given?: object) => Promise<unknown>>>,
      ) => void,
    ) => void
  }
}

const createProduct = (sandbox: Sandbox) =>
  sandbox.fetch('/api/products', {
    method: 'POST',
    headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Engine', unitPrice: 1 }),
  })

/** The page that the Playwright example tests. It calls the sandbox from the browser. */
const pageOfOrders = (ports: { readonly page: number; readonly sandbox: number }) => `
import { createServer } from 'node:http'
const html = \`<button>Tell the customer</button><p role="alert"></p><script>
  document.querySelector('button').onclick = async () => {
    const response = await fetch('http://127.0.0.1:${ports.sandbox}/api/messages/sendMessage', {
      method: 'POST',
      headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
      body: '{}',
    })
    const words = response.status === 500 ? 'The message was not sent' : 'The sandbox answered ' + response.status
    document.querySelector('p').textContent = words
  }
</script>\`
createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(html)
}).listen(${ports.page}, 'localhost')
`

/** Writes the examples with such a first line into files of the name there. */
function writeExamples(page: string, firstLine: RegExp, change = (code: string) => code): void {
  for (const { code } of examplesIn(page)) {
    const [, name] = firstLine.exec(code) ?? []
    if (name !== undefined) runner.write(name, change(code))
  }
}

function skipAloud(skip: (reason: string) => never, program: string, reason: string): void {
  console.log(`Skipped the page of ${program}: ${reason}`)
  skip(reason)
}

const isInstalled = (program: string) => spawnSync('which', [program]).status === 0

/** With the `npx` of the runner, which runs the build of this repository. */
function runIn(command: Command, variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const PATH = [runner.folder, process.env.PATH].join(delimiter)
  const env = { PATH, HOME: homedir(), GOCACHE: join(homedir(), '.cache/go-build'), ...variables }
  return run(command, { cwd: runner.folder, env })
}
