import { setImmediate } from 'node:timers/promises'
import { Batch } from './batch.ts'
import { happenedBy } from './happened.ts'
import type { Entry, Journal } from './journal.ts'
import type { WorldFile } from './world-file.ts'

/** Writes to a world on disk. Everything that comes while one batch is made safe goes into the next. */
export class FileJournal implements Journal {
  readonly #file: WorldFile
  readonly #letGo: () => Promise<void>
  #next: Batch | undefined
  #writing: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(file: WorldFile, letGo: () => Promise<void>) {
    this.#file = file
    this.#letGo = letGo
  }

  write(entry: Entry, takeBack: (error: Error) => void): Promise<void> {
    if (this.#closing) return refused(takeBack)
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
    await this.#letGo()
  }

  async #writeAll(): Promise<void> {
    // Requests that came in together share the first batch too.
    await setImmediate()
    for (let batch = this.#takeNext(); batch; batch = this.#takeNext()) await this.#writeBatch(batch)
    this.#writing = undefined
  }

  #takeNext(): Batch | undefined {
    const batch = this.#next
    this.#next = undefined
    return batch
  }

  async #writeBatch(batch: Batch): Promise<void> {
    try {
      await this.#file.append(batch.all)
    } catch (cause) {
      const next = this.#takeNext()
      fail(next ? [batch, next] : [batch], new Error('A change could not be written to disk', { cause }))
      return
    }
    batch.isSafe()
    await this.#file.foldIfLong()
  }
}

function refused(takeBack: (error: Error) => void): Promise<never> {
  const error = new Error('The store is closed')
  takeBack(error)
  return Promise.reject(error)
}

/** All is taken back before anybody hears of it. */
function fail(batches: readonly Batch[], error: Error): void {
  for (const batch of batches.toReversed()) batch.takeBack(error)
  for (const batch of batches) batch.failed(error)
}
