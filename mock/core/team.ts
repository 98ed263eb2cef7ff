import { kinds, type Kind, type Kinds } from '../../fixtures/records.ts'
import type { TeamOnFile } from '../../fixtures/world.ts'
import type { IndexOf } from '../store/indexes.ts'
import type { Kept, Page, Part, Records, RecordsOf } from '../store/port.ts'
import { Timestamps, type Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import { setImmediate } from 'node:timers/promises'

/** One team's records, stamped with ids, their team and times when they are written. */
export type Team = { readonly [K in Kind]: Stamped<K> } & {
  /** The record of the team itself: name, keys, pipelines and so on. */
  readonly onFile: TeamOnFile
  /** Counts the changes of the current transaction. */
  readonly tally: Tally
  readonly ids: Ids
}

export function teamOn(records: Records, onFile: TeamOnFile, clock: Clock, ids: Ids): Team {
  const times = new Timestamps(clock)
  const pace = new Pace()
  const tally = new Tally()
  const stamped = <K extends Kind>(kind: K) =>
    new Stamped<K>(kind, records[kind], onFile._id, { times, ids, pace, tally })
  return { onFile, tally, ids, ...Object.fromEntries(kinds.map((kind) => [kind, stamped(kind)])) } as Team
}

type Stamp = 'teamId' | 'createdAt' | 'updatedAt'
type Stamps = Readonly<Partial<Record<Stamp, string | undefined>>>
type Stamping = (teamId: string, createdAt: string | undefined, updatedAt: string) => Stamps

/** The stamps of each kind. Records of other kinds have only an id and the sent fields. */
export const stampsOf: Readonly<Partial<Record<Kind, Stamping>>> = {
  contacts: (teamId, createdAt, updatedAt) => ({ teamId, createdAt, updatedAt }),
  conversations: (teamId, createdAt) => ({ teamId, createdAt }),
  messages: (_teamId, createdAt) => ({ createdAt }),
  companies: (teamId) => ({ teamId }),
}

/** The fields of a new record without its stamps. An id may be given. */
export type Fields<K extends Kind> = Omit<Kinds[K], '_id' | Stamp> & { readonly _id?: string }

interface Stamper {
  readonly times: Timestamps
  readonly ids: Ids
  readonly pace: Pace
  readonly tally: Tally
}

export class Stamped<K extends Kind> {
  readonly kind: K
  readonly #records: RecordsOf<K>
  readonly #teamId: string
  readonly #times: Timestamps
  readonly #ids: Ids
  readonly #stamps: Stamping | undefined
  readonly #pace: Pace
  readonly #tally: Tally

  constructor(kind: K, records: RecordsOf<K>, teamId: string, { times, ids, pace, tally }: Stamper) {
    this.kind = kind
    this.#records = records
    this.#teamId = teamId
    this.#times = times
    this.#ids = ids
    this.#stamps = stampsOf[kind]
    this.#pace = pace
    this.#tally = tally
  }

  get(id: string): Promise<Kinds[K] | undefined> {
    return this.#pace.step(() => this.#records.get(id))
  }

  find(index: IndexOf<K>, value: string): Promise<readonly Kinds[K][]> {
    return this.#pace.step(() => this.#records.find(index, value))
  }

  getMany(ids: readonly string[]): Promise<readonly Kinds[K][]> {
    return this.#records.getMany(ids)
  }

  first(index: IndexOf<K>, value: string): Promise<Kinds[K] | undefined> {
    return this.#pace.step(() => this.#records.first(index, value))
  }

  count(index: IndexOf<K>, values: readonly string[]): Promise<number> {
    return this.#records.count(index, values)
  }

  kept(): Promise<Kept> {
    return this.#records.kept()
  }

  charactersOfAllTeams(): Promise<number> {
    return this.#records.charactersOfAllTeams()
  }

  page(index: IndexOf<K>, values: readonly string[], part: Part): Promise<Page<Kinds[K]>> {
    return this.#records.page(index, values, part)
  }

  async insert(fields: Fields<K>): Promise<Kinds[K]> {
    const record = this.#newRecord(fields._id ?? (await this.#newId()), fields)
    await this.#pace.step(() => this.#records.insert(record))
    this.#tally.count(this.kind, 'added')
    return record
  }

  async insertAll(all: readonly Fields<K>[]): Promise<void> {
    const records: Kinds[K][] = []
    for (const fields of all) {
      records.push(this.#newRecord(fields._id ?? (await this.#newId()), fields))
    }
    await this.#records.insertAll(records)
    this.#tally.count(this.kind, 'added', records.length)
  }

  /** Overwrites the given fields of the record. */
  async update(record: Kinds[K], fields: Partial<Kinds[K]>): Promise<Kinds[K]> {
    return this.replace(record, merge(record, fields))
  }

  /** Replaces all fields of the record but its id, team and time of creation. */
  async replace(record: Kinds[K], fields: Fields<K>): Promise<Kinds[K]> {
    const { createdAt } = record as { createdAt?: string }
    const next = this.#stamped(record._id, fields, createdAt, this.#times.now())
    await this.#pace.step(() => this.#records.replace(next))
    this.#tally.count(this.kind, 'updated')
    return next
  }

  remove(id: string): Promise<void> {
    this.#tally.count(this.kind, 'removed')
    return this.#pace.step(() => this.#records.remove(id))
  }

  /** Removes the records with this value of the index, and returns their number. */
  async removeWhere(index: IndexOf<K>, value: string): Promise<number> {
    const removed = await this.#records.removeWhere(index, value)
    this.#tally.count(this.kind, 'removed', removed)
    return removed
  }

  async #newId(): Promise<string> {
    const _id = this.#ids.next(this.kind)
    return this.#ids.mayCollide && (await this.#records.get(_id)) ? this.#newId() : _id
  }

  #newRecord(_id: string, fields: object): Kinds[K] {
    const now = this.#times.now()
    return this.#stamped(_id, fields, now, now)
  }

  /** Writes the stamps last, so that a client cannot send them. */
  #stamped(_id: string, fields: object, createdAt: string | undefined, updatedAt: string): Kinds[K] {
    const stamps = this.#stamps?.(this.#teamId, createdAt, updatedAt)
    const record = stamps ? merge({ _id }, fields, stamps) : merge({ _id }, fields)
    record._id = _id
    return record as unknown as Kinds[K]
  }
}

/** The number of records of a kind that a transaction changed. */
export interface Changed {
  readonly kind: Kind
  added: number
  updated: number
  removed: number
}

/** Counts the changes of the current transaction. */
export class Tally {
  #changed: Changed[] = []

  /** Starts a new count. Earlier results stay valid. */
  begin(): void {
    if (this.#changed.length > 0) this.#changed = []
  }

  count(kind: Kind, step: 'added' | 'updated' | 'removed', records = 1): void {
    if (records === 0) return
    let line = this.#changed.find((known) => known.kind === kind)
    if (!line) this.#changed.push((line = { kind, added: 0, updated: 0, removed: 0 }))
    line[step] += records
  }

  changed(): readonly Changed[] {
    return this.#changed.length > 0 ? this.#changed : nothing
  }
}

/** A constant, since the next transaction reuses an empty list. */
const nothing: readonly Changed[] = []

const stepsInARow = 500

/** Lets other requests run while one request processes thousands of records. */
export class Pace {
  #steps = 0

  /** Runs a step; every 500th step lets other requests run first. */
  step<Result>(take: () => Promise<Result>): Promise<Result> {
    if (++this.#steps < stepsInARow) return take()
    this.#steps = 0
    return setImmediate().then(take)
  }
}

/** Like `map`, but lets other requests run in between. */
export async function mapAtAPace<Item, Result>(
  items: readonly Item[],
  resultOf: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    if (results.length > 0 && results.length % stepsInARow === 0) await setImmediate()
    results.push(resultOf(item))
  }
  return results
}

/** As `{ ...first, ...second }`, which is up to fifty times slower on Node 20; every answer is merged. */
export function merge<First extends object, Second extends object>(first: First, second: Second): First & Second
export function merge<First extends object, Second extends object, Third extends object>(
  first: First,
  second: Second,
  third: Third,
): First & Second & Third
export function merge(first: object, second: object, third?: object): object {
  return Object.assign({}, first, second, third)
}
