import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

/** The package as it would be published, and an empty folder to open it in. */
export class Parcel implements Disposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'crm-sandbox-parcel-')))
  readonly tarball: string
  readonly size: number
  readonly files: readonly string[]

  /** The build is not part of it: it has gone before. */
  constructor() {
    const out = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', this.folder], quietly)
    const [packed] = JSON.parse(out.toString()) as [Packed]
    this.tarball = join(this.folder, packed.filename)
    this.size = packed.size
    this.files = packed.files.map(({ path }) => path)
    this.write('package.json', '{ "type": "module", "private": true }')
  }

  /** As it comes out of the tarball, beside what it says that it depends on and nothing else, not even what is optional. */
  unpack(): void {
    const modules = join(this.folder, 'node_modules')
    const own = join(modules, 'crm-sandbox')
    mkdirSync(own, { recursive: true })
    execFileSync('tar', ['-xzf', this.tarball, '-C', own, '--strip-components=1'])
    for (const name of Object.keys(this.manifest.dependencies)) this.borrow(name)
  }

  get manifest(): Manifest {
    return JSON.parse(this.read('package.json')) as Manifest
  }

  /** From what is installed here, for what costs too much to install anew. */
  borrow(name: string): void {
    const path = join(this.folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(resolve('node_modules', name), path)
  }

  /** A file of the package, once it is unpacked or installed. */
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

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true })
  }
}

const quietly = { stdio: 'pipe' } as const
