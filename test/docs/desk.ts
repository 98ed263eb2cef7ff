import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<string, string> }

/** The command as it is published. */
export const cli = resolve(bin['crm-sandbox'] ?? '')

/** A folder of somebody who has installed the package, and a sandbox that runs there. */
export class Desk implements AsyncDisposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'crm-sandbox-desk-')))
  readonly #running: ChildProcess[] = []

  constructor() {
    const modules = join(this.folder, 'node_modules')
    mkdirSync(join(modules, '@types'), { recursive: true })
    symlinkSync(resolve('.'), join(modules, 'crm-sandbox'))
    for (const name of ['openapi-fetch', '@types/node']) {
      symlinkSync(resolve('node_modules', name), join(modules, name))
    }
    this.write('package.json', '{ "type": "module" }')
    this.write('npx', `#!/bin/sh\n[ "$1" = crm-sandbox ] && shift && exec node ${cli} "$@"\n${runInstalled}`, 0o755)
  }

  write(name: string, text: string, mode = 0o644): string {
    const path = join(this.folder, name)
    writeFileSync(path, text, { mode })
    return path
  }

  /** What a shell prints, with the commands of the package on its path. */
  async sh(script: string): Promise<string> {
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: this.folder, env: this.#env })
    return stdout
  }

  /** Where it listens, once it does. */
  async serve(command: string): Promise<string> {
    const child = spawn('sh', ['-c', `exec ${command}`], { cwd: this.folder, env: this.#env })
    this.#running.push(child)
    let said = ''
    return new Promise((listens, fails) => {
      const hear = (text: Buffer) => {
        said += text.toString()
        const [, url] = /listens .*?(http:\S+)/.exec(said) ?? []
        if (url !== undefined) listens(url)
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('close', () => {
        fails(new Error(`${command}\n${said}`))
      })
    })
  }

  /** Its exit code, when it is asked to stop. */
  async stop(): Promise<number | null> {
    const child = this.#running.pop()
    if (!child) throw new Error('nothing runs')
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    return child.exitCode
  }

  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#running.length > 0) await this.stop()
    rmSync(this.folder, { recursive: true })
  }

  get #env() {
    return { PATH: `${this.folder}:${process.env.PATH ?? ''}`, HOME: this.folder }
  }
}

const runInstalled = `name=$1 && shift && exec ${resolve('node_modules/.bin')}/$name "$@"\n`
