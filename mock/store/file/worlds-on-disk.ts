import { basename, dirname, join } from 'node:path'
import type { KeptWorld, KeptWorlds } from '../kept-worlds.ts'
import { UnusableKeptWorld } from '../port.ts'
import { DocumentFile, type Means } from './document-file.ts'
import { inWords } from './unusable-file.ts'

/**
 * Worlds in files beside the document of a store, such as `crm.json.snapshot-seeded.json`. Each is written whole or not at
 * all, and carries a checksum.
 */
export class WorldsOnDisk implements KeptWorlds {
  readonly #start: string
  readonly #means: Means
  #last: Promise<unknown> = Promise.resolve()

  /** A name must not be able to leave the folder: whoever uses this checks it. */
  constructor(path: string, word: string, means: Means) {
    this.#start = `${path}.${word}-`
    this.#means = means
  }

  names(): Promise<readonly string[]> {
    return this.#inOrder(async () => [...new Set((await this.#found()).map(({ name }) => name))])
  }

  get(name: string): Promise<KeptWorld | undefined> {
    return this.#inOrder(async () => {
      const found = (await this.#found()).find((one) => one.name === name)
      const document = found && (await new DocumentFile(found.path, this.#means).read())
      return document ? { world: document.world, isWhole: found.isWhole } : undefined
    })
  }

  put(name: string, { world, isWhole }: KeptWorld): Promise<void> {
    return this.#inOrder(async () => {
      const before = (await this.#found()).filter((one) => one.name === name)
      const path = `${this.#start}${name}${isWhole ? '' : '.teams'}.json`
      const file = new DocumentFile(path, this.#means)
      await file.takeOver()
      await file.write({ turns: 0, closed: true, world })
      for (const other of before) if (other.path !== path) await this.#remove(other.path)
    })
  }

  remove(name: string): Promise<void> {
    return this.#inOrder(async () => {
      for (const found of await this.#found()) if (found.name === name) await this.#remove(found.path)
    })
  }

  async #found() {
    const folder = dirname(this.#start)
    const start = basename(this.#start)
    return (await this.#means.files.list(folder)).flatMap((file) => {
      const [, name, part] =
        /^([^.].*?)(\.teams)?\.json$/s.exec(file.startsWith(start) ? file.slice(start.length) : '') ?? []
      return name === undefined ? [] : [{ name, isWhole: part === undefined, path: join(folder, file) }]
    })
  }

  async #remove(path: string): Promise<void> {
    await this.#means.files.remove(path)
    await this.#means.files.syncFolder(dirname(path))
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work).catch((error: unknown) => {
      throw new UnusableKeptWorld(inWords(error, `${this.#start}*.json`).message, { cause: error })
    })
    this.#last = mine.catch(() => undefined)
    return mine
  }
}
