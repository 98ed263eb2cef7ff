import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(resolve(root, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }

type Versions = Readonly<Record<string, string>>

interface Manifest {
  readonly dependencies: Versions
  readonly optionalDependencies: Versions
  readonly devDependencies: Versions
}

interface Locked {
  readonly hasInstallScript?: boolean
  readonly resolved?: string
  readonly engines?: { readonly node?: string }
  /** A package for some platforms only holds native code. */
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly dependencies?: Versions
  readonly optionalDependencies?: Versions
}

const locked = Object.entries(lock.packages).filter(([path]) => path !== '')

describe('what is installed', () => {
  it('is more than a hundred packages, or this test looks at the wrong file', () => {
    expect(locked.length).toBeGreaterThan(100)
  })

  it('runs no script while it is installed', () => {
    expect(locked.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
  })

  it('names no registry', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })

  it('runs on Node 20', () => {
    const newer = locked.filter(([, { engines }]) => /^>=\s*2[1-9]/.test(engines?.node ?? ''))
    expect(newer.filter(([, { engines }]) => !/\^?20|>=\s*20\b/.test(engines?.node ?? ''))).toEqual([])
  })

  it.each(Object.keys(manifest.dependencies))('is not native where it is required: %s', (name) => {
    expect(nativesOf(name)).toEqual([])
  })

  it.each([
    ['vitest', ['@rolldown/binding', 'fsevents', 'lightningcss']],
    ['pactum', []],
  ] as const)('is native where it is optional only as DEPENDENCIES.md says: %s', (name, natives) => {
    expect(nativesOf(name)).toEqual(natives)
    for (const native of natives) expect(read('DEPENDENCIES.md')).toContain(`\`${native.replace(/^@|\/.*$/g, '')}\``)
  })

  it('is optional for no other package', () => {
    expect(Object.keys(manifest.optionalDependencies).toSorted()).toEqual(['pactum', 'vitest'])
  })
})

const bundled = Object.keys(manifest.devDependencies).filter((name) =>
  new RegExp(`^${name} \\d`, 'm').test(read('dist/bundle/LICENSES.txt')),
)

it.each(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).concat(bundled))(
  '%s is justified in DEPENDENCIES.md',
  (name) => {
    expect(read('DEPENDENCIES.md')).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm'))
  },
)

it('knows what is bundled', () => {
  expect(bundled).toContain('fastify')
  expect(bundled).not.toContain('rolldown')
})

/** The native packages that come with a package, without the names of the platforms. */
function nativesOf(name: string): string[] {
  const natives = [...withAllIts(`node_modules/${name}`)].filter((path) => {
    const { os, cpu } = lock.packages[path] ?? {}
    return os ?? cpu
  })
  const plain = natives.map((path) => path.replace(/^.*node_modules\//, '').replace(platforms, ''))
  return [...new Set(plain)].toSorted()
}

const platforms = /-(?:android|darwin|freebsd|linux|openharmony|wasm32|win32)-.*$/

function withAllIts(path: string, seen = new Set<string>()): Set<string> {
  const { dependencies = {}, optionalDependencies = {} } = lock.packages[path] ?? {}
  if (seen.has(path)) return seen
  seen.add(path)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) withAllIts(placeOf(name, path), seen)
  return seen
}

/** Where a package finds another: beside itself, or further up. */
function placeOf(name: string, from: string): string {
  const inside = `${from}/node_modules/${name}`
  if (inside in lock.packages || from === '') return inside.replace(/^\//, '')
  return placeOf(name, from.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, ''))
}
