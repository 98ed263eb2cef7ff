import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { examplesIn } from '../docs/examples-of-pages.ts'
import { newFolder } from '../for-one-test.ts'
import { newSchema } from '../mock/store/helpers.ts'
import { freePort, postgresUrl } from '../mock/store/postgres.ts'
import { inTier } from '../tier.ts'
import { serve } from './command.ts'

const page = 'docs/shared.md'
const configOf = (language: string) => examplesIn(page).find((one) => one.language === language)?.code ?? ''
const isInstalled = (program: string) => spawnSync('which', [program]).status === 0
const database = await postgresUrl()

/** A load balancer with the configuration of the documentation, on other ports. */
interface Balancer {
  readonly url: string
  /** Whether it resets connections of clients when its configuration is loaded again. */
  readonly resets?: boolean
  /** Before a server stops, and after it was started again. */
  take(out: number | undefined): Promise<void>
}

const drain = ['--drain', '6s']
const stops = inTier({ test: 1, nightly: 10 })

it.runIf(database !== undefined).for([
  ['HAProxy', 'haproxy', startHaproxy],
  ['nginx', 'nginx', startNginx],
] as const)('loses no request in a rolling update behind %s', async ([name, program, start], { skip }) => {
  if (!isInstalled(program)) {
    console.log(`${name} is not installed, so its rolling update is skipped; apt-get install ${program}`)
    skip()
  }
  const ports = await Promise.all([freePort(), freePort(), freePort()])
  const store = `${database ?? ''}?schema=${newSchema()}`
  const open = async (port: number) => serve(['--port', `${port}`, ...drain, '--store', store, '--world', 'two-teams'])
  const servers = []
  for (const port of ports) servers.push(await open(port))
  const balancer = await start(ports)
  const traffic = startTraffic(balancer)
  for (let stop = 0; stop < stops; stop++) {
    const at = stop % ports.length
    await balancer.take(at)
    servers[at]?.child.kill('SIGTERM')
    expect((await servers[at]?.over)?.code).toBe(0)
    servers[at] = await open(ports[at] ?? 0)
    await balancer.take(undefined)
    await untilReady(servers[at].url)
    const before = traffic.total()
    await expect.poll(() => traffic.total()).toBeGreaterThan(before + 200)
  }
  expect(await traffic.end()).toEqual(['200', '201'])
  for (const { child, over } of servers) {
    child.kill('SIGINT')
    await over
  }
})

/** Requests of forty clients, with connections that stay open where the balancer leaves them open, until `end`. */
function startTraffic({ url, resets = false }: Balancer) {
  const agent = new Agent({ keepAlive: !resets })
  /** How many requests got each status, or each error. */
  const answers = new Map<string, number>()
  let isOver = false
  const keys = ['acme-key', 'globex-key']
  const client = async (number: number) => {
    for (let sent = 0; !isOver; sent++) {
      const answer = await send(url, keys[number % 2] ?? '', sent % 4 === 0, agent)
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      await wait(sent % 20)
    }
  }
  const clients = Promise.all(Array.from({ length: 40 }, (_, number) => client(number)))
  return {
    answers,
    total: () => [...answers.values()].reduce((sum, count) => sum + count, 0),
    async end() {
      isOver = true
      await clients
      agent.destroy()
      console.log(url, Object.fromEntries(answers))
      return [...answers.keys()].toSorted()
    },
  }
}

/** Resolves to the status, or to the code of the error. */
function send(url: string, key: string, creates: boolean, agent: Agent): Promise<string> {
  const path = creates ? '/api/products' : '/api/templates?page=1&limit=10&types=sms&statuses=approved'
  const headers = { 'x-api-key': key, ...(creates && { 'content-type': 'application/json' }) }
  return new Promise((resolve) => {
    const sent = request(url + path, { agent, method: creates ? 'POST' : 'GET', headers }, (response) => {
      response.resume().once('end', () => resolve(`${response.statusCode ?? 0}`))
      response.once('error', ({ message }) => resolve(message))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end(creates ? JSON.stringify({ name: 'Cog', unitPrice: 1 }) : undefined)
  })
}

async function untilReady(url: string): Promise<void> {
  await expect.poll(async () => (await fetch(`${url}/_sandbox/ready`)).status).toBe(200)
}

async function startHaproxy(ports: readonly number[]): Promise<Balancer> {
  const [port, folder] = [await freePort(), newFolder()]
  const lines = ports.map((one, at) => `  server s${at} 127.0.0.1:${one}`).join('\n')
  const config = configOf('haproxy')
    .replace('/run/haproxy', folder)
    .replace('bind :4010', `bind 127.0.0.1:${port}`)
    .replace(/( {2}server .+\n)+/, `${lines}\n`)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, config)
  startProgram('haproxy', ['-db', '-f', file])
  await expect.poll(() => existsSync(join(folder, 'crm.sock'))).toBe(true)
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  return { url, take: async () => undefined }
}

async function startNginx(ports: readonly number[]): Promise<Balancer> {
  const [port, folder] = [await freePort(), newFolder()]
  const file = join(folder, 'nginx.conf')
  const write = (out?: number) => {
    const lines = ports.map(
      (one, at) => `  server 127.0.0.1:${one} ${at === out ? 'down' : 'max_fails=1 fail_timeout=5s'};\n`,
    )
    const site = configOf('nginx')
      .replace('listen 4010', `listen 127.0.0.1:${port}`)
      .replace(/( {2}server 127.+\n)+/, lines.join(''))
    const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`)
    writeFileSync(
      file,
      `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {} http { access_log off; ${kept.join(' ')}\n${site} }`,
    )
  }
  write()
  const nginx = startProgram('nginx', ['-p', folder, '-c', file])
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(`${url}/_sandbox/ready`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  return {
    url,
    resets: true,
    take: async (out) => {
      write(out)
      nginx.kill('SIGHUP') // as `nginx -s reload` does
      await expect.poll(() => readFileSync(join(folder, 'error.log'), 'utf8')).not.toContain('[emerg]')
      await wait(500)
    },
  }
}

function startProgram(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { stdio: 'inherit' })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  return child
}

it('answers the probes that the documentation has for Kubernetes', async () => {
  const { spec } = parse(configOf('yaml')) as { spec: PodSpec }
  const [container] = spec.containers
  const [command = '', ...args] = container?.args ?? []
  expect(command).toBe('serve')
  const { url } = await serve(args, { CRM_SANDBOX_CONTROL_TOKEN: 'a-control-token-of-ours' })
  for (const name of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
    expect((await fetch(url + (container?.[name].httpGet.path ?? ''))).status).toBe(200)
  const seconds = Number(/--drain,(\d+)s/.exec(String(args))?.[1])
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(seconds + 5)
})

interface Probe {
  readonly httpGet: { readonly path: string }
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly (Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe> & {
    readonly args: readonly string[]
  })[]
}
