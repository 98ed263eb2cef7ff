import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Adapter } from 'lowdb'
import { type Document, slicesOf } from './document.ts'
import { type Files, type OpenFile, writeWhole } from './files.ts'
import { documentFrom } from './reading-a-document.ts'

const syncedAtOnce = 4 * 1024 * 1024

/**
 * A lowdb adapter that takes the place of lowdb's own, which answers before a write is safe: it writes beside the
 * document and puts the new one in its place once it is whole, so that there is always one that can be read.
 */
export class DocumentFile implements Adapter<Document> {
  readonly path: string
  readonly #files: Files
  #length = 0

  constructor(path: string, files: Files) {
    this.path = path
    this.#files = files
  }

  /** Of the document that was read or written last. */
  get length(): number {
    return this.#length
  }

  async read(): Promise<Document | null> {
    const bytes = await this.#files.read(this.path)
    if (!bytes) return null
    this.#length = bytes.length
    return await documentFrom(bytes, this.path)
  }

  async write(document: Document): Promise<void> {
    const beside = `${this.path}.tmp`
    await this.#files.remove(beside)
    try {
      const length = await this.#writeTo(beside, document)
      await this.#files.rename(beside, this.path)
      await this.#files.syncFolder(dirname(this.path))
      this.#length = length
    } catch (error) {
      await this.#files.remove(beside).catch(() => undefined)
      throw error
    }
  }

  async #writeTo(path: string, document: Document): Promise<number> {
    const file = await this.#files.create(path)
    try {
      return await writeSlices(file, document)
    } finally {
      await file.close()
    }
  }
}

/** Synced piece by piece, so that the log does not wait for all of it at once. */
async function writeSlices(file: OpenFile, document: Document): Promise<number> {
  let length = 0
  let synced = 0
  for (const slice of slicesOf(document)) {
    await writeWhole(file, slice, length)
    length += slice.length
    if (length - synced >= syncedAtOnce) {
      await file.sync()
      synced = length
    }
    await setImmediate()
  }
  await file.sync()
  return length
}
