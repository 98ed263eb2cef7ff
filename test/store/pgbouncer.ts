import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { answers, freePort, nobody } from './postgres.ts'

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
