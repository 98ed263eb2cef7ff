import { basename, dirname } from 'node:path'
import type { Files, OpenFile } from '../../mock/store/file/files.ts'

interface Stored {
  bytes: Buffer
  /** The bytes that a power loss leaves. */
  safe: Buffer
}

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
      const bytes = Buffer.from(text)
      return [path, { bytes, safe: bytes }]
    })
    return new Disk(new Map(stored))
  }

  /** The disk as the next process finds it after a kill: every write has arrived, the claim is void. */
  afterKill(): Disk {
    const left = [...this.#names].filter(([path]) => !path.endsWith('.lock'))
    return new Disk(new Map(left.map(([path, { bytes }]) => [path, { bytes, safe: bytes }])))
  }

  /** The disk after a power loss: what was safe, and by chance some of what was not. */
  afterPowerLoss(chance: () => number): Disk {
    const names = new Map(this.#safeNames)
    for (const change of this.#unsafe) if (chance() < 0.5) change(names)
    const left = [...names].filter(([path]) => !path.endsWith('.lock'))
    return new Disk(new Map(left.map(([path, stored]) => [path, leftOf(stored, chance)])))
  }

  get paths(): string[] {
    return [...this.#names.keys()].sort()
  }

  async find(path: string): Promise<string> {
    return path
  }

  async read(path: string): Promise<Buffer | undefined> {
    return this.#names.get(path)?.bytes
  }

  async list(folder: string): Promise<readonly string[]> {
    return this.paths.filter((path) => dirname(path) === folder).map((path) => basename(path))
  }

  async create(path: string): Promise<OpenFile> {
    if (this.#names.has(path)) throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST' })
    const stored = { bytes: Buffer.alloc(0), safe: Buffer.alloc(0) }
    this.#change((names) => names.set(path, stored))
    return opened(stored)
  }

  async empty(path: string): Promise<OpenFile> {
    const stored = this.#names.get(path)
    if (!stored) return this.create(path)
    stored.bytes = Buffer.alloc(0)
    return opened(stored)
  }

  async rename(from: string, to: string): Promise<void> {
    const stored = this.#names.get(from)
    if (!stored) throw Object.assign(new Error(`ENOENT: ${from}`), { code: 'ENOENT' })
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

  #change(change: NameChange): void {
    change(this.#names)
    this.#unsafe.push(change)
  }
}

function opened(stored: Stored): OpenFile {
  const write: OpenFile['write'] = async (bytes, from, position) => {
    const added = bytes.subarray(from)
    const length = Math.max(stored.bytes.length, position + added.length)
    const next = Buffer.alloc(length)
    stored.bytes.copy(next)
    added.copy(next, position)
    stored.bytes = next
    return added.length
  }
  const sync = async () => {
    stored.safe = stored.bytes
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
      stored.bytes = Buffer.from(stored.bytes.subarray(0, length))
    },
    async close() {
      return undefined
    },
  }
}

/** Any number of the bytes that were added may have arrived, and bytes that were cut off may still be there. */
function leftOf({ bytes, safe }: Stored, chance: () => number): Stored {
  const same = firstDifference(bytes, safe)
  const arrived = same + Math.floor(chance() * (bytes.length - same + 1))
  const cutHasArrived = chance() < 0.5
  const left = Buffer.concat([bytes.subarray(0, arrived), cutHasArrived ? Buffer.alloc(0) : safe.subarray(arrived)])
  return { bytes: left, safe: left }
}

function firstDifference(one: Buffer, other: Buffer): number {
  const shorter = Math.min(one.length, other.length)
  for (let at = 0; at < shorter; at++) if (one[at] !== other[at]) return at
  return shorter
}
