import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type PromiseGroup, promises } from '../../spec/promises.ts'

const contracts = resolve(import.meta.dirname, '../../contracts')
const files = readdirSync(contracts).filter((file) => file.endsWith('.contract.ts'))
const checks = files.flatMap((file) =>
  [...readFileSync(join(contracts, file), 'utf8').matchAll(/^keeps\(\s*'([^']+)'/gm)].map(([, id = '']) => ({
    file,
    id,
  })),
)

/** Groups whose checks are still to be written. */
const unwritten: readonly PromiseGroup[] = [
  'envelope',
  'access',
  'errors',
  'conversations',
  'messages',
  'templates',
  'companies',
  'products',
  'deals',
  'quotes',
]

/** Where the checks of a group stand. */
const fileOf = (group: PromiseGroup) => `${group === 'errors' ? 'envelope' : group}.contract.ts`

describe('The contracts', () => {
  it.each(promises.filter(({ group }) => !unwritten.includes(group)))('hold a server to $id, once', ({ id, group }) => {
    expect(checks.filter((check) => check.id === id)).toEqual([{ file: fileOf(group), id }])
  })

  it('hold it to nothing else', () => {
    const ids: readonly string[] = promises.map(({ id }) => id)
    expect(checks.filter(({ id }) => !ids.includes(id))).toEqual([])
  })

  it('are still to be written only where none is', () => {
    const groups = new Set(checks.map(({ file }) => file))
    expect(unwritten.filter((group) => groups.has(fileOf(group)))).toEqual([])
  })

  it('write each check so that this test can see it', () => {
    const calls = files.flatMap((file) => readFileSync(join(contracts, file), 'utf8').match(/\bkeeps\(/g) ?? [])
    expect(calls.length).toBe(checks.length)
  })
})
