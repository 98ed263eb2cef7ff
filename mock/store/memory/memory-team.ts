import { setImmediate as othersFirst } from 'node:timers/promises'
import { type Kind, type Kinds, kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile } from '../../../fixtures/world.ts'
import { NoSuchTeam, type OpenTeam, type ReadTeam } from '../port.ts'
import { recordsOf, teamOf, teamWith } from '../team-and-records.ts'
import type { Journal } from './journal.ts'
import { type Change, type InAllTeams, MemoryRecords } from './memory-records.ts'
import { RunningTurn } from './running-turn.ts'
import { TeamLock } from './team-lock.ts'

type RecordsInMemory = { readonly [K in Kind]: MemoryRecords<K> }

/** How many changes are undone before others may run. */
const undoneInARow = 1_000

/** One team: its records, who works on them, and when there is work to do. */
export class MemoryTeam {
  readonly onFile: TeamOnFile
  /** When there is work to do; never, when it is infinite. */
  dueAt: number
  #records: RecordsInMemory
  #open: OpenTeam
  readonly #inAllTeams: InAllTeams
  readonly #journal: Journal | undefined
  readonly #lock = new TeamLock()
  #turn: RunningTurn | undefined
  #gone: NoSuchTeam | undefined
  /** The latest change that is not safe yet. */
  #unsafe: Promise<void> | undefined

  constructor(inWorld: TeamInWorld, inAllTeams: InAllTeams, journal?: Journal) {
    this.onFile = teamOf(inWorld)
    this.#inAllTeams = inAllTeams
    this.#journal = journal
    this.#records = this.#newRecords()
    this.#open = this.#opened()
    for (const kind of kinds) this.#fill(kind, recordsOf(inWorld, kind))
    this.dueAt = this.#dueUnlessEmpty()
  }

  /** A team that has the records of this one, though not the answers to its keys. Most records are shared. */
  fork(onFile: TeamOnFile): Promise<MemoryTeam> {
    return this.read(async () => {
      const fork = new MemoryTeam(onFile, this.#inAllTeams, this.#journal)
      for (const kind of kinds) if (kind !== 'answers') copyRecords(kind, this.#records, fork.#records, onFile._id)
      fork.dueAt = fork.#dueUnlessEmpty()
      return fork
    })
  }

  /** Gives it these records in place of all that it had, when no turn runs and no read. */
  async refill(inWorld: TeamInWorld): Promise<void> {
    const othersToEnd = this.#lock.startTurn()
    if (othersToEnd) await othersToEnd
    try {
      if (this.#gone) throw this.#gone
      this.#refill(inWorld)
    } finally {
      const seen = this.#unsafe
      this.#lock.endTurn()
      if (seen) await seen
    }
  }

  async read<Result>(work: (team: ReadTeam) => Promise<Result>): Promise<Result> {
    const turnToEnd = this.#lock.startRead()
    if (turnToEnd) await turnToEnd
    // The latest change that it may see. Should that be taken back meanwhile, the answer must not leave.
    const seen = this.#unsafe
    try {
      const result = await work(this.#open)
      if (this.#gone) throw this.#gone
      return result
    } finally {
      this.#lock.endRead()
      if (seen) await seen
    }
  }

  async turn<Result>(work: (team: OpenTeam) => Promise<Result>): Promise<Result> {
    const othersToEnd = this.#lock.startTurn()
    if (othersToEnd) await othersToEnd
    const turn = (this.#turn = new RunningTurn(this.#gone))
    try {
      const result = await work(this.#open)
      if (turn.stopped) throw turn.stopped
      this.#keep(turn)
      return result
    } catch (error) {
      turn.stopped ??= error as Error
      await this.#undoAtAPace(turn.changes)
      throw error
    } finally {
      const seen = this.#unsafe
      this.#turn = undefined
      this.#lock.endTurn()
      if (seen) await seen
    }
  }

  charactersOf(kind: Kind): number {
    return this.#records[kind].characters
  }

  /** Makes every answer, a refusal too, wait until this is safe, since it may have been seen. */
  answerAfter(safe: Promise<void>): void {
    if (this.#unsafe === safe) return
    this.#unsafe = safe
    const settled = () => {
      if (this.#unsafe === safe) this.#unsafe = undefined
    }
    safe.then(settled, settled)
  }

  /** Says that the team is gone. What still runs changes nothing and answers nothing. */
  close(): void {
    this.#gone = new NoSuchTeam(this.onFile._id)
    if (this.#turn) this.#turn.stopped = this.#gone
  }

  /** Says that the team is not gone after all. A turn that was stopped stays stopped. */
  reopen(): void {
    this.#gone = undefined
  }

  asInWorld(): Promise<TeamInWorld> {
    return this.read(async () => this.inWorld())
  }

  /** The same at once: for a team that nothing works on yet. */
  inWorld(): TeamInWorld {
    return teamWith(this.onFile, (kind) => this.#records[kind].all())
  }

  #newRecords(): RecordsInMemory {
    const note = (change: Change) => this.#running().changes.push(change)
    return Object.fromEntries(
      kinds.map((kind) => [kind, new MemoryRecords(kind, note, this.#inAllTeams)]),
    ) as RecordsInMemory
  }

  #opened(): OpenTeam {
    return {
      onFile: this.onFile,
      records: this.#records,
      dueBy: (at) => {
        this.#running().dueBy(at)
      },
      dueNext: (next) => {
        this.#running().dueNext(next)
      },
    }
  }

  #dueUnlessEmpty(): number {
    return kinds.some((kind) => this.#records[kind].size > 0) ? 0 : Infinity
  }

  #refill(inWorld: TeamInWorld): void {
    const before = { records: this.#records, open: this.#open, dueAt: this.dueAt }
    this.#records = this.#newRecords()
    this.#open = this.#opened()
    for (const kind of kinds) this.#fill(kind, recordsOf(inWorld, kind))
    this.dueAt = this.#dueUnlessEmpty()
    const changes = this.#journal ? [...removals(before.records), ...insertions(inWorld)] : []
    const safe = this.#journal?.write({ turnOf: this.onFile._id, changes }, (error) => {
      if (this.#turn) {
        this.#turn.changes.length = 0
        this.#turn.stopped ??= error
      }
      this.#records = before.records
      this.#open = before.open
      this.dueAt = Math.min(this.dueAt, before.dueAt)
    })
    if (safe) this.answerAfter(safe)
  }

  /** Throws when nothing may be changed. */
  #running(): RunningTurn {
    if (!this.#turn) throw new Error(`Team ${this.onFile._id} was changed outside a turn, or after the turn had ended`)
    if (this.#turn.stopped) throw this.#turn.stopped
    return this.#turn
  }

  #keep(turn: RunningTurn): void {
    const dueBefore = this.dueAt
    this.dueAt = turn.dueAfter(dueBefore)
    if (turn.changes.length === 0) return
    const safe = this.#journal?.write({ turnOf: this.onFile._id, changes: turn.changes }, (error) => {
      this.#takeBack(turn.changes, error)
      this.dueAt = Math.min(this.dueAt, dueBefore)
    })
    if (safe) this.answerAfter(safe)
  }

  /** The turn that runs now has seen what is taken back, so its changes go first. */
  #takeBack(changes: readonly Change[], error: Error): void {
    if (this.#turn) {
      this.#undo(this.#turn.changes)
      this.#turn.stopped ??= error
    }
    this.#undo([...changes])
  }

  /** Others run in between. Should something be taken back meanwhile, that undoes the rest at once. */
  async #undoAtAPace(changes: Change[]): Promise<void> {
    this.#undo(changes, undoneInARow)
    while (changes.length > 0) {
      await othersFirst()
      this.#undo(changes, undoneInARow)
    }
  }

  /** Undoes so many, the latest first, and forgets them. */
  #undo(changes: Change[], atMost = changes.length): void {
    for (const change of changes.splice(-atMost, atMost).reverse()) {
      this.#apply({ ...change, was: change.is, is: change.was })
    }
  }

  #apply<K extends Kind>(change: Change<K>): void {
    const records: MemoryRecords<K> = this.#records[change.kind]
    records.apply(change)
  }

  #fill<K extends Kind>(kind: K, given: readonly Kinds[K][]): void {
    const records: MemoryRecords<K> = this.#records[kind]
    given.forEach((record, at) => {
      records.apply({ kind, id: record._id, place: at + 1, was: undefined, is: record })
    })
  }
}

function removals(records: RecordsInMemory): Change[] {
  return kinds.flatMap((kind) =>
    records[kind].all().map((was) => ({ kind, id: was._id, place: 0, was, is: undefined })),
  )
}

function insertions(inWorld: TeamInWorld): Change[] {
  return kinds.flatMap((kind) =>
    recordsOf(inWorld, kind).map((is) => ({ kind, id: is._id, place: 0, was: undefined, is })),
  )
}

function copyRecords<K extends Kind>(
  kind: K,
  from: Pick<RecordsInMemory, K>,
  to: Pick<RecordsInMemory, K>,
  owner: string,
): void {
  to[kind].copyFrom(from[kind], owner)
}
