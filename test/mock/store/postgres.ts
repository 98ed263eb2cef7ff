import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { once as cached } from '../../../lib/async.ts'
import { sleep } from '../../../contracts/client/sleep.ts'
import { onTestFinished } from 'vitest'
import { longestWait } from '../../longest-wait.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(existsSync)

/** PgBouncer in transaction mode, with few connections to the database. Ends with the test. */
export class PgBouncer {
  static readonly isInstalled = program !== undefined
  readonly port: number
  readonly #settings: string
  #process: ChildProcess | undefined

  private constructor(settings: string, port: number) {
    this.#settings = settings
    this.port = port
  }

  static async start(database: number): Promise<PgBouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-pgbouncer-'))
    const [settings, port] = [join(folder, 'pgbouncer.ini'), await freePort()]
    writeFileSync(
      settings,
      `[databases]
postgres = host=127.0.0.1 port=${database} user=crm
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
`,
    )
    chmodSync(folder, 0o755)
    const started = new PgBouncer(settings, port)
    onTestFinished(async () => {
      await started.#stop()
      rmSync(folder, { recursive: true })
    })
    await started.#start()
    return started
  }

  async restart(): Promise<void> {
    await this.#stop()
    await this.#start()
  }

  async #start(): Promise<void> {
    this.#process = spawn(program ?? '', [this.#settings], { stdio: 'ignore', ...nobody })
    await answers(`postgres://crm@127.0.0.1:${this.port}/postgres`)
  }

  async #stop(): Promise<void> {
    const running = this.#process
    if (running?.exitCode !== null) return
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
}

/** PostgreSQL and PgBouncer refuse to run as root. */
export const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** A server that a test may stop, kill and start again. It listens on loopback only, and ends with this process. */
export class PostgresServer {
  readonly port: number
  readonly #folder: string
  readonly #programs: string
  #process: ChildProcess | undefined

  private constructor(programs: string, folder: string, port: number) {
    this.#programs = programs
    this.#folder = folder
    this.port = port
  }

  /** Undefined when PostgreSQL is not installed. */
  static async create(): Promise<PostgresServer | undefined> {
    const programs = findPrograms()
    if (programs === undefined) return undefined
    const folder = ownFolder()
    const options = ['-U', 'crm', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
    await runIn(folder, join(programs, 'initdb'), '-D', join(folder, 'data'), ...options)
    return new PostgresServer(programs, folder, await freePort())
  }

  /** A standby of this server. */
  async standby(): Promise<PostgresServer> {
    const folder = ownFolder()
    const options = ['-U', 'crm', '-h', '127.0.0.1', '-p', `${this.port}`, '--write-recovery-conf', '--checkpoint=fast']
    await runIn(folder, join(this.#programs, 'pg_basebackup'), '-D', join(folder, 'data'), '--no-sync', ...options)
    return new PostgresServer(this.#programs, folder, await freePort())
  }

  get url(): string {
    return `postgres://crm@127.0.0.1:${this.port}/postgres`
  }

  async start(...settings: readonly string[]): Promise<void> {
    const fixed = ['listen_addresses=127.0.0.1', `unix_socket_directories=${this.#folder}`, 'fsync=off']
    const options = [...fixed, ...settings].flatMap((setting) => ['-c', setting])
    // When this process is gone, which closes the pipe, the shell ends the server and removes its folder.
    const script = `"$0" "$@" & server=$!
      trap "kill -INT $server" INT; trap "kill -QUIT $server" QUIT
      (read _; touch gone; kill -QUIT $server) <&3 & watcher=$!
      wait $server; wait $server; kill $watcher
      if [ -e gone ]; then rm -rf "$PWD"; fi`
    const args = [
      '-c',
      script,
      join(this.#programs, 'postgres'),
      '-D',
      join(this.#folder, 'data'),
      '-p',
      `${this.port}`,
    ]
    this.#process = spawn('sh', [...args, ...options], {
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      ...nobody,
    })
    await answers(this.url)
  }

  /** Runs SQL as the owner. */
  async run(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.rows(statement)
  }

  /** Runs a query as the owner. */
  async rows(query: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client(this.url)
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(query)
    await client.end()
    return rows
  }

  /** Writes a file that only the server may read. Returns its path. */
  write(name: string, text: string): string {
    const path = join(this.#folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    if (nobody.uid !== undefined) chownSync(path, nobody.uid, nobody.gid)
    return path
  }

  /** Lets users in by these lines of pg_hba.conf, and the owner. */
  async admit(...lines: readonly string[]): Promise<void> {
    writeFileSync(join(this.#folder, 'data/pg_hba.conf'), [...lines, 'host all crm 127.0.0.1/32 trust', ''].join('\n'))
    await this.run('SELECT pg_reload_conf()')
  }

  /** Stops it fast, or as a crash would. */
  async stop(how: 'fast' | 'crash' = 'fast'): Promise<void> {
    const running = this.#process
    if (running?.exitCode !== null) return
    running.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await once(running, 'exit')
  }
}

/** The URL of a server for the tests of this process; undefined, with a printed reason, when there is none. */
export const postgresUrl = cached(async () => {
  const given = process.env.CRM_SANDBOX_TEST_POSTGRES
  if (given) return given
  const server = await PostgresServer.create()
  await server?.start()
  if (!server) console.log('PostgreSQL is not installed, so its tests are skipped; apt-get install postgresql')
  return server?.url
})

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/** A folder of the user that PostgreSQL runs as, until this process ends. */
function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-pg-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
  return folder
}

async function runIn(folder: string, program: string, ...options: readonly string[]): Promise<void> {
  const running = spawn(program, options, { cwd: folder, stdio: 'ignore', ...nobody })
  const [code] = (await once(running, 'exit')) as [number]
  if (code !== 0) throw new Error(`${program} failed with ${code}`)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** Resolves once the server accepts connections. */
export async function answers(url: string): Promise<void> {
  for (const deadline = performance.now() + longestWait; !(await accepts(url));) {
    if (performance.now() > deadline) throw new Error(`${url} does not accept connections`)
    await sleep(50)
  }
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
