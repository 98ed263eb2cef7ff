import { type Kind, type Kinds, kinds } from '../../../fixtures/records.ts'
import type { TeamOnFile } from '../../../fixtures/world.ts'
import { NoSuchTeam, type Records, SettingsChanged, type StoreTransaction } from '../port.ts'
import type { Row } from './database.ts'
import type { PendingChanges } from './commit.ts'
import { PostgresRecords, type Source } from './records.ts'
import { type Tables, tablesVersion } from './schema.ts'
import { recordSetIn, Sql, sql, storedId } from './sql.ts'

/** A team in the cache of this process. `cacheTag` identifies it: a team that is replaced has another one. */
export interface CachedTeam {
  readonly onFile: TeamOnFile
  readonly cacheTag: string
  readonly recordSet: number
  readonly providers: readonly Kinds['providers'][]
  /** The latest version that this process has seen; each commit makes a new one. */
  version: number | undefined
}

/** The team was changed during the attempt, so its statements have read different states. */
export class Changed extends Error {
  /** Whether the id is known to be another team's now. */
  readonly isReplaced: boolean

  constructor(isReplaced = false) {
    super('The team was changed')
    this.isReplaced = isReplaced
  }
}

export type Query = (...statements: readonly Sql[]) => Promise<readonly Row[]>

/** One attempt at a read or a transaction. PendingChanges are collected until the commit; reads see them. */
export class Attempt implements Source {
  readonly team: CachedTeam
  readonly transaction: StoreTransaction
  readonly isOfTeam: Sql
  /** The marks of the commits that were sent. */
  readonly marks: number[] = []
  readonly tables: Tables
  /** Set once a statement has seen another version of the team, or of the settings: the result must not be used. */
  changed: Changed | SettingsChanged | undefined
  readonly #query: Query
  readonly #mayChange: boolean
  /** The version of the settings, until the first statement has looked at it. */
  #settings: number | undefined
  readonly #answers = new Map<string, Promise<readonly Row[]>>()
  readonly #waiting: Sql[] = []
  #batch: Promise<readonly Row[]> | undefined
  readonly #byKind: readonly PostgresRecords<Kind>[]
  #version: number | undefined
  #isOver = false
  #places = 0
  #dueAt: number | undefined
  #replacesDueAt = false

  constructor(team: CachedTeam, tables: Tables, query: Query, settings: number | undefined, mayChange = false) {
    this.team = team
    this.tables = tables
    this.#query = query
    this.#settings = settings
    this.#mayChange = mayChange
    this.isOfTeam = recordSetIn({ team: this.id, recordSet: team.recordSet }).isOfTeam
    this.#byKind = kinds.map((kind) => new PostgresRecords(kind, this))
    const records = Object.fromEntries(this.#byKind.map((records) => [records.kind, records])) as unknown as Records
    this.transaction = {
      onFile: team.onFile,
      records,
      scheduleAt: (at) => {
        this.throwIfReadOnly()
        this.#dueAt = Math.min(this.#dueAt ?? Infinity, at)
      },
      scheduleNext: (next) => {
        this.throwIfReadOnly()
        this.#replacesDueAt = true
        this.#dueAt = next
      },
    }
  }

  get id(): string {
    return storedId(this.team.onFile._id)
  }

  get hasChanges(): boolean {
    return this.#dueAt !== undefined || this.#replacesDueAt || this.#byKind.some(({ changes }) => changes.size > 0)
  }

  cached<K extends Kind>(kind: K): readonly Kinds[K][] | undefined {
    return kind === 'providers' ? (this.team.providers as readonly Kinds[K][]) : undefined
  }

  add(kind: Kind, rows: readonly Row[]): void {
    this.#byKind.find((records) => records.kind === kind)?.add(rows)
  }

  throwIfReadOnly(): void {
    if (this.#mayChange && !this.#isOver) return
    throw new Error(`Team ${this.team.onFile._id} was changed outside a transaction, or after it had ended`)
  }

  end(): void {
    this.#isOver = true
  }

  nextPlace(): number {
    return 2 ** 52 + this.#places++
  }

  /** Sends the same select only once. */
  rows(select: Sql, more: Sql = sql``): Promise<readonly Row[]> {
    const key = JSON.stringify([more.statement(), select.statement()])
    let answer = this.#answers.get(key)
    if (!answer) this.#answers.set(key, (answer = this.#select(select, more)))
    return answer
  }

  /** The version that all statements of the attempt have seen. */
  async version(): Promise<number> {
    this.#version ??= this.team.version
    if (this.#version === undefined) await this.#select(nothing, sql``)
    return this.#version ?? 0
  }

  /** Looks at the version of the settings, unless a statement has. */
  async checkSettings(): Promise<void> {
    if (this.#settings !== undefined) await this.#select(nothing, sql``)
  }

  /** Checks that the team has not changed since the first statement. */
  checkTeam(row: Row | undefined): void {
    if (!row) throw new NoSuchTeam(this.team.onFile._id)
    const version = Number(row.version)
    this.#version ??= version
    this.team.version = version
    const isReplaced = row.cache_tag !== this.team.cacheTag
    if (!isReplaced && version === this.#version) return
    throw (this.changed = new Changed(isReplaced))
  }

  async #select(select: Sql, more: Sql): Promise<readonly Row[]> {
    const part = this.#waiting.length
    this.#waiting.push(
      sql`SELECT ${new Sql(String(part))} AS part, t.cache_tag, t.version${more}, x.* FROM ${this.tables.teams} t LEFT JOIN (${select}) x ON true WHERE t.id = ${this.id}`,
    )
    this.#batch ??= this.#sendBatch()
    const rows = (await this.#batch).filter((row) => Number(row.part) === part)
    this.checkTeam(rows[0])
    return rows
  }

  /** Sends all selects that begin before the next microtask, such as in one `Promise.all`, in one round trip. */
  async #sendBatch(): Promise<readonly Row[]> {
    await Promise.resolve()
    this.#batch = undefined
    const settings = this.#settings
    if (settings === undefined) return this.#query(...this.#waiting.splice(0))
    this.#settings = undefined
    const { sandbox } = this.tables
    const isSame = sql`SELECT true AS is_same FROM ${sandbox} WHERE version = ${settings} AND tables_oldest <= ${tablesVersion}`
    const [first, ...rows] = await this.#query(isSame, ...this.#waiting.splice(0))
    if (first?.is_same === undefined) throw (this.changed = new SettingsChanged())
    return rows
  }

  /** The changes that the commit writes. */
  get changes(): PendingChanges {
    return {
      records: this.#byKind.map(({ kind, changes }) => ({ kind, changes })),
      ...(this.#dueAt === undefined || this.#dueAt === Infinity ? {} : { dueAt: this.#dueAt }),
      replacesDueAt: this.#replacesDueAt,
    }
  }
}

const nothing = sql`SELECT 0 AS seq WHERE false`
