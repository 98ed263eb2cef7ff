import { basename, dirname } from 'node:path'
import type { Files, FileToRead, OpenFile } from '../../mock/store/file/files.ts'

interface Stored {
  bytes: Buffer
  /** The bytes that a power loss leaves, and what it may leave besides. */
  safe: Buffer
  unsafe: Change[]
  stamp: string
}

/** Bytes that were written at a place, or a length to which the file was cut. */
type Change = { readonly bytes: Buffer; readonly at: number } | { readonly length: number }

type Names = Map<string, Stored>
type NameChange = (names: Names) => void

/** A disk in memory that knows what is safe on it: bytes by `sync`, names by `syncFolder`. */
export class Disk implements Files {
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

  /** The disk after a power loss: what was safe, and by chance some of what was not. */
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

  async find(path: string): Promise<string> {
    return path
  }

  async read(path: string): Promise<Buffer | undefined> {
    return this.#names.get(path)?.bytes
  }

  async open(path: string): Promise<FileToRead | undefined> {
    const stored = this.#names.get(path)
    if (!stored) return undefined
    let at = 0
    return {
      stamp: stored.stamp,
      async read(atMost) {
        const bytes = stored.bytes.subarray(at, at + atMost)
        at += bytes.length
        return bytes
      },
      close,
    }
  }

  async stampOf(path: string): Promise<string | undefined> {
    return this.#names.get(path)?.stamp
  }

  async list(folder: string): Promise<readonly string[]> {
    return this.paths.filter((path) => dirname(path) === folder).map((path) => basename(path))
  }

  async create(path: string): Promise<OpenFile> {
    if (this.#names.has(path)) throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST' })
    const stored = storedAs(Buffer.alloc(0))
    this.#change((names) => names.set(path, stored))
    return opened(stored)
  }

  async reopen(path: string): Promise<OpenFile> {
    return opened(this.#at(path))
  }

  async rename(from: string, to: string): Promise<void> {
    const stored = this.#at(from)
    this.#change((names) => {
      names.set(to, stored)
      names.delete(from)
    })
  }

  async keepAs(path: string, other: string): Promise<void> {
    const stored = this.#at(path)
    this.#change((names) => names.set(other, stored))
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

let stamps = 0

const newStamp = () => `${++stamps}`
const storedAs = (bytes: Buffer): Stored => ({ bytes, safe: bytes, unsafe: [], stamp: newStamp() })
const close = async () => undefined

function opened(stored: Stored): OpenFile {
  const make = (change: Change) => {
    stored.bytes = changed(stored.bytes, change)
    stored.unsafe.push(change)
    stored.stamp = newStamp()
  }
  const write: OpenFile['write'] = async (bytes, from, at) => {
    make({ bytes: Buffer.from(bytes.subarray(from)), at })
    return bytes.length - from
  }
  const sync = async () => {
    stored.safe = stored.bytes
    stored.unsafe = []
  }
  return {
    write,
    async writeSafely(...part) {
      const written = await write(...part)
      await sync()
      return written
    },
    sync,
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

/** Each change may have arrived or not, and of what was written the first part only. */
function leftOf({ safe, unsafe }: Stored, chance: () => number): Buffer {
  return unsafe.reduce<Buffer>((bytes, change) => {
    const kind = chance()
    if (kind < 0.3) return bytes
    if (kind < 0.6 || 'length' in change) return changed(bytes, change)
    const arrived = Math.floor(chance() * (change.bytes.length + 1))
    return changed(bytes, { ...change, bytes: change.bytes.subarray(0, arrived) })
  }, safe)
}
