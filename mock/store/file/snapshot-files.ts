import { basename, dirname } from 'node:path'
import { oneAtATime } from '../../../lib/async.ts'
import { type StoredSnapshot, type Snapshots, type SnapshotSummary, summaryOf } from '../snapshots.ts'
import { UnusableSnapshot } from '../port.ts'
import { readDocument, readSummary, writeDocument } from './document-file.ts'
import { asUnusable, type Files } from './files.ts'

/** Snapshots in files beside the document of a store, such as `crm.json.snapshot-seeded.json`. */
export class SnapshotFiles implements Snapshots {
  readonly #prefix: string
  readonly #files: Files
  readonly #inOrder = oneAtATime()

  constructor(path: string, files: Files) {
    this.#prefix = `${path}.snapshot-`
    this.#files = files
  }

  names(): Promise<readonly string[]> {
    return this.#run(async () => {
      const prefix = basename(this.#prefix)
      const names = (await this.#files.list(dirname(this.#prefix))).filter((name) => name.startsWith(prefix))
      return names.flatMap((name) => /^([^.].*)\.json$/s.exec(name.slice(prefix.length))?.[1] ?? [])
    })
  }

  get(name: string): Promise<StoredSnapshot | undefined> {
    return this.#run(() => this.#read(this.#pathOf(name)))
  }

  summary(name: string): Promise<SnapshotSummary | undefined> {
    return this.#run(async () => {
      const path = this.#pathOf(name)
      const summary = await readSummary(path, this.#files)
      if (summary) return summary
      const snapshot = await this.#read(path)
      return snapshot && summaryOf(snapshot)
    })
  }

  put(name: string, snapshot: StoredSnapshot): Promise<void> {
    const document = { world: snapshot.world, initialRecords: [], isClosed: true, summary: summaryOf(snapshot) }
    return this.#run(async () => {
      await writeDocument(this.#pathOf(name), document, this.#files)
    })
  }

  remove(name: string): Promise<void> {
    return this.#run(async () => {
      const path = this.#pathOf(name)
      await this.#files.remove(path)
      await this.#files.syncFolder(dirname(path))
    })
  }

  #pathOf(name: string): string {
    return `${this.#prefix}${name}.json`
  }

  async #read(path: string): Promise<StoredSnapshot | undefined> {
    const document = await readDocument(path, this.#files)
    return document && { world: document.world, isWhole: document.summary?.isWhole ?? true }
  }

  #run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inOrder(work).catch((error: unknown) => {
      throw new UnusableSnapshot(asUnusable(error, `${this.#prefix}*.json`).message, { cause: error })
    })
  }
}
