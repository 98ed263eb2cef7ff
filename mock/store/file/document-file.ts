import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Adapter } from 'lowdb'
import { type Document, slicesOf } from './document.ts'
import { type Files, type OpenFile, writeWhole } from './files.ts'
import { documentFrom } from './reading-a-document.ts'

const syncedAtOnce = 4 * 1024 * 1024

/**
 * A lowdb adapter, since lowdb's own answers before a write is safe. It writes beside the document and replaces it once
 * the new one is whole, so that there is always one that can be read.
 */
export class DocumentFile implements Adapter<Document> {
  readonly path: string
  readonly #files: Files
  #length = 0

  constructor(path: string, files: Files) {
    this.path = path
    this.#files = files
  }

  /** The length of the document that was read or written last. */
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

/** Syncs piece by piece, so that the log never waits for all of it. */
async function writeSlices(file: OpenFile, document: Document): Promise<number> {
  let length = 0
  let synced = 0
  for (const slice of slicesOf(document)) {
    await writeWhole((...part) => file.write(...part), slice, length)
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
