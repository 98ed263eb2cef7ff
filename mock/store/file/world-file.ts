import { Low } from 'lowdb'
import type { World } from '../../../fixtures/world.ts'
import type { Document } from './document.ts'
import { DocumentFile, type Means } from './document-file.ts'
import type { Happened } from './happened.ts'
import { KeptWorld } from './kept-world.ts'
import { LogFile } from './log-file.ts'
import { type KnownLog, logAfter, logsOf, refuseLogWithoutDocument, replay } from './logs.ts'
import { Trouble } from './trouble.ts'
import type { WrittenEra } from './written-era.ts'

/**
 * A world on disk: a document, and a log of what has happened since. Now and then the log is folded into the document
 * while another log goes on. At any moment the document and the logs from there on hold everything.
 */
export class WorldFile {
  readonly path: string
  readonly #means: MeansToFold
  readonly #document: DocumentFile
  readonly #low: Low<Document>
  readonly #kept: KeptWorld
  readonly #found: KnownLog | undefined
  readonly #trouble: Trouble
  #log: LogFile | undefined
  #foldAt = 0
  #folding: Promise<void> | undefined

  private constructor({ means, document, low, kept, found }: Parts) {
    this.path = document.path
    this.#means = means
    this.#document = document
    this.#low = low
    this.#kept = kept
    this.#found = found
    this.#trouble = new Trouble(means.say)
  }

  /** Changes nothing on disk before `begin`. A new file starts as the world. */
  static async read(path: string, world: World, means: MeansToFold): Promise<WorldFile> {
    const { files, pieceSize } = means
    const document = new DocumentFile(path, means)
    const low = new Low<Document>(document, { turns: 0, closed: true, world })
    await low.read()
    if (document.length === 0) await refuseLogWithoutDocument(path, files)
    const kept = new KeptWorld(low.data)
    const found = await replay({ document: low.data, path }, kept, files, pieceSize)
    return new WorldFile({ means, document, low, kept, found })
  }

  get world(): World {
    return this.#kept.asWorld()
  }

  get era(): WrittenEra {
    return this.#kept.era
  }

  /** Goes on in the log that a crash has left, or begins one. */
  async begin(): Promise<void> {
    const { files, pieceSize } = this.#means
    await files.remove(`${this.path}.tmp`)
    const found = this.#found
    this.#log = await (found ? LogFile.goOn(found.path, found, files, pieceSize) : this.#newLog())
    try {
      if (!found) await this.#writeDocument(this.#log)
      this.#foldLater(0)
    } catch (error) {
      await this.#log.close()
      throw error
    }
  }

  /** Everything is safe once it resolves. When it rejects, the next call first removes what was written in part. */
  async append(all: readonly Happened[]): Promise<void> {
    await this.#log?.append(all, this.#kept.turns)
    for (const happened of all) this.#kept.apply([happened])
  }

  /** A fold that fails is tried again later: everything is in the logs. */
  async foldIfLong(): Promise<void> {
    const log = this.#log
    if (this.#folding || !log || log.length < this.#foldAt) return
    try {
      this.#log = await this.#beginAfter(log)
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#folding = this.#writeDocument(this.#log)
      .then(() => {
        this.#trouble.end(`${this.path} is rewritten again.`)
        this.#foldLater()
      })
      .catch((error: unknown) => {
        this.#fail(error)
      })
      .finally(() => {
        this.#folding = undefined
      })
  }

  async close(): Promise<void> {
    await this.#folding
    await this.#log?.close().catch(() => undefined)
    await this.#writeDocument(undefined).catch((error: unknown) => {
      this.#fail(error)
    })
  }

  #fail(error: unknown): void {
    this.#trouble.begin(
      `${this.path} cannot be rewritten (${(error as Error).message}): what was answered is safe in the log beside it, and it is tried again later.`,
    )
    this.#foldLater()
  }

  #foldLater(length = this.#log?.length ?? 0): void {
    this.#foldAt = length + Math.max(this.#means.shortestFold, this.#document.length)
  }

  #newLog(): Promise<LogFile> {
    const { turns } = this.#kept
    const { files, pieceSize } = this.#means
    return LogFile.begin(logAfter(turns, this.path).path, turns, files, pieceSize)
  }

  async #beginAfter(log: LogFile): Promise<LogFile> {
    const next = await this.#newLog()
    try {
      await log.goOnIn(next, this.#kept.turns)
    } catch (error) {
      await next.close()
      throw error
    }
    await log.close().catch(() => undefined)
    return next
  }

  /** Writes the world of this moment, though it goes on to change in this log while the document is written. */
  async #writeDocument(log: LogFile | undefined): Promise<void> {
    const { turns, era } = this.#kept
    this.#low.data = { turns, closed: !log, log: log?.id, era, world: this.#kept.asWorld() }
    await this.#low.write()
    const { files } = this.#means
    for (const { path } of await logsOf(this.path, files)) if (path !== log?.path) await files.remove(path)
  }
}

interface MeansToFold extends Means {
  /** A shorter log is not folded into the document. */
  readonly shortestFold: number
}

interface Parts {
  readonly means: MeansToFold
  readonly document: DocumentFile
  readonly low: Low<Document>
  readonly kept: KeptWorld
  readonly found: KnownLog | undefined
}
