import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { once as cached } from '../../shared/once.ts'
import { sleep } from '../../client/sleep.ts'

/** PostgreSQL refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

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
    const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-pg-'))
    process.on('exit', () => {
      rmSync(folder, { recursive: true, force: true })
    })
    if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
    const options = ['-D', join(folder, 'data'), '-U', 'crm', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
    const making = spawn(join(programs, 'initdb'), options, { cwd: folder, stdio: 'ignore', ...nobody })
    const [code] = (await once(making, 'exit')) as [number]
    if (code !== 0) throw new Error(`initdb failed with ${code}`)
    return new PostgresServer(programs, folder, await freePort())
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
    for (let tries = 200; !(await answers(this.url)); tries--) {
      if (tries === 0) throw new Error('PostgreSQL does not start')
      await sleep(50)
    }
  }

  /** Runs SQL as the owner. */
  async run(...statements: readonly string[]): Promise<void> {
    const client = new pg.Client(this.url)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function answers(url: string): Promise<boolean> {
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
