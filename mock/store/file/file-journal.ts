import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Adapter, Low } from 'lowdb'
import type { TeamInWorld, World } from '../../../fixtures/world.ts'
import { newPause } from '../../../lib/pause.ts'
import type { Journal, Step } from '../journal.ts'
import { type Generation, StoreUnreachable } from '../port.ts'
import { readDocument, writeDocument } from './document-file.ts'
import { type Files, UnusableFile } from './files.ts'
import { Log, replay } from './log.ts'
import { StoredWorld } from './stored-world.ts'

export interface FileOptions {
  readonly files: Files
  /** A log of fewer bytes is not folded into the document. */
  readonly shortestFold: number
  /** Prints a warning for the operator. */
  readonly warn: (sentence: string) => void
}

/**
 * A world on disk: a lowdb document, and a log of later changes. Changes that arrive during a write are synced together.
 * When the log is as long as the document, it is folded into the document while the next log takes new changes: at any
 * moment, the document and the logs from its number on contain all data.
 */
export class FileJournal implements Journal {
  readonly #path: string
  readonly #options: FileOptions
  readonly #low: Low<StoredWorld>
  readonly #unlock: () => Promise<void>
  /** The tasks that fail at present. The operator was warned about each. */
  readonly #troubles = new Set<'writing' | 'folding'>()
  #log: Log | undefined
  /** Of the document that was read or written last. */
  #documentLength = 0
  #foldAt = 0
  #folding: Promise<void> | undefined
  /** The changes of the next batch. If it fails, the journal takes all of them back. */
  #waiting: Waiting[] = []
  #next: Promise<void> | undefined
  #writing = Promise.resolve()
  #closing: Promise<void> | undefined

  private constructor(path: string, world: () => Promise<World>, options: FileOptions, unlock: () => Promise<void>) {
    this.#path = path
    this.#options = options
    // lowdb's own adapters do not sync.
    const adapter: Adapter<StoredWorld> = {
      read: async () => {
        const document = await readDocument(path, options.files)
        this.#documentLength = document?.length ?? 0
        return new StoredWorld(document ?? { world: await world(), origins: [], isClosed: true })
      },
      write: async (stored) => {
        this.#documentLength = await writeDocument(path, stored, options.files)
      },
    }
    this.#low = new Low(adapter, new StoredWorld({ world: { teams: [] }, origins: [], isClosed: true }))
    this.#unlock = unlock
  }

  /** Reads the document and its logs, and changes nothing. A new file starts as the world. */
  static async read(path: string, world: () => Promise<World>, options: FileOptions, unlock: () => Promise<void>) {
    const journal = new FileJournal(path, world, options, unlock)
    await journal.#low.read()
    await journal.#readLogs()
    return journal
  }

  get world(): World {
    return this.#low.data.world
  }

  get origins(): readonly TeamInWorld[] {
    return this.#low.data.origins
  }

  get generation(): Generation {
    return this.#low.data.generation
  }

  /** Writes the document as it was read with its logs, and begins the next log. */
  async begin(): Promise<void> {
    const { files } = this.#options
    const prefix = `${basename(this.#path)}.`
    const folder = dirname(this.#path)
    for (const name of await files.list(folder)) {
      if (name.startsWith(prefix) && name.endsWith('.tmp')) await files.remove(join(folder, name))
    }
    const log = (this.#log = await this.#nextLog(this.#low.data.log.after))
    this.#low.data.isClosed = false
    await this.#writeDocument().catch(async (error: unknown) => {
      await log.close()
      throw error
    })
    this.#foldLater()
  }

  async write(steps: Iterable<Step>, takeBack: (error: Error) => void): Promise<void> {
    if (this.#closing) {
      const error = new StoreUnreachable('The store is closed')
      takeBack(error)
      throw error
    }
    this.#waiting.push({ steps, takeBack })
    // A batch that fails rejects the next one, which may depend on it.
    this.#next ??= this.#writing.then(() => this.#writeBatch())
    await this.#next
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    await (this.#next ?? this.#writing).catch(() => undefined)
    await this.#folding
    const { data } = this.#low
    if (this.#log) {
      data.log = { number: data.log.number + 1, after: this.#log.checksum }
      data.isClosed = true
      await this.#log.close().catch(() => undefined)
    }
    await this.#writeDocument().catch((error: unknown) => this.#foldFailed(error))
    await this.#unlock()
  }

  async #writeBatch(): Promise<void> {
    await this.#foldIfLong()
    await this.#gather()
    const batch = this.#waiting
    this.#waiting = []
    this.#writing = this.#next ?? this.#writing
    this.#next = undefined
    try {
      await this.#log?.append(batch.map(({ steps }) => steps))
    } catch (cause) {
      const error = new StoreUnreachable('A change could not be written to disk', { cause })
      for (const { takeBack } of [...batch, ...this.#waiting].toReversed()) takeBack(error)
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
    await this.#apply(batch)
    this.#warnOnce('writing', false, `${this.#path} can be written to again.`)
  }

  /** Waits while each turn of the event loop brings more changes: one sync takes as long as several requests. */
  async #gather(): Promise<void> {
    const end = performance.now() + longestWait
    for (let size = 0; this.#waiting.length > size && performance.now() < end;) {
      size = this.#waiting.length
      await setImmediate()
    }
  }

  /** No document is begun meanwhile, so that each contains whole batches. */
  async #apply(batch: readonly Waiting[]): Promise<void> {
    const pause = newPause()
    for (const { steps } of batch) {
      for (const step of steps) {
        this.#low.data.apply(step)
        const paused = pause()
        if (paused) await paused
      }
    }
  }

  /** A fold that fails is tried again later: the logs contain all changes. */
  async #foldIfLong(): Promise<void> {
    const log = this.#log
    if (this.#folding || !log || log.length < this.#foldAt) return
    try {
      this.#log = await this.#nextLog(log.checksum)
    } catch (error) {
      this.#foldFailed(error)
      return
    }
    await log.close().catch(() => undefined)
    this.#folding = this.#writeDocument()
      .then(() => {
        this.#warnOnce('folding', false, `${this.#path} is rewritten again.`)
        this.#foldLater()
      })
      .catch((error: unknown) => this.#foldFailed(error))
      .finally(() => {
        this.#folding = undefined
      })
  }

  #foldFailed(error: unknown): void {
    this.#warnOnce(
      'folding',
      true,
      `${this.#path} cannot be rewritten (${(error as Error).message}): what was answered is safe in the log beside it, and it is tried again later.`,
    )
    this.#foldLater()
  }

  /** Warns when something begins to fail, and when it works again. */
  #warnOnce(trouble: 'writing' | 'folding', isThere: boolean, sentence: string): void {
    if (this.#troubles.has(trouble) === isThere) return
    if (isThere) this.#troubles.add(trouble)
    else this.#troubles.delete(trouble)
    this.#options.warn(sentence)
  }

  #foldLater(): void {
    this.#foldAt = (this.#log?.length ?? 0) + Math.max(this.#options.shortestFold, this.#documentLength)
  }

  /** Writes the current world, although it changes meanwhile, and removes the logs that the document includes. */
  async #writeDocument(): Promise<void> {
    const { number } = this.#low.data.log
    await this.#low.write()
    for (const old of await this.#logNumbers()) if (old < number) await this.#options.files.remove(this.#logPath(old))
  }

  async #nextLog(after: string): Promise<Log> {
    const number = this.#low.data.log.number + 1
    const log = await Log.create(this.#logPath(number), after, this.#options.files)
    this.#low.data.log = { number, after, hasFirstLine: true }
    return log
  }

  /** Applies the log of the document, and every later log. Throws when a log of an open document is missing. */
  async #readLogs(): Promise<void> {
    const { data } = this.#low
    const { number: first, after, hasFirstLine = false } = data.log
    const numbers = (await this.#logNumbers()).filter((number) => number >= first)
    const last = Math.max(first, ...numbers)
    data.log = { number: last, after }
    // A document that was closed has a log only if the next start was interrupted.
    for (let number = data.isClosed ? Math.min(...numbers) : first; number <= last; number++) {
      const path = this.#logPath(number)
      if (!numbers.includes(number)) {
        throw new UnusableFile(
          this.#path,
          `goes on in ${path}, which is missing`,
          'put it back, or set closed to true and the checksum to null to go on without it',
        )
      }
      const start = { after: data.log.after, hasFirstLine: hasFirstLine && !data.isClosed }
      data.log = { number: last, after: await replay(path, data, start, this.#options.files) }
    }
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

const longestWait = 10 // milliseconds

interface Waiting {
  readonly steps: Iterable<Step>
  readonly takeBack: (error: Error) => void
}
