import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { untilItListens } from '../docs/docs-runner.ts'
import { examplesIn } from '../docs/examples-of-pages.ts'
import { tier } from '../tier.ts'

// The first examples of the README, in a clone of the latest commit. npm needs its registry for them, or its cache.

const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-clone-'))
const clone = join(folder, 'crm-sandbox')
beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', '.', clone])
})
afterAll(() => rmSync(folder, { recursive: true }), 5 * 60_000)

const [start = '', request = '', install = ''] = examplesIn('README.md')
  .filter(({ language }) => language === 'sh')
  .map(({ code }) => code)

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
})

const env = { ...process.env, CRM_SANDBOX_PORT: '0', npm_config_prefer_offline: 'true' }

const sh = (script: string) => execFileSync('sh', ['-ec', script], { cwd: clone, env, stdio: 'pipe' }).toString()

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

const isReached = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )
