import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { report } from '../budgets/budget.ts'
import { untilItListens } from '../docs/docs-runner.ts'
import { examplesIn } from '../docs/examples-of-pages.ts'
import { inTier, tier } from '../tier.ts'

// The first examples of the README, in a clone of the latest commit, on each version of Node.js that is supported. npm needs its
// registry for them, or its cache.

const own = Number(process.versions.node.split('.')[0])
const majors = JSON.parse(readFileSync('.ci/node-versions.json', 'utf8')) as number[]

/** A folder of a person can have a space and other letters in its name. */
const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox clone ü '))
const tried: string[] = []
afterAll(() => {
  report('versions of Node.js that a clone ran on', tried.join(', '), majors.join(', '))
  rmSync(folder, { recursive: true })
}, 5 * 60_000)

const [start = '', request = '', install = ''] = examplesIn('README.md')
  .filter(({ language }) => language === 'sh')
  .map(({ code }) => code)

/** The tests that another version must pass: at night all but this file. */
const tests = inTier({
  test: [
    'test/lib',
    'test/spec',
    'test/mock/operations',
    'test/mock/messages',
    'test/mock/multipart',
    'test/cli/serve',
  ],
  nightly: ['--exclude', 'test/long/clone.*'],
})

describe.each(majors)('on Node.js %i, a clone', (major) => {
  const clone = join(folder, `on ${major}`)
  const env: Record<string, string | undefined> = {
    ...outsideOfVitest(),
    CRM_SANDBOX_PORT: '0',
    CRM_SANDBOX_TEST_TIER: inTier({ test: 'test', nightly: 'ci' }),
    npm_config_prefer_offline: 'true',
  }
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: clone, env, stdio: 'pipe', maxBuffer: 2 ** 28 }).toString()
  const sh = (script: string) => run('sh', '-ec', script)

  beforeAll(() => {
    execFileSync('git', ['clone', '--quiet', '.', clone])
    env.PATH = `${folderOfNode(major)}:${env.PATH ?? ''}`
    tried.push(run('node', '--version').trim())
  }, 5 * 60_000)
  // Four copies of the dependencies need room.
  afterAll(() => rmSync(clone, { recursive: true }), 5 * 60_000)

  it('installs, builds and serves, and a request creates a contact', async () => {
    await using served = await serve('sh', '-ec', start)
    expect(served.output).toContain('Building')
    expect(served.output).not.toContain('deprecated. Support')
    expect(sh(request.replaceAll('http://127.0.0.1:4010', served.url))).toContain('"message":"Contact created"')
    const page = await fetch(`${served.url}/console/`)
    expect(await page.text()).toContain('<script type="module"')
  })

  it('starts again without a build, and the end of npm leaves no server', async () => {
    await using served = await serve('npm', 'start')
    expect(served.output).not.toContain('Building')
    served.npm.kill('SIGTERM')
    while (await isReached(served.url)) await wait(100)
  })

  it.runIf(tier === 'nightly')('tests with a whole build, although the commands are built', () => {
    expect(existsSync(join(clone, 'dist/index.cjs'))).toBe(false)
    sh('node scripts/build.mjs --if-stale')
    expect(sh(`node -e "console.log(typeof require('crm-sandbox').createSandbox)"`)).toBe('function\n')
    expect(existsSync(join(clone, 'dist/index.d.cts'))).toBe(true)
  })

  it.runIf(tier === 'nightly')('is packed and installed in another project', () => {
    mkdirSync(join(folder, 'my-project'))
    writeFileSync(join(folder, 'my-project/package.json'), '{}')
    expect(sh(`${install}\nnpx crm-sandbox --help`)).toContain('Usage: crm-sandbox')
    rmSync(join(folder, 'my-project'), { recursive: true })
  })

  it.runIf(major !== own)(
    inTier({ test: 'passes a quick part of the tests', nightly: 'passes all tests' }),
    () => {
      const { status, stdout } = spawnSync('npx', ['vitest', 'run', ...tests], { cwd: clone, env, encoding: 'utf8' })
      expect(status, stdout).toBe(0)
      expect(stdout).toContain('passed')
    },
    inTier({ test: 5, nightly: 60 }) * 60_000,
  )

  /** Runs a command in the clone until its server listens. */
  async function serve(command: string, ...args: string[]) {
    const npm = spawn(command, args, { cwd: clone, env, detached: true })
    const closed = once(npm, 'close')
    return {
      ...(await untilItListens(npm)),
      npm,
      async [Symbol.asyncDispose]() {
        spawnSync('kill', ['--', `-${npm.pid}`]) // the process group: the server may outlive npm
        await closed
      },
    }
  }
})

const isReached = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

/** The folder of the program: npm has a package of each version. */
function folderOfNode(major: number): string {
  if (major === own) return dirname(process.execPath)
  const project = join(folder, `node ${major}`)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{}')
  execFileSync('npm', ['install', '--prefer-offline', `node@${major}`], { cwd: project, stdio: 'pipe' })
  return join(project, 'node_modules/node/bin')
}

/** Without the variables that vitest and npm set for their child processes. */
const outsideOfVitest = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|npm_|NODE_ENV$|CRM_SANDBOX)/.test(name)),
  )
