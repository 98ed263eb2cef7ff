import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { isObject } from '../../lib/json.ts'

/** The bytes of a text that is written in parts, since there may be a hundred records of a megabyte. */
export type LongText = AsyncIterable<Buffer>

/** The length of each part, unless one record is longer. */
const partLength = 32 * 1024
/** A part is shorter when it took so many milliseconds: the text of an item may be made, and redacted, when it is written. */
const longestWork = 10

/** As `JSON.stringify`, but a longer text is made while it is read, and others run between its parts. */
export function toJson(value: object, longestWhole = 2 * partLength): string | LongText {
  const pieces = piecesOf(value)
  const parts: string[] = []
  for (let length = 0; length < longestWhole;) {
    const [text, isLast] = nextPart(pieces)
    parts.push(text)
    if (isLast) return parts.join('')
    length += text.length
  }
  return inParts(parts.map(asBytes), pieces)
}

const asBytes = (text: string) => Buffer.from(text)

/** Makes each part once the one before is sent, so that a client that does not read takes the memory of one part. */
export const streamOf = (text: LongText): Readable => Readable.from(text, { highWaterMark: 0 })

async function* inParts(made: Buffer[], pieces: Iterator<string>): LongText {
  for (let part = made.shift(); part; part = made.shift()) {
    yield part
    await setImmediate()
  }
  for (let isWhole = false; !isWhole;) {
    const [text, isLast] = nextPart(pieces)
    isWhole = isLast
    yield asBytes(text)
    await setImmediate()
  }
}

function nextPart(pieces: Iterator<string>): [text: string, isLast: boolean] {
  let text = ''
  const end = performance.now() + longestWork
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    text += next.value
    if (text.length >= partLength || performance.now() > end) return [text, false]
  }
  return [text, true]
}

/** The text, cut between the items of its lists of objects, and within the long texts of an object. */
function* piecesOf(value: unknown): Generator<string> {
  if (isLongText(value)) yield* piecesOfText(value)
  else if (isListOfObjects(value)) yield* piecesOfList(value)
  else if (isObject(value) && hasLong(value)) yield* piecesOfObject(value)
  else yield JSON.stringify(value)
}

function* piecesOfText(text: string): Generator<string> {
  yield '"'
  for (let from = 0; from < text.length; from += partLength)
    yield JSON.stringify(text.slice(from, from + partLength)).slice(1, -1)
  yield '"'
}

function* piecesOfList(list: readonly object[]): Generator<string> {
  let before = '['
  for (const item of list) {
    yield before
    yield* piecesOf(item)
    before = ','
  }
  yield ']'
}

function* piecesOfObject(value: object): Generator<string> {
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* piecesOf(member)
    before = ','
  }
  yield '}'
}

/** Without a closure or a list of values, since it reads every member of every record. */
function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > partLength
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) ? isListOfObjects(value) : hasLong(value)
}

function hasLong(value: object): boolean {
  for (const name in value) if (isLong(value[name as keyof typeof value])) return true
  return false
}

const isLongText = (value: unknown): value is string => typeof value === 'string' && value.length > partLength

/** Lists hold values of one kind. */
const isListOfObjects = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null
