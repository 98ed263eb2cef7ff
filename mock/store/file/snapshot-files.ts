import { basename, dirname, join } from 'node:path'
import { oneAtATime } from '../../../shared/once.ts'
import type { KeptWorld, KeptWorlds } from '../kept-worlds.ts'
import { UnusableKeptWorld } from '../port.ts'
import { readDocument, writeDocument } from './document-file.ts'
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
      const document = found && (await readDocument(found.path, this.#files))
      return document && { world: document.world, isWhole: found.isWhole }
    })
  }

  put(name: string, { world, isWhole }: KeptWorld): Promise<void> {
    return this.#run(async () => {
      const before = (await this.#found()).filter((one) => one.name === name)
      const path = `${this.#prefix}${name}${isWhole ? '' : '.teams'}.json`
      await writeDocument(path, { world, origins: [], isClosed: true }, this.#files)
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

  async #remove(path: string): Promise<void> {
    await this.#files.remove(path)
    await this.#files.syncFolder(dirname(path))
  }

  #run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inOrder(work).catch((error: unknown) => {
      throw new UnusableKeptWorld(asUnusable(error, `${this.#prefix}*.json`).message, { cause: error })
    })
  }
}
