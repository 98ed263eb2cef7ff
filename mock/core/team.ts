import { type Kind, type Kinds, kinds } from '../../fixtures/records.ts'
import type { TeamOnFile } from '../../fixtures/world.ts'
import type { IndexOf } from '../store/indexes.ts'
import type { Kept, Page, Part, Records, RecordsOf } from '../store/port.ts'
import { type Clock, Timestamps } from './clock.ts'
import type { Ids } from './ids.ts'
import { merge } from './merge.ts'
import { Pace } from './pace.ts'
import { Tally } from './tally.ts'

/** One team's records, stamped with ids, their team and times when they are written. */
export type Team = { readonly [K in Kind]: Stamped<K> } & {
  /** What is on file about the team itself: its name, keys, pipelines and so on. */
  readonly onFile: TeamOnFile
  /** What the turn that runs now has changed. */
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

/** The stamps of each kind. The other kinds carry their id and what was sent. */
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
    const record = this.#stamped(fields._id ?? (await this.#newId()), fields, this.#times.now())
    await this.#pace.step(() => this.#records.insert(record))
    this.#tally.count(this.kind, 'added')
    return record
  }

  async insertAll(all: readonly Fields<K>[]): Promise<void> {
    const records: Kinds[K][] = []
    for (const fields of all) {
      records.push(this.#stamped(fields._id ?? (await this.#newId()), fields, this.#times.now()))
    }
    await this.#records.insertAll(records)
    this.#tally.count(this.kind, 'added', records.length)
  }

  /** Writes the given fields over those of the record. */
  async update(record: Kinds[K], fields: Partial<Kinds[K]>): Promise<Kinds[K]> {
    return this.replace(record, merge(record, fields))
  }

  /** Gives the record these fields in place of all that it had; its id, team and time of creation stay. */
  async replace(record: Kinds[K], fields: Fields<K>): Promise<Kinds[K]> {
    const { createdAt } = record as { createdAt?: string }
    const next = this.#stamped(record._id, fields, createdAt)
    await this.#pace.step(() => this.#records.replace(next))
    this.#tally.count(this.kind, 'updated')
    return next
  }

  remove(id: string): Promise<void> {
    this.#tally.count(this.kind, 'removed')
    return this.#pace.step(() => this.#records.remove(id))
  }

  /** Removes the records with this value of the index, and tells how many there were. */
  async removeWhere(index: IndexOf<K>, value: string): Promise<number> {
    const removed = await this.#records.removeWhere(index, value)
    this.#tally.count(this.kind, 'removed', removed)
    return removed
  }

  async #newId(): Promise<string> {
    const _id = this.#ids.next(this.kind)
    return this.#ids.mayCollide && (await this.#records.get(_id)) ? this.#newId() : _id
  }

  /** Writes the stamps last, so that a client cannot send them. */
  #stamped(_id: string, fields: object, createdAt: string | undefined): Kinds[K] {
    const stamps = this.#stamps?.(this.#teamId, createdAt, this.#times.now())
    const record = stamps ? merge({ _id }, fields, stamps) : merge({ _id }, fields)
    record._id = _id
    return record as unknown as Kinds[K]
  }
}
