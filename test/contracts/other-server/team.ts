import type { Switches } from './switches.ts'

export type Kind = 'contact' | 'conversation' | 'message' | 'template' | 'company' | 'product' | 'deal' | 'quote'

export type Fields = Readonly<Record<string, unknown>>

export interface Stored extends Fields {
  readonly _id: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** The records of one kind with earlier versions, since a read may lag behind. */
class Shelf {
  readonly #versions = new Map<string, { readonly at: number; readonly record: Stored | undefined }[]>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  put(record: Stored): Stored {
    this.#add(record._id, record)
    return record
  }

  remove(id: string): void {
    this.#add(id, undefined)
  }

  get(id: string, lag = 0): Stored | undefined {
    return this.#versions.get(id)?.findLast(({ at }) => lag === 0 || at <= Date.now() - lag)?.record
  }

  /** A record as it was inserted; still known once it is removed. */
  first(id: string): Stored | undefined {
    return this.#versions.get(id)?.[0]?.record
  }

  /** How many versions of a record there were. */
  count(id: string): number {
    return this.#versions.get(id)?.length ?? 0
  }

  all(lag = 0): Stored[] {
    return [...this.#versions.keys()].map((id) => this.get(id, lag)).filter((record) => record !== undefined)
  }

  #add(id: string, record: Stored | undefined): void {
    this.#versions.set(id, [...(this.#versions.get(id) ?? []), { at: this.#now(), record }])
  }
}

export interface Provider {
  readonly _id: string
  readonly channel: string
  readonly address: string
}

/** A team with its records, and what no operation creates. */
export class Team {
  readonly id: string
  readonly providers: readonly Provider[]
  readonly groups: readonly string[] = ['customers']
  readonly pipelines: Readonly<Record<string, readonly string[]>> = { 'pipe-1': ['first', 'last'] }
  bulkSends = 0
  readonly #shelves = new Map<Kind, Shelf>()
  readonly #newId: () => string
  #later: { readonly at: number; readonly act: () => void }[] = []
  /** The time at which due work counts as done. */
  #dueAt: number | undefined

  constructor(id: string, providers: readonly Provider[], newId: () => string) {
    this.id = id
    this.providers = providers
    this.#newId = newId
  }

  shelf(kind: Kind): Shelf {
    const known = this.#shelves.get(kind) ?? new Shelf(() => this.#now)
    this.#shelves.set(kind, known)
    return known
  }

  insert(kind: Kind, fields: Fields): Stored {
    const now = this.#now
    return this.shelf(kind).put({ _id: this.#newId(), ...fields, createdAt: now, updatedAt: now })
  }

  update(kind: Kind, record: Stored, fields: Fields): Stored {
    if (Object.keys(fields).length === 0) return record
    return this.shelf(kind).put({ ...record, ...fields, updatedAt: this.#now })
  }

  remove(kind: Kind, id: string): void {
    this.shelf(kind).remove(id)
  }

  /** Acts after so many milliseconds: before the first request that comes then. */
  scheduleAt(delay: number, act: () => void): void {
    this.#later.push({ at: Date.now() + delay, act })
  }

  catchUp(): void {
    const due = this.#later.filter(({ at }) => at <= Date.now())
    this.#later = this.#later.filter((one) => !due.includes(one))
    for (const { at, act } of due) {
      this.#dueAt = at
      act()
    }
    this.#dueAt = undefined
  }

  get #now(): number {
    return this.#dueAt ?? Date.now()
  }

  find(kind: Kind, isMeant: (record: Stored) => boolean): Stored | undefined {
    return this.shelf(kind).all().find(isMeant)
  }
}

/** Ids of the form that the switch says. */
export function idsOf({ ids }: Switches): { readonly next: () => string; readonly form: RegExp } {
  let count = 1000
  const hex = (length: number) => (++count).toString(16).padStart(length, '0')
  const forms = {
    hex24: { next: () => `77${hex(22)}`, form: /^[0-9a-f]{24}$/ },
    uuid: { next: () => `0b0e4a5c-77aa-4c11-9d2e-${hex(12)}`, form: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ },
    number: { next: () => String(++count), form: /^\d+$/ },
    // In a path each of these must be encoded, and nothing that is encoded already may be taken for it.
    escaped: { next: () => `é ñ/%2F%2f+?#&=;,:@~'${hex(6)}`, form: /^é ñ\/%2F%2f\+\?#&=;,:@~'[0-9a-f]+$/ },
  }
  return forms[ids]
}
