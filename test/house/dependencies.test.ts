import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(resolve(root, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
  readonly resolved?: string
  readonly engines?: { readonly node?: string }
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

  it.each(Object.keys(manifest.dependencies))('%s is justified in DEPENDENCIES.md', (name) => {
    expect(read('DEPENDENCIES.md')).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm'))
  })
})
