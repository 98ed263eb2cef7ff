import { Low } from 'lowdb'
import type { World } from '../../../fixtures/world.ts'
import type { Document } from './document.ts'
import { DocumentFile } from './document-file.ts'
import type { Files } from './files.ts'
import type { Happened } from './happened.ts'
import { KeptWorld } from './kept-world.ts'
import { LogFile } from './log-file.ts'
import { lineOf } from './log-line.ts'
import { type Log, logAfter, logsOf, replay } from './logs.ts'
import { UnusableFile } from './unusable-file.ts'
import type { WrittenEra } from './written-era.ts'

/**
 * A world on disk: a document, and a log of what has happened since. Now and then the log is folded into the document
 * while another log goes on. At any moment the document and the logs from there on hold everything.
 */
export class WorldFile {
  readonly #path: string
  readonly #files: Files
  readonly #document: DocumentFile
  readonly #low: Low<Document>
  readonly #kept: KeptWorld
  readonly #shortestFold: number
  #log: LogFile | undefined
  #foldAt = 0
  #folding: Promise<void> | undefined

  private constructor({ path, files, document, low, kept, shortestFold }: Parts) {
    this.#path = path
    this.#files = files
    this.#document = document
    this.#low = low
    this.#kept = kept
    this.#shortestFold = shortestFold
  }

  /** Changes nothing on disk before `begin`. A new file starts as the world. */
  static async read(path: string, world: World, files: Files, shortestFold: number): Promise<WorldFile> {
    const document = new DocumentFile(path, files)
    const low = new Low<Document>(document, { turns: 0, closed: true, world })
    await low.read()
    const logs = await logsOf(path, files)
    await refuseIfApart(document, low.data, logs, files)
    const kept = new KeptWorld(low.data)
    await replay(logs, kept, files)
    return new WorldFile({ path, files, document, low, kept, shortestFold })
  }

  get world(): World {
    return this.#kept.asWorld()
  }

  get era(): WrittenEra {
    return this.#kept.era
  }

  async begin(): Promise<void> {
    const { turns, closed, era } = this.#low.data
    await this.#files.remove(`${this.#path}.tmp`)
    await this.#beginLog()
    try {
      if (closed || !era || turns !== this.#kept.turns) await this.#writeDocument(false)
      else await this.#removeLogsBefore(turns)
      this.#foldLater()
    } catch (error) {
      await this.#log?.close()
      throw error
    }
  }

  /** Everything is safe once it resolves. When it rejects, the next call first removes what was written in part. */
  async append(all: readonly Happened[]): Promise<void> {
    await this.#log?.append(lineOf({ turn: this.#kept.turns + 1, happened: all }))
    for (const happened of all) this.#kept.apply(happened)
  }

  /** A fold that fails is tried again later: everything is in the logs. */
  async foldIfLong(): Promise<void> {
    if (this.#folding || !this.#log || this.#log.length < this.#foldAt) return
    try {
      await this.#beginLog()
    } catch {
      this.#foldLater()
      return
    }
    this.#folding = this.#writeDocument(false)
      .catch(() => undefined)
      .finally(() => {
        this.#folding = undefined
        this.#foldLater()
      })
  }

  async close(): Promise<void> {
    await this.#folding
    await this.#log?.close().catch(() => undefined)
    await this.#writeDocument(true).catch(() => undefined)
  }

  #foldLater(): void {
    this.#foldAt = (this.#log?.length ?? 0) + Math.max(this.#shortestFold, this.#document.length)
  }

  async #beginLog(): Promise<void> {
    const before = this.#log
    this.#log = await LogFile.begin(logAfter(this.#kept.turns, this.#path).path, this.#files)
    await before?.close().catch(() => undefined)
  }

  /** Writes the world of this moment, though it goes on to change while the document is written. */
  async #writeDocument(closed: boolean): Promise<void> {
    const { turns, era } = this.#kept
    this.#low.data = { turns, closed, era, world: this.#kept.asWorld() }
    await this.#low.write()
    await this.#removeLogsBefore(closed ? turns + 1 : turns)
  }

  async #removeLogsBefore(turns: number): Promise<void> {
    const logs = await logsOf(this.#path, this.#files)
    for (const { path, after } of logs) if (after < turns) await this.#files.remove(path)
  }
}

interface Parts {
  readonly path: string
  readonly files: Files
  readonly document: DocumentFile
  readonly low: Low<Document>
  readonly kept: KeptWorld
  readonly shortestFold: number
}

/** A document without its log would lose what was answered, and so would a log without its document. */
async function refuseIfApart(document: DocumentFile, { turns, closed }: Document, logs: readonly Log[], files: Files) {
  const { path } = document
  const left = document.length === 0 ? await firstThatHoldsAny(logs, files) : undefined
  if (left) {
    throw new UnusableFile(
      path,
      `is missing, but its log ${left.path} is there`,
      'put it back, or move the log away too',
    )
  }
  if (!closed && !logs.some(({ after }) => after === turns)) {
    throw new UnusableFile(
      path,
      `goes on in ${logAfter(turns, path).path}, which is missing`,
      'put it back, or set closed to true and the checksum to null to go on without it',
    )
  }
}

/** The first log of a new file is made before its document. */
async function firstThatHoldsAny(logs: readonly Log[], files: Files): Promise<Log | undefined> {
  for (const log of logs) if ((await files.read(log.path))?.length) return log
  return undefined
}
