import { dirname } from 'node:path'
import { type Files, type OpenFile, writeWhole } from './files.ts'

/** A file that is only appended to. What could not be made safe is cut off before more is written. */
export class LogFile {
  readonly #file: OpenFile
  #length = 0
  #isTorn = false

  private constructor(file: OpenFile) {
    this.#file = file
  }

  static async begin(path: string, files: Files): Promise<LogFile> {
    const file = await files.empty(path)
    try {
      await files.syncFolder(dirname(path))
      return new LogFile(file)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** How much of it is safe. */
  get length(): number {
    return this.#length
  }

  async append(bytes: Buffer): Promise<void> {
    if (this.#isTorn) await this.#cut()
    this.#isTorn = true
    await writeWhole((...part) => this.#file.writeSafely(...part), bytes, this.#length)
    this.#length += bytes.length
    this.#isTorn = false
  }

  async close(): Promise<void> {
    // If even this fails, a change may remain that was answered with an error. An error leaves open whether it happened.
    if (this.#isTorn) await this.#cut().catch(() => undefined)
    await this.#file.close()
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#length)
    await this.#file.sync()
    this.#isTorn = false
  }
}
