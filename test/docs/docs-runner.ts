import { execFile, spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<string, string> }

/** The published command. */
export const cli = resolve(bin['crm-sandbox'] ?? '')
if (!existsSync(cli)) throw new Error(`${cli} is not built: run \`npm run build\` first, as \`npm test\` does.`)

/** A project folder with the package installed, to run the examples of the documentation in. */
export class DocsRunner implements AsyncDisposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'crm-sandbox-runner-')))
  readonly #running: ChildProcess[] = []

  constructor() {
    this.link('crm-sandbox', resolve('.'))
    this.link('.bin/crm-sandbox', cli)
    for (const name of ['openapi-fetch', 'vitest', '@types/node']) this.link(name, resolve('node_modules', name))
    this.write('package.json', '{ "type": "module" }')
    this.write(
      'npx',
      `#!/bin/sh\n[ "$1" = crm-sandbox ] && shift && exec node ${quoted(cli)} "$@"\n${runInstalled}`,
      0o755,
    )
  }

  /** Links a package, which is faster than installing it. */
  link(name: string, target: string): void {
    const path = join(this.folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path)
  }

  write(name: string, text: string, mode = 0o644): string {
    const path = join(this.folder, name)
    writeFileSync(path, text, { mode })
    return path
  }

  /** Runs a shell script, with our `npx` on its path, and returns its output. */
  async sh(script: string): Promise<string> {
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: this.folder, env: this.#env })
    return stdout
  }

  /** Compiles TypeScript files in place, with strict settings. */
  async compile(sources: readonly string[]): Promise<void> {
    await this.sh(`${tsc} --outDir ${quoted(this.folder)} ${sources.map(quoted).join(' ')} 1>&2`)
  }

  /** Starts a server, and returns its URL when it listens. */
  async serve(command: string): Promise<string> {
    const child = spawn('sh', ['-c', `exec env ${command}`], { cwd: this.folder, env: this.#env })
    this.#running.push(child)
    const { url } = await untilItListens(child)
    return url
  }

  /** Stops the server started last, and returns its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#running.pop()
    if (!child) throw new Error('No server is running')
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

/** Waits until a server prints its URL. */
export function untilItListens(child: ChildProcessWithoutNullStreams): Promise<{ url: string; output: string }> {
  let output = ''
  return new Promise((resolve, reject) => {
    const collect = (text: Buffer) => {
      output += text.toString()
      const [, url] = /listens .*?(http:\S+)/.exec(output) ?? []
      if (url !== undefined) resolve({ url, output })
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('close', () => reject(new Error(`${child.spawnargs.join(' ')}\n${output}`)))
  })
}

/** As one word of a shell. */
export const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`

const tsc =
  `${quoted(resolve('node_modules/.bin/tsc'))} --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck --target es2022` +
  ' --lib es2023,esnext.disposable,dom --module nodenext --types node'

const runInstalled = `name=$1 && shift && exec ${quoted(resolve('node_modules/.bin'))}/$name "$@"\n`
