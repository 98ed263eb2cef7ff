import { constants } from 'node:buffer'
import { type FileToRead, piecesOf } from './files.ts'

export interface LineOnFile {
  /** Without its end. */
  readonly bytes: Buffer
  /** Where it ends in the file. */
  readonly end: number
  /** False for bytes at the end of the file that no end of a line follows. */
  readonly isWhole: boolean
}

const newline = 0x0a

/** The lines of a file, read in pieces. Throws a RangeError for a line that no string can hold. */
export async function* linesOfFile(file: FileToRead, pieceSize: number): AsyncGenerator<LineOnFile> {
  let before: Buffer[] = []
  let length = 0
  let end = 0
  for await (const piece of piecesOf(file, pieceSize)) {
    let from = 0
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, from)) {
      const bytes = Buffer.concat([...before, piece.subarray(from, at)])
      end += bytes.length + 1
      yield { bytes, end, isWhole: true }
      before = []
      length = 0
      from = at + 1
    }
    before.push(piece.subarray(from))
    length += piece.length - from
    if (length > constants.MAX_STRING_LENGTH) throw new RangeError('it is longer than any that was written')
  }
  if (length > 0) yield { bytes: Buffer.concat(before), end: end + length, isWhole: false }
}
