import type { Files } from './files.ts'
import type { KeptWorld } from './kept-world.ts'
import { type LineOnFile, linesOfFile } from './lines-of-a-file.ts'
import type { Written } from './log-file.ts'
import { isHead, isMark, type Mark } from './log-head.ts'
import { fieldsOf } from './log-line.ts'
import type { Part, TurnLine } from './turn-lines.ts'
import { UnusableFile } from './unusable-file.ts'

/** What was read from a log. */
export interface ReadLog extends Written {
  /** The log that goes on from its end. */
  readonly goesOnIn: string | undefined
}

/** The last line of a log that another one follows. */
interface LastLine {
  readonly after: string
  readonly turn: number
  readonly goesOnIn: string
}

/** Reads a log, line after line, and applies it to the world. */
export class LogReader {
  readonly #path: string
  readonly #id: string | undefined
  readonly #kept: KeptWorld
  #number = 0
  #parts: Part[] = []
  /** The checksum of the line before. */
  #after = ''
  /** The checksum of the last line that ends with a whole turn. */
  #checksum = ''
  #length = 0
  #markAt: number | undefined
  #answered = 0
  #goesOnIn: string | undefined

  /** The id is the one that the log must have. */
  constructor(path: string, id: string | undefined, kept: KeptWorld) {
    this.#path = path
    this.#id = id
    this.#kept = kept
  }

  async read(files: Files, pieceSize: number): Promise<ReadLog> {
    const file = await files.open(this.#path)
    try {
      if (file) for await (const line of linesOfFile(file, pieceSize)) this.#take(line)
    } catch (error) {
      throw error instanceof RangeError ? this.#damaged(error.message) : error
    } finally {
      await file?.close()
    }
    return this.#end()
  }

  #take(line: LineOnFile): void {
    this.#number++
    if (this.#number === 1) this.#takeHead(line)
    else if (this.#number === 2 && isMark(line.bytes)) this.#takeMark(line)
    else if (line.isWhole) this.#takeTurns(line)
  }

  #takeHead(line: LineOnFile): void {
    const read = line.isWhole ? fieldsOf(line.bytes) : undefined
    if (!read || !isHead(read.fields)) throw this.#headless('does not begin with its first line')
    const { log, turns } = read.fields
    if (log !== this.#id || turns !== this.#kept.turns) throw this.#headless('is the log of another document')
    this.#after = this.#checksum = read.checksum
    this.#length = line.end
  }

  /** One that cannot be read is no loss: a power loss may have left it half written. */
  #takeMark({ bytes, end }: LineOnFile): void {
    this.#markAt = this.#length
    this.#length = end
    this.#answered = (fieldsOf(bytes)?.fields as Mark | undefined)?.answered ?? 0
  }

  #takeTurns({ bytes, end }: LineOnFile): void {
    const { checksum, fields } = fieldsOf(bytes) ?? this.#refuse('its checksum does not match')
    const line = fields as TurnLine | LastLine
    const turn = this.#kept.turns + 1
    if (this.#goesOnIn !== undefined) this.#refuse('it comes after the last one')
    if (line.turn !== turn) this.#refuse(`it is turn ${line.turn} where turn ${turn} should be`)
    if (line.after !== this.#after) this.#refuse('it does not follow the line before it')
    this.#after = checksum
    if ('goesOnIn' in line) this.#goesOnIn = line.goesOnIn
    else this.#apply(line.happened)
    if (this.#parts.length > 0) return
    this.#length = end
    this.#checksum = checksum
  }

  #apply(parts: readonly Part[]): void {
    try {
      for (const part of parts) {
        this.#parts.push(part)
        if (part.more) continue
        this.#kept.apply(this.#parts)
        this.#parts = []
      }
    } catch (error) {
      this.#refuse((error as Error).message)
    }
  }

  #end(): ReadLog {
    if (this.#number === 0) throw this.#headless('is empty')
    const { turns } = this.#kept
    if (this.#answered > turns) {
      throw new UnusableFile(
        this.#path,
        `lacks what was answered after turn ${turns}: it went on to turn ${this.#answered} at least`,
        'restore a backup, or delete its second line to go on without that',
      )
    }
    const written = { length: this.#length, checksum: this.#checksum, markAt: this.#markAt }
    return { id: this.#id ?? '', ...written, goesOnIn: this.#goesOnIn }
  }

  #refuse(reason: string): never {
    throw this.#damaged(reason)
  }

  #damaged(reason: string): UnusableFile {
    return new UnusableFile(
      this.#path,
      `is damaged in line ${this.#number} (${reason})`,
      `restore a backup, or delete its second line and everything from line ${this.#number} on to go on without that`,
    )
  }

  #headless(reason: string): UnusableFile {
    return new UnusableFile(
      this.#path,
      `${reason}, so what was answered after turn ${this.#kept.turns} is missing`,
      'restore a backup, or delete this log, and set closed to true and the checksum to null in the document, to go on without that',
    )
  }
}
