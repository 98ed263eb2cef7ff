import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')
const manifest = JSON.parse(read('package.json')) as Record<'dependencies' | 'optionalDependencies', object>
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }

interface Locked {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly hasInstallScript?: boolean
  readonly resolved?: string
  readonly engines?: { readonly node?: string }
  /** Only packages with native code name these. */
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly optional?: boolean
}

const locked = Object.entries(lock.packages).filter(([path]) => path !== '')
const required = locked.filter(([, { dev, devOptional, optional }]) => !dev && !devOptional && !optional)

it('locks packages that run no script, name no registry and support Node 20', () => {
  expect(locked.length).toBeGreaterThan(100)
  const scripted = locked.filter(([, { hasInstallScript, resolved }]) => hasInstallScript ?? resolved)
  // VitePress builds with esbuild. The install script of esbuild only makes its start faster, so npm may block it.
  expect(scripted.map(([path]) => path)).toEqual(['node_modules/vitepress/node_modules/esbuild'])
  const newer = locked.filter(([, { engines }]) => /^>=\s*2[1-9]/.test(engines?.node ?? ''))
  expect(newer.filter(([, { engines }]) => !/\^?20|>=\s*20\b/.test(engines?.node ?? ''))).toEqual([])
})

it('requires no native package', () => {
  expect(required.map(([path]) => path)).toContain('node_modules/fastify')
  expect(required.filter(([, { os, cpu }]) => os ?? cpu)).toEqual([])
})

it.each(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))(
  'explains %s in DEPENDENCIES.md',
  (name) => {
    expect(read('DEPENDENCIES.md')).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm'))
  },
)
