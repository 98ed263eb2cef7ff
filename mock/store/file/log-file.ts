import { dirname } from 'node:path'
import { type Files, type OpenFile, writeWhole } from './files.ts'

/** A file that grows at its end. What could not be made safe is cut off before more is written. */
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

  async append(text: string): Promise<void> {
    if (this.#isTorn) await this.#cut()
    this.#isTorn = true
    const bytes = Buffer.from(text)
    await writeWhole(this.#file, bytes, this.#length)
    await this.#file.sync()
    this.#length += bytes.length
    this.#isTorn = false
  }

  async close(): Promise<void> {
    // When even this fails, what is left was answered with an error, which leaves open whether it happened.
    if (this.#isTorn) await this.#cut().catch(() => undefined)
    await this.#file.close()
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#length)
    await this.#file.sync()
    this.#isTorn = false
  }
}
