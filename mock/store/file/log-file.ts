import { dirname } from 'node:path'
import { type Files, type OpenFile, writeWhole } from './files.ts'
import type { Happened } from './happened.ts'
import { headLine, markLine, newLogId } from './log-head.ts'
import { type Line, lineOf } from './log-line.ts'
import { linesOf } from './turn-lines.ts'

/** How far a log is written. */
export interface Written {
  readonly id: string
  /** Where it goes on. What is after that was not answered. */
  readonly length: number
  /** Of its last line. */
  readonly checksum: string
  /** Where its mark is. */
  readonly markAt: number | undefined
}

/** A file that is appended to. What could not be made safe is cut off before more is written. */
export class LogFile {
  readonly id: string
  readonly path: string
  readonly #file: OpenFile
  readonly #lineSize: number
  readonly #markAt: number | undefined
  #length: number
  #checksum: string
  #isTorn = false

  private constructor(path: string, file: OpenFile, { id, length, checksum, markAt }: Written, lineSize: number) {
    this.id = id
    this.path = path
    this.#file = file
    this.#length = length
    this.#checksum = checksum
    this.#markAt = markAt
    this.#lineSize = lineSize
  }

  /** A new log is known to be there before anything is written to it. */
  static async begin(path: string, turns: number, files: Files, lineSize: number): Promise<LogFile> {
    const id = newLogId()
    const { bytes: head, checksum } = headLine({ log: id, turns })
    const bytes = Buffer.concat([head, markLine({ answered: turns })])
    await files.remove(path)
    const file = await files.create(path)
    try {
      await writeWhole((...part) => file.write(...part), bytes, 0)
      await file.sync()
    } finally {
      await file.close()
    }
    await files.syncFolder(dirname(path))
    const written = { id, length: bytes.length, checksum, markAt: head.length }
    return new LogFile(path, await files.reopen(path), written, lineSize)
  }

  static async goOn(path: string, written: Written, files: Files, lineSize: number): Promise<LogFile> {
    const log = new LogFile(path, await files.reopen(path), written, lineSize)
    try {
      await log.#cut()
      return log
    } catch (error) {
      await log.#file.close()
      throw error
    }
  }

  /** How much of it is safe. */
  get length(): number {
    return this.#length
  }

  async append(all: readonly Happened[], turns: number): Promise<void> {
    await this.#write(linesOf(all, { turn: turns + 1, after: this.#checksum }, this.#lineSize))
    if (this.#markAt === undefined) return
    const mark = markLine({ answered: turns + all.length })
    // One that fails is like one that a crash has lost.
    await writeWhole((...part) => this.#file.write(...part), mark, this.#markAt).catch(() => undefined)
  }

  /** Says that everything from here on is in another log. */
  async goOnIn({ id }: LogFile, turns: number): Promise<void> {
    await this.#write([lineOf(`"after":"${this.#checksum}","turn":${turns + 1},"goesOnIn":"${id}"}`)])
  }

  async close(): Promise<void> {
    // If even this fails, a change may remain that was answered with an error. An error leaves open whether it happened.
    if (this.#isTorn) await this.#cut().catch(() => undefined)
    await this.#file.close()
  }

  async #write(lines: Iterable<Line>): Promise<void> {
    if (this.#isTorn) await this.#cut()
    this.#isTorn = true
    let length = this.#length
    let last = this.#checksum
    for (const { bytes, checksum } of lines) {
      await writeWhole((...part) => this.#file.writeSafely(...part), bytes, length)
      length += bytes.length
      last = checksum
    }
    this.#length = length
    this.#checksum = last
    this.#isTorn = false
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#length)
    await this.#file.sync()
    this.#isTorn = false
  }
}
