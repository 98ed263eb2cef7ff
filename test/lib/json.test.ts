import { assert, jsonValue, property } from 'fast-check'
import { expect, it } from 'vitest'
import { exceededLimit } from '../../lib/json.ts'

const none = { fields: Infinity, values: Infinity, levels: Infinity }

/** The size of a value. An empty object or list counts as if it held a value. */
function sizeOf(value: unknown): { fields: number; values: number; levels: number } {
  if (typeof value !== 'object' || value === null) return { fields: 0, values: 0, levels: 0 }
  const members = Object.values(value)
  const sizes = members.map(sizeOf)
  const sum = (of: 'fields' | 'values') => sizes.reduce((total, size) => total + size[of], 0)
  return {
    fields: sum('fields') + (Array.isArray(value) ? 0 : members.length),
    values: sum('values') + Math.max(1, members.length),
    levels: 1 + Math.max(0, ...sizes.map(({ levels }) => levels)),
  }
}

it.each(['fields', 'values', 'levels'] as const)('counts the %s of any JSON, in any layout', (what) => {
  assert(
    property(jsonValue(), (value) => {
      const size = sizeOf(JSON.parse(JSON.stringify(value)))[what]
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, '\t')]) {
        expect(exceededLimit(text, { ...none, [what]: size })).toBeUndefined()
        if (size > 0) expect(exceededLimit(text, { ...none, [what]: size - 1 })).toBe(what)
      }
    }),
  )
})

it.each([
  ['quotes', '"\\"[{,:"'],
  ['backslashes before the end', '["\\\\",["\\\\\\""]]'],
  ['no end', '"{[,:'],
  ['an escape at the end', '"\\"\\'],
])('reads a string with %s as a string', (_, text) => {
  expect(exceededLimit(text, { fields: 0, values: 3, levels: 2 })).toBeUndefined()
})
