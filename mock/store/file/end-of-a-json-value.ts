export const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
export const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
export const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Finds where a value ends that begins in one piece and may end in another. */
export class EndOfValue {
  isFound = false
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isScalar: boolean | undefined

  /** Where the value ends, or where the piece does. One loop over local variables, since it sees every byte. */
  find(piece: Buffer, from: number): number {
    this.#isScalar ??= from < piece.length ? !begins(piece[from]) : undefined
    if (this.#isScalar) return this.#findAfterScalar(piece, from)
    let [depth, isInString, isEscaped] = [this.#depth, this.#isInString, this.#isEscaped]
    let at = from
    while (at < piece.length && !this.isFound) {
      const byte = piece[at++]
      if (isEscaped) isEscaped = false
      else if (isInString) {
        if (byte === backslash) isEscaped = true
        else if (byte === quote) {
          isInString = false
          this.isFound = depth === 0
        }
      } else if (byte === quote) isInString = true
      else if (byte === openBrace || byte === openBracket) depth++
      else if (byte === closeBrace || byte === closeBracket) this.isFound = --depth === 0
    }
    ;[this.#depth, this.#isInString, this.#isEscaped] = [depth, isInString, isEscaped]
    return at
  }

  /** A number, true, false or null ends before what comes next. */
  #findAfterScalar(piece: Buffer, from: number): number {
    const end = piece.subarray(from).findIndex(endsScalar)
    this.isFound = end >= 0
    return this.isFound ? from + end : piece.length
  }
}

const begins = (byte = 0) => byte === quote || byte === openBrace || byte === openBracket
const endsScalar = (byte: number) => byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)
