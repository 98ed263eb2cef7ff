import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { promises } from '../../spec/promises.ts'

const mock = resolve(import.meta.dirname, '../../mock')
const files = readdirSync(mock, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const known = new Set<string>(promises.map(({ id }) => id))

/** The promises in comments such as `promise contact.deletedWithItsData, contact.gone: …`. */
const named = files.flatMap((file) => {
  const text = readFileSync(join(mock, file), 'utf8')
  const lists = [...text.matchAll(/promises? ((?:[a-z]+\.[a-zA-Z0-9]+(?:, | and )?)+)/g)].map(([, ids = '']) => ids)
  return lists.flatMap((ids) => ids.split(/, | and /).map((id) => ({ file, id })))
})

it('names at least thirty promises in the rules of the mock', () => {
  expect(named.length).toBeGreaterThan(30)
})

it('names only promises that exist', () => {
  expect(named.filter(({ id }) => id !== '' && !known.has(id))).toEqual([])
})
