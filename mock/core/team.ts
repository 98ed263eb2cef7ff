import { kinds, type Kind, type Kinds } from '../../fixtures/records.ts'
import type { TeamOnFile } from '../../fixtures/world.ts'
import { type Awaitable, andThen } from '../../lib/async.ts'
import { newPause, type Pause, stepsFor } from '../../lib/pause.ts'
import type { IndexOf } from '../store/indexes.ts'
import type { KeptBytes } from '../store/retention.ts'
import type { Page, Part, Records, RecordsOf } from '../store/port.ts'
import type { Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import { merge } from '../../lib/json.ts'

/** One team's records, stamped with ids, their team and times when they are written. */
export type Team = { readonly [K in Kind]: Stamped<K> } & {
  /** The record of the team itself: name, keys, pipelines and so on. */
  readonly onFile: TeamOnFile
  readonly groups: ReadonlySet<string>
  readonly customFields: ReadonlySet<string>
  /** Counts the changes of the current transaction. */
  readonly tally: Tally
  readonly ids: Ids
  /** Of all teams. */
  readonly keptBytes: KeptBytes
}

export function teamOn(records: Records, onFile: TeamOnFile, clock: Clock, ids: Ids, keptBytes: KeptBytes): Team {
  const pause = newPause()
  const tally = new Tally()
  const stamped = <K extends Kind>(kind: K) =>
    new Stamped<K>(kind, records[kind], { teamId: onFile._id, clock, ids, pause, tally })
  const [groups, customFields] = [new Set(onFile.groups), new Set(onFile.customFields)]
  const byKind = Object.fromEntries(kinds.map((kind) => [kind, stamped(kind)])) as { [K in Kind]: Stamped<K> }
  return { onFile, groups, customFields, tally, ids, keptBytes, ...byKind }
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
export type NewRecord<K extends Kind> = Omit<Kinds[K], '_id' | Stamp> & { readonly _id?: string }

interface Stamper {
  readonly teamId: string
  readonly clock: Clock
  readonly ids: Ids
  /** Lets other requests run while one request processes thousands of records. */
  readonly pause: Pause
  readonly tally: Tally
}

export class Stamped<K extends Kind> {
  readonly kind: K
  readonly #records: RecordsOf<K>
  readonly #by: Stamper

  constructor(kind: K, records: RecordsOf<K>, by: Stamper) {
    this.kind = kind
    this.#records = records
    this.#by = by
  }

  get(id: string): Awaitable<Kinds[K] | undefined> {
    const paused = this.#by.pause()
    return paused ? this.#getAfter(paused, id) : this.#records.get(id)
  }

  find(index: IndexOf<K>, value: string): Awaitable<readonly Kinds[K][]> {
    const paused = this.#by.pause()
    return paused ? paused.then(() => this.#records.find(index, value)) : this.#records.find(index, value)
  }

  getMany(ids: readonly string[]): Awaitable<readonly Kinds[K][]> {
    return this.#records.getMany(ids)
  }

  first(index: IndexOf<K>, value: string): Awaitable<Kinds[K] | undefined> {
    const paused = this.#by.pause()
    return paused ? paused.then(() => this.#records.first(index, value)) : this.#records.first(index, value)
  }

  last(index: IndexOf<K>, value: string): Awaitable<Kinds[K] | undefined> {
    const paused = this.#by.pause()
    return paused ? paused.then(() => this.#records.last(index, value)) : this.#records.last(index, value)
  }

  count(index: IndexOf<K>, values: readonly string[]): Awaitable<number> {
    return this.#records.count(index, values)
  }

  page(index: IndexOf<K>, values: readonly string[], part: Part): Awaitable<Page<Kinds[K]>> {
    return this.#records.page(index, values, part)
  }

  insert(fields: NewRecord<K>): Awaitable<Kinds[K]> {
    return andThen(fields._id ?? this.#newId(), (id) => this.#insert(this.#stamped(id, fields)))
  }

  async insertAll(all: readonly NewRecord<K>[]): Promise<void> {
    const records: Kinds[K][] = []
    for (const fields of all) records.push(this.#stamped(fields._id ?? (await this.#newId()), fields))
    await this.#records.insertAll(records)
    this.#by.tally.count(this.kind, 'added', records.length)
  }

  /** Overwrites the given fields of the record. */
  update(record: Kinds[K], fields: Partial<Kinds[K]>): Awaitable<Kinds[K]> {
    return this.replace(record, merge(record, fields))
  }

  /** Replaces all fields of the record but its id, team and time of creation. */
  replace(record: Kinds[K], fields: NewRecord<K>): Awaitable<Kinds[K]> {
    const next = this.#stamped(record._id, fields, record)
    this.#by.tally.count(this.kind, 'updated')
    const paused = this.#by.pause(stepsFor(next))
    const replaced = paused ? paused.then(() => this.#records.replace(next)) : this.#records.replace(next)
    return andThen(replaced, () => next)
  }

  remove(id: string): Awaitable<void> {
    this.#by.tally.count(this.kind, 'removed')
    const paused = this.#by.pause()
    return paused ? paused.then(() => this.#records.remove(id)) : this.#records.remove(id)
  }

  /** Removes the records with this value of the index, and returns their number. */
  async removeWhere(index: IndexOf<K>, value: string): Promise<number> {
    const removed = await this.#records.removeWhere(index, value)
    this.#by.tally.count(this.kind, 'removed', removed)
    return removed
  }

  async #getAfter(paused: Promise<void>, id: string): Promise<Kinds[K] | undefined> {
    await paused
    return this.#records.get(id)
  }

  #insert(record: Kinds[K]): Awaitable<Kinds[K]> {
    this.#by.tally.count(this.kind, 'added')
    const paused = this.#by.pause(stepsFor(record))
    const inserted = paused ? paused.then(() => this.#records.insert(record)) : this.#records.insert(record)
    return andThen(inserted, () => record)
  }

  #newId(): Awaitable<string> {
    const { ids } = this.#by
    return ids.mayCollide ? this.#newIdBeside(ids) : ids.next(this.kind)
  }

  async #newIdBeside(ids: Ids): Promise<string> {
    const _id = ids.next(this.kind)
    return (await this.#records.get(_id)) ? this.#newIdBeside(ids) : _id
  }

  /** Writes the stamps last, so that a client cannot send them. A record that is replaced keeps its time of creation. */
  #stamped(_id: string, fields: object, replaced?: { readonly _id: string; readonly createdAt?: string }): Kinds[K] {
    const record = merge({ _id }, fields, this.#stamps(replaced))
    record._id = _id
    return record as unknown as Kinds[K]
  }

  #stamps(replaced: { readonly createdAt?: string } | undefined): Stamps | undefined {
    const stampsAt = stampsOf[this.kind]
    if (!stampsAt) return undefined
    const now = new Date(this.#by.clock.now()).toISOString()
    return stampsAt(this.#by.teamId, replaced ? replaced.createdAt : now, now)
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
