import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonInPieces } from '../../mock/store/file/json-in-pieces.ts'

const jsonText = fc
  .tuple(fc.jsonValue({ maxDepth: 7, stringUnit: 'binary' }), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent))

const pieceSize = fc.integer({ min: 1, max: 40 })

it('makes the value that JSON.parse makes, however the text is cut', () => {
  const property = fc.property(jsonText, pieceSize, (text, size) => {
    expect(JSON.stringify(inPieces(Buffer.from(text), size))).toBe(JSON.stringify(JSON.parse(text)))
  })
  fc.assert(property, { numRuns: 2000 })
})

it('takes what JSON.parse takes, and refuses what it refuses', () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  const other = fc.constantFrom(...'{}[]",:\\ \n019-.eEtfnul\u0000'.split(''), '')
  const property = fc.property(jsonText, place, other, pieceSize, (text, where, by, size) => {
    const at = Math.floor(where * text.length)
    const changed = text.slice(0, at) + by + text.slice(at + 1)
    expect(resultOf(() => inPieces(Buffer.from(changed), size))).toBe(
      resultOf(() => JSON.parse(Buffer.from(changed).toString())),
    )
  })
  fc.assert(property, { numRuns: 5000 })
})

it.each([
  ['a byte that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['two values', Buffer.from('{} {}')],
  ['nothing', Buffer.from('  \n')],
  ['a list without its end', Buffer.from('{"teams":[{"contacts":[{"_id":"ada"}')],
])('refuses %s', (_, bytes) => {
  for (const size of [1, 3, 100]) expect(() => inPieces(bytes, size)).toThrow(SyntaxError)
})

it('takes a byte order mark at the start, as an editor may leave it', () => {
  for (const size of [1, 2, 100]) expect(inPieces(Buffer.from('\uFEFF{"teams":[]}'), size)).toEqual({ teams: [] })
})

it('keeps a field that is called __proto__ a field', () => {
  const value = inPieces(Buffer.from('{"__proto__":{"polluted":1}}'), 5) as object
  expect(Object.keys(value)).toEqual(['__proto__'])
  expect('polluted' in value).toBe(false)
})

function inPieces(bytes: Buffer, size: number): unknown {
  const json = new JsonInPieces()
  for (let at = 0; at < bytes.length; at += size) json.add(bytes.subarray(at, at + size))
  return json.end()
}

function resultOf(parse: () => unknown): string {
  try {
    return JSON.stringify(parse())
  } catch (error) {
    return (error as Error).name
  }
}
