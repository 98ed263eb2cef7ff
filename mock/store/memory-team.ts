import { type Kind, type Kinds, kinds } from '../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile } from '../../fixtures/world.ts'
import type { Journal } from './journal.ts'
import { type Change, MemoryRecords } from './memory-records.ts'
import { NoSuchTeam, type Records } from './store.ts'
import { recordsOf, teamOf, teamWith } from './team-and-records.ts'

export type Work<Result> = (records: Records, team: TeamOnFile) => Promise<Result>

type RecordsInMemory = { readonly [K in Kind]: MemoryRecords<K> }

/** One team: its records, and whose turn it is. */
export class MemoryTeam {
  readonly team: TeamOnFile
  readonly #records: RecordsInMemory
  readonly #journal: Journal | undefined
  readonly #waiting: (() => void)[] = []
  #taken = false
  /** What the turn that runs now has changed so far. */
  #changes: Change[] | undefined
  /** Why nothing may change any more: for good when the team is gone, else until the turn ends. */
  #stopped: Error | undefined
  #closed = false
  /** The last change here that is not safe yet. */
  #unsafe: Promise<void> | undefined

  constructor(inWorld: TeamInWorld, journal?: Journal) {
    this.team = teamOf(inWorld)
    this.#journal = journal
    const noted = (change: Change) => {
      this.#note(change)
    }
    this.#records = Object.fromEntries(kinds.map((kind) => [kind, new MemoryRecords(kind, noted)])) as RecordsInMemory
    for (const kind of kinds) this.#fill(kind, recordsOf(inWorld, kind))
  }

  async turn<Result>(work: Work<Result>): Promise<Result> {
    if (this.#taken) await new Promise<void>((go) => this.#waiting.push(go))
    this.#taken = true
    const changes: Change[] = (this.#changes = [])
    try {
      const result = await work(this.#records, this.team)
      if (this.#stopped) throw this.#stopped
      if (changes.length > 0) this.#save(changes)
      return result
    } catch (error) {
      this.#undo(changes)
      throw error
    } finally {
      const seen = this.#unsafe
      this.#endTurn()
      if (seen) await seen
    }
  }

  /** What a turn answers, be it a refusal, waits for the changes that it may have seen. */
  answerAfter(safe: Promise<void>): void {
    if (this.#unsafe === safe) return
    this.#unsafe = safe
    const settled = () => {
      if (this.#unsafe === safe) this.#unsafe = undefined
    }
    safe.then(settled, settled)
  }

  /** The team is gone: a turn that still runs changes nothing any more. */
  close(): void {
    this.#closed = true
    this.#stopped = new NoSuchTeam(this.team._id)
  }

  /** The team is not gone after all. A turn that was stopped stays stopped. */
  reopen(): void {
    this.#closed = false
    if (!this.#changes) this.#stopped = undefined
  }

  asInWorld(): Promise<TeamInWorld> {
    return this.turn(async () => teamWith(this.team, (kind) => this.#records[kind].all()))
  }

  #note(change: Change): void {
    if (this.#stopped) throw this.#stopped
    if (!this.#changes) throw new Error(`${change.kind} ${change.id} was changed after its turn had ended`)
    this.#changes.push(change)
  }

  #endTurn(): void {
    this.#changes = undefined
    if (!this.#closed) this.#stopped = undefined
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken = false
  }

  #save(changes: readonly Change[]): void {
    const safe = this.#journal?.write({ turnOf: this.team._id, changes }, (error) => {
      this.#takeBack(changes, error)
    })
    if (safe) this.answerAfter(safe)
  }

  /** The turn that runs now has seen what is taken back, so it goes first. */
  #takeBack(changes: readonly Change[], error: Error): void {
    if (this.#changes) {
      this.#undo(this.#changes)
      this.#changes.length = 0
      this.#stopped ??= error
    }
    this.#undo(changes)
  }

  #undo(changes: readonly Change[]): void {
    for (const change of changes.toReversed()) this.#apply({ ...change, was: change.is, is: change.was })
  }

  #apply<K extends Kind>(change: Change<K>): void {
    const records: MemoryRecords<K> = this.#records[change.kind]
    records.apply(change)
  }

  #fill<K extends Kind>(kind: K, given: readonly Kinds[K][]): void {
    const records: MemoryRecords<K> = this.#records[kind]
    given.forEach((record, place) => {
      records.apply({ kind, id: record._id, place: place + 1, was: undefined, is: record })
    })
  }
}
