import type { Entry, Journal } from '../memory/journal.ts'
import { StoreUnreachable } from '../port.ts'
import { Batch } from './batch.ts'
import { happenedBy } from './happened.ts'
import { Trouble, type Say } from './trouble.ts'
import type { WorldFile } from './world-file.ts'

/** Writes to a world on disk. Everything that comes while one batch is made safe goes into the next. */
export class FileJournal implements Journal {
  readonly #file: WorldFile
  readonly #unlock: () => Promise<void>
  readonly #trouble: Trouble
  #lastSize = 1
  #next: Batch | undefined
  #writing: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(file: WorldFile, unlock: () => Promise<void>, say: Say) {
    this.#file = file
    this.#unlock = unlock
    this.#trouble = new Trouble(say)
  }

  write(entry: Entry, takeBack: (error: Error) => void): Promise<void> {
    if (this.#closing) return refuse(takeBack)
    const batch = (this.#next ??= new Batch())
    batch.add(happenedBy(entry), takeBack)
    this.#writing ??= this.#writeAll()
    return batch.safe
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    await this.#writing
    await this.#file.close()
    await this.#unlock()
  }

  async #writeAll(): Promise<void> {
    while (this.#next) {
      const batch = this.#next
      await batch.gathered(this.#lastSize)
      this.#next = undefined
      this.#lastSize = batch.all.length
      await this.#writeBatch(batch)
    }
    this.#writing = undefined
  }

  async #writeBatch(batch: Batch): Promise<void> {
    try {
      await this.#file.append(batch.all)
    } catch (cause) {
      const next = this.#next
      this.#next = undefined
      const error = new StoreUnreachable('A change could not be written to disk', { cause })
      fail(next ? [batch, next] : [batch], error)
      this.#trouble.begin(
        `${this.#file.path} cannot be written to (${(cause as Error).message}): changes are refused until it can be, and nothing that was answered is lost. See to the space on its disk and to its permissions.`,
      )
      return
    }
    this.#trouble.end(`${this.#file.path} can be written to again.`)
    batch.resolve()
    await this.#file.foldIfLong()
  }
}

function refuse(takeBack: (error: Error) => void): Promise<never> {
  const error = new StoreUnreachable('The store is closed')
  takeBack(error)
  return Promise.reject(error)
}

/** Takes every batch back before any promise rejects. */
function fail(batches: readonly Batch[], error: Error): void {
  for (const batch of batches.toReversed()) batch.takeBack(error)
  for (const batch of batches) batch.reject(error)
}
