import { basename, dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Adapter } from 'lowdb'
import { type Document, slicesOf } from './document.ts'
import { type Files, type OpenFile, writeWhole } from './files.ts'
import { readDocument } from './reading-a-document.ts'
import type { Say } from './trouble.ts'

const syncedAtOnce = 4 * 1024 * 1024

/**
 * A lowdb adapter, since lowdb's own answers before a write is safe. It writes beside the document and replaces it once
 * the new one is whole, so that there is always one that can be read.
 */
export class DocumentFile implements Adapter<Document> {
  readonly path: string
  readonly #files: Files
  readonly #pieceSize: number
  readonly #say: Say
  #length = 0
  /** The stamps of the document that was read or written last, and of the one that is about to replace it. */
  #own: readonly (string | undefined)[] = []

  constructor(path: string, { files, pieceSize, say }: Means) {
    this.path = path
    this.#files = files
    this.#pieceSize = pieceSize
    this.#say = say
  }

  /** The length of the document that was read or written last. */
  get length(): number {
    return this.#length
  }

  async read(): Promise<Document | null> {
    const file = await this.#files.open(this.path)
    if (!file) return null
    this.#own = [file.stamp]
    try {
      const { document, length } = await readDocument(file, this.path, this.#pieceSize)
      this.#length = length
      return document
    } finally {
      await file.close()
    }
  }

  /** Lets the next write replace what is there, whatever it holds. */
  async takeOver(): Promise<void> {
    this.#own = [await this.#files.stampOf(this.path)]
  }

  async write(document: Document): Promise<void> {
    const beside = `${this.path}.tmp`
    await this.#files.remove(beside)
    try {
      const length = await this.#writeTo(beside, document)
      await this.#keepChanged(await this.#files.stampOf(beside))
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

  /** Keeps a document that somebody else has written meanwhile beside the one that is about to replace it. */
  async #keepChanged(next: string | undefined): Promise<void> {
    const found = await this.#files.stampOf(this.path)
    if (found !== undefined && !this.#own.includes(found)) {
      const aside = await this.#keepAside()
      this.#say(
        `${this.path} was changed by another program while the sandbox was running: what it held is now in ${aside}, and the sandbox goes on with its own data.`,
      )
    }
    this.#own = [found, next]
  }

  async #keepAside(): Promise<string> {
    const names = new Set(await this.#files.list(dirname(this.path)))
    let number = 1
    while (names.has(`${basename(this.path)}.changed-${number}`)) number++
    const aside = `${this.path}.changed-${number}`
    await this.#files.keepAs(this.path, aside)
    return aside
  }
}

/** What a world on disk is kept with. */
export interface Means {
  readonly files: Files
  /** How many bytes are read or put in a line at once. */
  readonly pieceSize: number
  readonly say: Say
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
