import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { once as cached } from '../../lib/async.ts'
import { untilItListens } from './docs-runner.ts'

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** Packs the current build, once in a process; it does not build. */
const pack = cached(() => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-packed-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const out = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], quietly)
  const [packed] = JSON.parse(out.toString()) as [Packed]
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) }
})

const quietly = { stdio: 'pipe' } as const

/** The package as `npm publish` would pack it, and an empty folder to unpack it in. */
export class PackedPackage implements Disposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'crm-sandbox-installed-')))
  readonly tarball = pack().tarball
  readonly files: readonly string[] = pack().files

  constructor() {
    this.write('package.json', '{ "type": "module", "private": true }')
  }

  /** Unpacks the tarball beside its required dependencies alone: nothing optional, nothing else. */
  unpack(): void {
    const modules = join(this.folder, 'node_modules')
    const own = join(modules, 'crm-sandbox')
    mkdirSync(own, { recursive: true })
    execFileSync('tar', ['-xzf', this.tarball, '-C', own, '--strip-components=1'])
    for (const name of Object.keys(this.manifest.dependencies)) this.borrow(name)
  }

  /** Installs the tarball with npm, from its cache where it can. */
  install(...more: readonly string[]): void {
    this.run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', this.tarball, ...more)
  }

  get manifest(): Manifest {
    return JSON.parse(this.read('package.json')) as Manifest
  }

  /** Links a package that is installed here, which is faster than installing it. */
  borrow(name: string): void {
    const path = join(this.folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(resolve('node_modules', name), path)
  }

  /** Reads a file of the unpacked or installed package. */
  read(file: string): string {
    return readFileSync(join(this.folder, 'node_modules/crm-sandbox', file), 'utf8')
  }

  write(name: string, text: string): string {
    const path = join(this.folder, name)
    writeFileSync(path, text)
    return path
  }

  run(command: string, ...args: string[]): string {
    return execFileSync(command, args, { ...quietly, cwd: this.folder }).toString()
  }

  /** Starts a sandbox by a command in the folder of the package, and waits until it listens. */
  async serve(command: string, ...args: string[]): Promise<AsyncDisposable & { readonly url: string }> {
    const child = spawn(command, [...args, 'serve', '--port', '0'], { cwd: this.folder, detached: true })
    const { url } = await untilItListens(child)
    return {
      url,
      async [Symbol.asyncDispose]() {
        if (child.pid !== undefined) process.kill(-child.pid) // the process group: npx starts the server as a child
        await once(child, 'close')
      },
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true })
  }
}
