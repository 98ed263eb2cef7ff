import { describe, expect, it } from 'vitest'
import type { Index } from '../../../mock/store/indexes.ts'
import { MemoryIndex } from '../../../mock/store/memory/memory-index.ts'

interface Company {
  readonly name: string
  readonly contacts: readonly string[]
}

const many = Array.from({ length: 2_000 }, (_, at) => `contact ${at}`)

describe('a move of a record with thousands of values', () => {
  it('reads none of them when they did not change', () => {
    const { index, work } = counted()
    const filed = { place: 1, record: { name: 'Acme', contacts: many } }
    index.add(filed)
    work.read = 0
    index.move(filed, { name: 'Globex', contacts: many })
    expect(work.read).toBe(0)
  })

  it('reads each of them a few times when some did', () => {
    const { index, work } = counted()
    const filed = { place: 1, record: { name: 'Acme', contacts: many } }
    index.add(filed)
    work.read = 0
    index.move(filed, { name: 'Acme', contacts: [...many.slice(1), 'another'] })
    expect(work.read).toBeLessThan(10 * many.length)
    expect([index.first('contact 0'), index.first('contact 1'), index.first('another')]).toEqual([
      undefined,
      filed,
      filed,
    ])
  })
})

/** An index that counts how often one of its values is read. */
function counted() {
  const work = { read: 0 }
  const watched = (values: readonly string[]) =>
    new Proxy(values, {
      get(target, name) {
        work.read++
        return Reflect.get(target, name) as unknown
      },
    })
  const declared: Index<Company> = { fields: ['contacts'], valuesOf: ({ contacts }) => watched(contacts) }
  return { index: new MemoryIndex(declared), work }
}
