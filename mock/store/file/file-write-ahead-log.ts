import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Low } from 'lowdb'
import type { MemoryStore } from '../memory/memory-store.ts'
import { StoreUnreachable } from '../port.ts'
import type { Contents, Step, WriteAheadLog } from '../write-ahead-log.ts'
import { type Document, type LogStart, readDocument, writeDocument } from './document-file.ts'
import { type Files, UnusableFile } from './files.ts'
import { LogFile, replay } from './log-file.ts'

export interface FileOptions {
  readonly files: Files
  /** A shorter log is not compacted. In bytes. */
  readonly shortestToCompact: number
  /** Prints a warning for the operator. */
  readonly warn: (sentence: string) => void
}

/**
 * A lowdb document, and a log of later changes. Changes that arrive during a write are synced together. When the log is as
 * long as the document, it is compacted: the records in memory are written as the next document, while the next log takes
 * new changes. At any moment, the document and the logs from its number on contain all data.
 */
export class FileWriteAheadLog implements WriteAheadLog {
  readonly #path: string
  readonly #options: FileOptions
  readonly #unlock: () => Promise<void>
  /** Has the contents only while they are read or written: they stay in the memory store. */
  readonly #document: Low<Document>
  /** Of the document that was read or written last. */
  #documentLength = 0
  #contents: () => Contents = () => empty
  #start: LogStart = { number: 0, after: randomBytes(4).toString('hex') }
  #file: LogFile | undefined
  #compactAt = 0
  #compaction: Promise<void> | undefined
  /** The tasks that fail at present. The operator was warned about each. */
  readonly #troubles = new Set<'writing' | 'compacting'>()
  /** The changes of the next batch. If it fails, all of them are undone. */
  #waiting: Waiting[] = []
  #next: Promise<void> | undefined
  #writing = Promise.resolve()
  #closing: Promise<void> | undefined

  constructor(path: string, options: FileOptions, unlock: () => Promise<void>) {
    this.#path = path
    this.#options = options
    this.#unlock = unlock
    // lowdb's own adapters do not sync.
    const adapter = {
      read: async () => (await readDocument(path, options.files)) ?? null,
      write: async (document: Document) => {
        this.#documentLength = await writeDocument(path, document, options.files)
      },
    }
    this.#document = new Low<Document>(adapter, empty)
  }

  /** Reads the document, or takes these contents if there is none, and opens a store with them and with all logs. */
  async open(first: () => Promise<Contents>, open: (contents: Contents) => Promise<MemoryStore>): Promise<MemoryStore> {
    await this.#document.read()
    const { data } = this.#document
    this.#document.data = empty
    const store = await open(data === empty ? await first() : data)
    this.#start = data.log ?? this.#start
    await this.#replayLogs(store, data.isClosed)
    this.#contents = () => store.committed()
    await this.#begin()
    return store
  }

  /** Applies the log of the document, and every later log. Throws when a log of an open document is missing. */
  async #replayLogs(store: MemoryStore, isClosed: boolean): Promise<void> {
    const first = this.#start.number
    const numbers = (await this.#logNumbers()).filter((number) => number >= first)
    const last = Math.max(first, ...numbers)
    // A document that was closed has a log only if the next start was interrupted.
    for (let number = isClosed ? Math.min(...numbers) : first; number <= last; number++) {
      const path = this.#logPath(number)
      if (!numbers.includes(number)) {
        throw new UnusableFile(
          this.#path,
          `goes on in ${path}, which is missing`,
          'put it back, or set closed to true and the checksum to null to go on without it',
        )
      }
      this.#start = { number, after: await replay(path, store, this.#start.after, this.#options.files) }
    }
  }

  /** Starts the next log, and writes the document with all that happened before it. */
  async #begin(): Promise<void> {
    const { files } = this.#options
    const prefix = `${basename(this.#path)}.`
    const folder = dirname(this.#path)
    for (const name of await files.list(folder)) {
      if (name.startsWith(prefix) && name.endsWith('.tmp')) await files.remove(join(folder, name))
    }
    const file = (this.#file = await this.#nextFile(this.#start.after))
    await this.#writeDocument(this.#contents()).catch(async (error: unknown) => {
      await file.close()
      throw error
    })
    this.#compactLater()
  }

  async write(steps: Iterable<Step>, undo: (error: Error) => void): Promise<void> {
    if (this.#closing) {
      const error = new StoreUnreachable('The store is closed')
      undo(error)
      throw error
    }
    this.#waiting.push({ steps, undo })
    // A batch that fails rejects the next one, which may depend on it.
    this.#next ??= this.#writing.then(() => this.#writeBatch())
    await this.#next
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    await (this.#next ?? this.#writing).catch(() => undefined)
    await this.#compaction
    this.#start = { number: this.#start.number + 1, after: this.#file?.checksum ?? this.#start.after }
    await this.#file?.close().catch(() => undefined)
    await this.#writeDocument(this.#contents(), true).catch((error: unknown) => this.#compactionFailed(error))
    await this.#unlock()
  }

  async #writeBatch(): Promise<void> {
    await this.#gather()
    const batch = this.#waiting
    this.#waiting = []
    this.#writing = this.#next ?? this.#writing
    this.#next = undefined
    // At this moment, the store has the changes of the logs and of this batch, and no others.
    const isLong = !this.#compaction && (this.#file?.length ?? 0) >= this.#compactAt
    const contents = isLong ? this.#contents() : undefined
    try {
      await this.#file?.append(batch.map(({ steps }) => steps))
    } catch (cause) {
      const error = new StoreUnreachable('A change could not be written to disk', { cause })
      for (const { undo } of [...batch, ...this.#waiting].toReversed()) undo(error)
      this.#waiting = []
      this.#next = undefined
      this.#writing = Promise.resolve()
      this.#warnOnce(
        'writing',
        true,
        `${this.#path} cannot be written to (${(cause as Error).message}): changes are refused until it can be, and nothing that was answered is lost. See to the space on its disk and to its permissions.`,
      )
      throw error
    }
    this.#warnOnce('writing', false, `${this.#path} can be written to again.`)
    if (contents) await this.#compact(contents)
  }

  /** Waits while each turn of the event loop brings more changes: one sync takes as long as several requests. */
  async #gather(): Promise<void> {
    const end = performance.now() + longestWait
    for (let size = 0; this.#waiting.length > size && performance.now() < end;) {
      size = this.#waiting.length
      await setImmediate()
    }
  }

  /** Begins the next log, and writes the contents as a document meanwhile. If that fails, it is tried again later. */
  async #compact(contents: Contents): Promise<void> {
    const full = this.#file
    if (!full) return
    try {
      this.#file = await this.#nextFile(full.checksum)
    } catch (error) {
      this.#compactionFailed(error)
      return
    }
    await full.close().catch(() => undefined)
    this.#compaction = this.#writeDocument(contents)
      .then(() => {
        this.#warnOnce('compacting', false, `${this.#path} is rewritten again.`)
        this.#compactLater()
      })
      .catch((error: unknown) => this.#compactionFailed(error))
      .finally(() => {
        this.#compaction = undefined
      })
  }

  #compactionFailed(error: unknown): void {
    this.#warnOnce(
      'compacting',
      true,
      `${this.#path} cannot be rewritten (${(error as Error).message}): what was answered is safe in the log beside it, and it is tried again later.`,
    )
    this.#compactLater()
  }

  /** Warns when something begins to fail, and when it works again. */
  #warnOnce(trouble: 'writing' | 'compacting', isThere: boolean, sentence: string): void {
    if (this.#troubles.has(trouble) === isThere) return
    if (isThere) this.#troubles.add(trouble)
    else this.#troubles.delete(trouble)
    this.#options.warn(sentence)
  }

  #compactLater(): void {
    this.#compactAt = (this.#file?.length ?? 0) + Math.max(this.#options.shortestToCompact, this.#documentLength)
  }

  /** Writes the document before the present log, and removes the logs that it includes. */
  async #writeDocument(contents: Contents, isClosed = false): Promise<void> {
    const log = this.#start
    this.#document.data = { ...contents, log, isClosed }
    await this.#document.write().finally(() => {
      this.#document.data = empty
    })
    for (const old of await this.#logNumbers())
      if (old < log.number) await this.#options.files.remove(this.#logPath(old))
  }

  async #nextFile(after: string): Promise<LogFile> {
    const number = this.#start.number + 1
    const file = await LogFile.create(this.#logPath(number), after, this.#options.files)
    this.#start = { number, after }
    return file
  }

  async #logNumbers(): Promise<number[]> {
    const prefix = `${basename(this.#path)}.`
    const names = (await this.#options.files.list(dirname(this.#path))).filter((name) => name.startsWith(prefix))
    return names.flatMap((name) => /^(\d{1,15})\.log$/.exec(name.slice(prefix.length))?.[1] ?? []).map(Number)
  }

  #logPath(number: number): string {
    return `${this.#path}.${number}.log`
  }
}

const empty: Document = { world: { teams: [] }, initialRecords: [], isClosed: true }

const longestWait = 10 // milliseconds

interface Waiting {
  readonly steps: Iterable<Step>
  readonly undo: (error: Error) => void
}
