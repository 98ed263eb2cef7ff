import { isUtf8 } from 'node:buffer'
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  EndOfValue,
  isSpace,
  openBrace,
  openBracket,
  quote,
} from './end-of-a-json-value.ts'

/** How deep objects and lists are taken apart. What is deeper, such as a record, is parsed as one text. */
const deepest = 4

/**
 * Parses JSON that comes in pieces, however long all of it is: no text that it makes is longer than one value of the fourth
 * level, whereas a string can hold no more than 512 MiB. Throws when it is not JSON, or not all of it.
 */
export class JsonInPieces {
  #piece: Buffer = Buffer.alloc(0)
  #at = 0
  #isOver = false
  #isByLine = true
  readonly #parsing = this.#document()
  #result = this.#parsing.next()

  add(piece: Buffer): void {
    this.#piece = piece
    this.#at = 0
    this.#result = this.#parsing.next()
  }

  end(): unknown {
    this.#isOver = true
    this.add(Buffer.alloc(0))
    if (!this.#result.done) throw notJson()
    return this.#result.value
  }

  *#document(): Parsing {
    yield* this.#skipByteOrderMark()
    const value = yield* this.#value(0)
    if ((yield* this.#peek()) !== undefined) throw notJson()
    return value
  }

  *#skipByteOrderMark(): Parsing<void> {
    if ((yield* this.#peek()) !== byteOrderMark[0]) return
    for (const byte of byteOrderMark) {
      if ((yield* this.#peek()) !== byte) throw notJson()
      this.#at++
    }
  }

  *#value(depth: number): Parsing {
    const first = yield* this.#peek()
    if (depth < deepest && first === openBrace) return Object.fromEntries(yield* this.#members(depth + 1))
    if (depth < deepest && first === openBracket) return yield* this.#elements(depth + 1)
    return this.#recordOnItsLine() ?? parse(yield* this.#leaf())
  }

  /** In a document as the store writes it, a record ends where its line does, which is found sooner. */
  #recordOnItsLine(): unknown {
    const end = this.#isByLine && this.#piece[this.#at] === openBrace ? this.#piece.indexOf('\n', this.#at) : -1
    if (end < 0) return undefined
    const stop = this.#piece[end - 1] === comma ? end - 1 : end
    try {
      const record = parse(this.#piece.subarray(this.#at, stop))
      this.#at = stop
      return record
    } catch {
      this.#isByLine = false
      return undefined
    }
  }

  *#members(depth: number): Parsing<[string, unknown][]> {
    const members: [string, unknown][] = []
    let isNext = yield* this.#isAnyBefore(closeBrace)
    while (isNext) {
      if ((yield* this.#peek()) !== quote) throw notJson()
      const name = parse(yield* this.#leaf()) as string
      if ((yield* this.#peek()) !== colon) throw notJson()
      this.#at++
      members.push([name, yield* this.#value(depth)])
      isNext = yield* this.#isMoreBefore(closeBrace)
    }
    return members
  }

  *#elements(depth: number): Parsing<unknown[]> {
    const elements: unknown[] = []
    let isNext = yield* this.#isAnyBefore(closeBracket)
    while (isNext) {
      elements.push(yield* this.#value(depth))
      isNext = yield* this.#isMoreBefore(closeBracket)
    }
    return elements
  }

  /** Goes past the opening bracket, and past the closing one if there is nothing between them. */
  *#isAnyBefore(close: number): Parsing<boolean> {
    this.#at++
    if ((yield* this.#peek()) !== close) return true
    this.#at++
    return false
  }

  /** Goes past a comma, or past the closing bracket. */
  *#isMoreBefore(close: number): Parsing<boolean> {
    const next = yield* this.#peek()
    if (next !== comma && next !== close) throw notJson()
    this.#at++
    return next === comma
  }

  /** The byte of the next token; undefined at the end of everything. */
  *#peek(): Parsing<number | undefined> {
    for (;;) {
      for (; this.#at < this.#piece.length; this.#at++) {
        const byte = this.#piece[this.#at] ?? 0
        if (!isSpace(byte)) return byte
      }
      if (this.#isOver) return undefined
      yield
    }
  }

  /** The bytes of one value. Looks only for where it ends. */
  *#leaf(): Parsing<Buffer> {
    const end = new EndOfValue()
    const before: Buffer[] = []
    for (;;) {
      const start = this.#at
      this.#at = end.find(this.#piece, start)
      const part = this.#piece.subarray(start, this.#at)
      if (end.isFound || this.#isOver) return before.length === 0 ? part : Buffer.concat([...before, part])
      before.push(part)
      yield
    }
  }
}

/** Yields when it has come to the end of a piece. */
type Parsing<Result = unknown> = Generator<undefined, Result, undefined>

const byteOrderMark = [0xef, 0xbb, 0xbf]

function parse(leaf: Buffer): unknown {
  if (!isUtf8(leaf)) throw notJson()
  return JSON.parse(leaf.toString())
}

const notJson = () => new SyntaxError('not JSON, or not all of it')
