import { basename, dirname, join } from 'node:path'
import { oneAtATime } from '../../../shared/once.ts'
import { type KeptWorld, type KeptWorlds, type KeptWorldSummary, summaryOf } from '../kept-worlds.ts'
import { UnusableKeptWorld } from '../port.ts'
import { readDocument, readSummary, writeDocument } from './document-file.ts'
import { asUnusable, type Files } from './files.ts'

interface Snapshot {
  readonly name: string
  readonly path: string
  readonly isWhole: boolean
}

/** Snapshots in files beside the document of a store, such as `crm.json.snapshot-seeded.json`. */
export class SnapshotFiles implements KeptWorlds {
  readonly #prefix: string
  readonly #files: Files
  readonly #inOrder = oneAtATime()
  /** By path, with the stamp of the file in which a read has found it. */
  readonly #damages = new Map<string, { readonly stamp: string; readonly error: unknown }>()

  constructor(path: string, files: Files) {
    this.#prefix = `${path}.snapshot-`
    this.#files = files
  }

  names(): Promise<readonly string[]> {
    return this.#run(async () => [...new Set((await this.#found()).map(({ name }) => name))])
  }

  get(name: string): Promise<KeptWorld | undefined> {
    return this.#run(async () => {
      const found = (await this.#found()).find((one) => one.name === name)
      return found && this.#read(found)
    })
  }

  summary(name: string): Promise<KeptWorldSummary | undefined> {
    return this.#run(async () => {
      const found = (await this.#found()).find((one) => one.name === name)
      if (!found) return undefined
      const damage = this.#damages.get(found.path)
      if (damage?.stamp === (await this.#stampOf(found.path))) throw damage.error
      const summary = await readSummary(found.path, this.#files)
      if (summary) return summary
      const kept = await this.#read(found)
      return kept && summaryOf(kept)
    })
  }

  put(name: string, kept: KeptWorld): Promise<void> {
    const { world, isWhole } = kept
    return this.#run(async () => {
      const before = (await this.#found()).filter((one) => one.name === name)
      const path = `${this.#prefix}${name}${isWhole ? '' : '.teams'}.json`
      await writeDocument(path, { world, origins: [], isClosed: true, summary: summaryOf(kept) }, this.#files)
      for (const other of before) if (other.path !== path) await this.#remove(other.path)
    })
  }

  remove(name: string): Promise<void> {
    return this.#run(async () => {
      for (const { name: found, path } of await this.#found()) if (found === name) await this.#remove(path)
    })
  }

  async #found(): Promise<Snapshot[]> {
    const folder = dirname(this.#prefix)
    const prefix = basename(this.#prefix)
    const names = (await this.#files.list(folder)).filter((name) => name.startsWith(prefix))
    return names.flatMap((file) => {
      const [, name, part] = /^([^.].*?)(\.teams)?\.json$/s.exec(file.slice(prefix.length)) ?? []
      return name === undefined ? [] : [{ name, path: join(folder, file), isWhole: part === undefined }]
    })
  }

  async #read({ path, isWhole }: Snapshot): Promise<KeptWorld | undefined> {
    const stamp = await this.#stampOf(path)
    try {
      const document = await readDocument(path, this.#files)
      return document && { world: document.world, isWhole }
    } catch (error) {
      this.#damages.set(path, { stamp, error })
      throw error
    }
  }

  async #stampOf(path: string): Promise<string> {
    const file = await this.#files.open(path)
    await file?.close()
    return file?.stamp ?? ''
  }

  async #remove(path: string): Promise<void> {
    this.#damages.delete(path)
    await this.#files.remove(path)
    await this.#files.syncFolder(dirname(path))
  }

  #run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inOrder(work).catch((error: unknown) => {
      throw new UnusableKeptWorld(asUnusable(error, `${this.#prefix}*.json`).message, { cause: error })
    })
  }
}
