import { Low } from 'lowdb'
import type { World } from '../../fixtures/world.ts'
import type { Document } from './document.ts'
import { DocumentFile } from './document-file.ts'
import type { Files } from './files.ts'
import type { Happened } from './happened.ts'
import { KeptWorld } from './kept-world.ts'
import { LogFile } from './log-file.ts'
import { lineOf } from './log-line.ts'
import { type Log, logAfter, logsOf, replay } from './logs.ts'
import { UnusableFile } from './unusable-file.ts'

const shortestFold = 1024 * 1024

/**
 * A world on disk: a document, and a log of what happened since. Now and then the log is folded into the document, while
 * another log goes on. At any moment the document and the logs from there on hold everything.
 */
export class WorldFile {
  readonly #path: string
  readonly #files: Files
  readonly #document: DocumentFile
  readonly #low: Low<Document>
  readonly #kept: KeptWorld
  #log: LogFile | undefined
  #foldAt = 0
  #folding: Promise<void> | undefined

  private constructor(path: string, files: Files, document: DocumentFile, low: Low<Document>, kept: KeptWorld) {
    this.#path = path
    this.#files = files
    this.#document = document
    this.#low = low
    this.#kept = kept
  }

  /** Changes nothing on disk before `begin`. What is new starts as the world. */
  static async read(path: string, world: World, files: Files): Promise<WorldFile> {
    const document = new DocumentFile(path, files)
    const low = new Low<Document>(document, { turns: 0, closed: true, world })
    await low.read()
    const logs = await logsOf(path, files)
    await refuseIfApart(document, low.data, logs, files)
    const kept = new KeptWorld(low.data.world, low.data.turns)
    await replay(logs, kept, files)
    return new WorldFile(path, files, document, low, kept)
  }

  get world(): World {
    return this.#kept.asWorld()
  }

  async begin(): Promise<void> {
    const { turns, closed } = this.#low.data
    await this.#files.remove(`${this.#path}.tmp`)
    await this.#beginLog()
    try {
      if (closed || turns !== this.#kept.turns) await this.#writeDocument(false)
      else await this.#removeLogsBefore(turns)
      this.#foldLater()
    } catch (error) {
      await this.#log?.close()
      throw error
    }
  }

  /** Safe once it resolves. When it rejects, the next call makes good what was left half-written. */
  async append(all: readonly Happened[]): Promise<void> {
    const { turns } = this.#kept
    await this.#log?.append(all.map((happened, at) => lineOf(turns + at + 1, happened)).join(''))
    for (const happened of all) this.#kept.apply(happened)
  }

  /** Whether or not it can be folded now, everything is in the logs; when it cannot, it is tried again later. */
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
    this.#foldAt = (this.#log?.length ?? 0) + Math.max(shortestFold, this.#document.length)
  }

  async #beginLog(): Promise<void> {
    const before = this.#log
    this.#log = await LogFile.begin(logAfter(this.#kept.turns, this.#path).path, this.#files)
    await before?.close().catch(() => undefined)
  }

  /** What the document holds is settled when this is called; it takes its time to write it. */
  async #writeDocument(closed: boolean): Promise<void> {
    const { turns } = this.#kept
    this.#low.data = { turns, closed, world: this.#kept.asWorld() }
    await this.#low.write()
    await this.#removeLogsBefore(closed ? turns + 1 : turns)
  }

  async #removeLogsBefore(turns: number): Promise<void> {
    const logs = await logsOf(this.#path, this.#files)
    for (const { path, after } of logs) if (after < turns) await this.#files.remove(path)
  }
}

/** A document whose log has gone would lose what was answered, and so would a log whose document has. */
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

/** The first log of a new file is there before its document is. */
async function firstThatHoldsAny(logs: readonly Log[], files: Files): Promise<Log | undefined> {
  for (const log of logs) if ((await files.read(log.path))?.length) return log
  return undefined
}
