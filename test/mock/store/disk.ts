import { basename, dirname } from 'node:path'
import type { Files, FileToRead, FileToWrite } from '../../../mock/store/file/files.ts'

interface Stored {
  bytes: Buffer
  /** The bytes that a power loss leaves, and what it may leave besides. */
  safe: Buffer
  unsafe: Change[]
}

/** Bytes that were written at a place, or a length to which the file was cut. */
type Change = { readonly bytes: Buffer; readonly at: number } | { readonly length: number }

type Names = Map<string, Stored>
type NameChange = (names: Names) => void

export type DiskFiles = Files & Pick<Disk, 'reopen'>

/** A disk in memory that tracks which bytes and names were synced. */
export class Disk implements DiskFiles {
  readonly #names: Names
  #safeNames: Names
  #unsafe: NameChange[] = []

  constructor(names: Names = new Map()) {
    this.#names = names
    this.#safeNames = new Map(names)
  }

  static holding(files: Readonly<Record<string, string>>): Disk {
    const stored = Object.entries(files).map(([path, text]): [string, Stored] => {
      return [path, storedAs(Buffer.from(text))]
    })
    return new Disk(new Map(stored))
  }

  /** The disk as the next process finds it after a kill: every write has arrived, the claim is void. */
  afterKill(): Disk {
    const left = [...this.#names].filter(([path]) => !path.endsWith('.lock'))
    return new Disk(new Map(left.map(([path, { bytes }]) => [path, storedAs(bytes)])))
  }

  /** The disk after a power loss: the synced bytes and names, and by chance some of the others. */
  afterPowerLoss(chance: () => number): Disk {
    const names = new Map(this.#safeNames)
    for (const change of this.#unsafe) if (chance() < 0.5) change(names)
    const left = [...names].filter(([path]) => !path.endsWith('.lock'))
    return new Disk(new Map(left.map(([path, stored]) => [path, storedAs(leftOf(stored, chance))])))
  }

  get paths(): string[] {
    return [...this.#names.keys()].sort()
  }

  /** The length of its longest file. */
  get longest(): number {
    return Math.max(...[...this.#names.values()].map(({ bytes }) => bytes.length))
  }

  async read(path: string): Promise<Buffer | undefined> {
    return this.#names.get(path)?.bytes
  }

  async resolve(path: string): Promise<string> {
    return path
  }

  async open(path: string): Promise<FileToRead | undefined> {
    const stored = this.#names.get(path)
    if (!stored) return undefined
    let at = 0
    return {
      async read(atMost) {
        const bytes = stored.bytes.subarray(at, at + atMost)
        at += bytes.length
        return bytes
      },
      close,
    }
  }

  async list(folder: string): Promise<readonly string[]> {
    return this.paths.filter((path) => dirname(path) === folder).map((path) => basename(path))
  }

  async create(path: string): Promise<FileToWrite> {
    if (this.#names.has(path)) throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST' })
    const stored = storedAs(Buffer.alloc(0))
    this.#change((names) => names.set(path, stored))
    return opened(stored)
  }

  async append(path: string): Promise<FileToWrite> {
    return synced(await this.reopen(path))
  }

  /** An existing file, with writes that are not synced. */
  async reopen(path: string): Promise<FileToWrite> {
    return opened(this.#at(path))
  }

  async rename(from: string, to: string): Promise<void> {
    const stored = this.#at(from)
    this.#change((names) => {
      names.set(to, stored)
      names.delete(from)
    })
  }

  async remove(path: string): Promise<void> {
    this.#change((names) => names.delete(path))
  }

  async syncFolder(): Promise<void> {
    this.#safeNames = new Map(this.#names)
    this.#unsafe = []
  }

  #at(path: string): Stored {
    const stored = this.#names.get(path)
    if (stored) return stored
    throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
  }

  #change(change: NameChange): void {
    change(this.#names)
    this.#unsafe.push(change)
  }
}

/** Each write of the file, followed by a sync. */
export const synced = (file: FileToWrite): FileToWrite => ({
  ...file,
  async write(bytes) {
    await file.write(bytes)
    await file.sync()
  },
})

/** A disk with some of its calls replaced. */
export const changedDisk = (disk: DiskFiles, changes: Partial<DiskFiles>): DiskFiles => ({
  resolve: (path) => disk.resolve(path),
  open: (path) => disk.open(path),
  create: (path) => disk.create(path),
  append: (path) => disk.append(path),
  reopen: (path) => disk.reopen(path),
  list: (folder) => disk.list(folder),
  rename: (from, to) => disk.rename(from, to),
  remove: (path) => disk.remove(path),
  syncFolder: (folder) => disk.syncFolder(folder),
  ...changes,
})

const storedAs = (bytes: Buffer): Stored => ({ bytes, safe: bytes, unsafe: [] })
const close = async () => undefined

function opened(stored: Stored): FileToWrite {
  const make = (change: Change) => {
    stored.bytes = changed(stored.bytes, change)
    stored.unsafe.push(change)
  }
  return {
    async write(bytes) {
      make({ bytes: Buffer.from(bytes), at: stored.bytes.length })
    },
    async sync() {
      stored.safe = stored.bytes
      stored.unsafe = []
    },
    async truncate(length) {
      make({ length })
    },
    close,
  }
}

function changed(bytes: Buffer, change: Change): Buffer {
  if ('length' in change) return Buffer.from(bytes.subarray(0, change.length))
  const next = Buffer.alloc(Math.max(bytes.length, change.at + change.bytes.length))
  bytes.copy(next)
  change.bytes.copy(next, change.at)
  return next
}

/** Each change arrived, or did not, or in part. */
function leftOf({ safe, unsafe }: Stored, chance: () => number): Buffer {
  return unsafe.reduce<Buffer>((bytes, change) => {
    const kind = chance()
    if (kind < 0.3) return bytes
    if (kind < 0.6 || 'length' in change) return changed(bytes, change)
    const arrived = Math.floor(chance() * (change.bytes.length + 1))
    return changed(bytes, { ...change, bytes: change.bytes.subarray(0, arrived) })
  }, safe)
}
