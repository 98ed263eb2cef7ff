import type { Awaitable } from '../../../lib/async.ts'
import { type Kind, type Kinds, kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile } from '../../../fixtures/world.ts'
import { newLoop, newPause, stepsFor, stepsInARow } from '../../../lib/pause.ts'
import { type Change, insertsOf, type Step, stepOf, type StepOfRecord, type WriteAheadLog } from '../write-ahead-log.ts'
import { NoSuchTeam, type StoreTransaction, type ReadTeam } from '../port.ts'
import { recordsOf, teamOf, teamWith } from '../teams.ts'
import { MemoryRecords } from './memory-records.ts'

type RecordsInMemory = { readonly [K in Kind]: MemoryRecords<K> }

/** The transaction that runs now. */
interface Running {
  readonly changes: Change[]
  /** Why it may change nothing any more. */
  stopped: Error | undefined
  /** When the team is due after it; the earlier of this and the time before, unless that was replaced. */
  dueAt: number
  replacesDueAt: boolean
}

/** One team: its records, its lock, and when it has work to do. */
export class MemoryTeam {
  readonly onFile: TeamOnFile
  /** As it was added. Undefined for a team of the first world, and for one of a reset. */
  #initialRecords: TeamInWorld | undefined
  /** Infinite when there is no work to do. */
  dueAt = Infinity
  /** In real time. */
  leasedUntil = 0
  readonly #log: WriteAheadLog | undefined
  readonly #lock = new TeamLock()
  #records: RecordsInMemory
  #open: StoreTransaction
  #running: Running | undefined
  #gone: NoSuchTeam | undefined
  /** Settles with the latest change that is not synced yet. */
  #unsynced: Promise<void> | undefined

  constructor(onFile: TeamOnFile, initialRecords: TeamInWorld | undefined, log: WriteAheadLog | undefined) {
    this.onFile = onFile
    this.#initialRecords = initialRecords
    this.#log = log
    this.#records = this.#newRecords()
    this.#open = this.#openWith(this.#records)
  }

  static async create(inWorld: TeamInWorld, initialRecords: TeamInWorld | undefined, log: WriteAheadLog | undefined) {
    const team = new MemoryTeam(teamOf(inWorld), initialRecords, log)
    await fill(team.#records, inWorld)
    team.dueAt = team.#dueUnlessEmpty()
    return team
  }

  read<Result>(work: (team: ReadTeam) => Awaitable<Result>): Promise<Result> {
    const locked = this.#lock.start(true)
    return locked ? this.#readAfter(locked, work) : this.#read(work)
  }

  async #readAfter<Result>(locked: Promise<void>, work: (team: ReadTeam) => Awaitable<Result>): Promise<Result> {
    await locked
    return this.#read(work)
  }

  /** Without `await`, which allocates twice as much. */
  #read<Result>(work: (team: ReadTeam) => Awaitable<Result>): Promise<Result> {
    // The latest change that it may see. Should it be undone meanwhile, the result must not be returned.
    const seen = this.#unsynced
    return resultOf(work, this.#open).then(
      (result) => {
        this.#lock.end(true)
        if (this.#gone) throw this.#gone
        return seen ? seen.then(() => result) : result
      },
      async (error: unknown) => {
        this.#lock.end(true)
        if (seen) await seen
        throw error
      },
    )
  }

  async transaction<Result>(work: (team: StoreTransaction) => Awaitable<Result>): Promise<Result> {
    const locked = this.#lock.start(false)
    if (locked) await locked
    const running: Running = { changes: [], stopped: this.#gone, dueAt: Infinity, replacesDueAt: false }
    this.#running = running
    try {
      const result = await work(this.#open)
      if (running.stopped) throw running.stopped
      this.#commit(running)
      return result
    } catch (error) {
      running.stopped ??= error as Error
      await this.#rollBack(running.changes)
      throw error
    } finally {
      const seen = this.#unsynced
      this.#running = undefined
      this.#lock.end(false)
      if (seen) await seen
    }
  }

  async refill(inWorld: TeamInWorld): Promise<void> {
    const records = this.#newRecords()
    await fill(records, inWorld)
    await this.transaction(async () => {
      this.#mustRun()
      this.#replaceRecords(records, { ...inWorld, _id: this.onFile._id })
    })
  }

  get initialRecords(): TeamInWorld | undefined {
    return this.#initialRecords
  }

  /** The committed contents at this moment. */
  committed(): TeamInWorld {
    return teamWith(this.onFile, (kind) => this.#records[kind].committed(this.#running?.changes ?? []))
  }

  /** Repeats a step of the log. Throws when it contradicts the records. */
  replay(step: StepOfRecord | 'began' | 'empty'): void {
    if (step === 'began') this.#initialRecords = this.committed()
    else if (step === 'empty') this.#useRecords(this.#newRecords())
    else {
      const kind = 'insert' in step ? step.insert : 'replace' in step ? step.replace : step.remove
      this.#records[kind].replay(step)
    }
    this.dueAt = 0
  }

  /** The number of its records. */
  get size(): number {
    return kinds.reduce((sum, kind) => sum + this.#records[kind].size, 0)
  }

  all<K extends Kind>(kind: K): Promise<readonly Kinds[K][]> {
    return this.read(() => this.#records[kind].all())
  }

  asInWorld(): Promise<TeamInWorld> {
    return this.read(async () => {
      const records = new Map<Kind, readonly Kinds[Kind][]>()
      for (const kind of kinds) records.set(kind, await this.#records[kind].all())
      return teamWith(this.onFile, (kind) => records.get(kind) ?? [])
    })
  }

  /** Makes every result, a refusal too, wait until this is synced, since it may have been seen. */
  answerAfter(synced: Promise<void> | undefined): void {
    if (!synced) return
    this.#unsynced = synced
    const settled = () => {
      if (this.#unsynced === synced) this.#unsynced = undefined
    }
    synced.then(settled, settled)
  }

  /** Ends the team: transactions that still run change nothing and return nothing. */
  close(): void {
    this.#gone = new NoSuchTeam(this.onFile._id)
    if (this.#running) this.#running.stopped = this.#gone
  }

  /** Undoes `close`. A transaction that was stopped stays stopped. */
  reopen(): void {
    this.#gone = undefined
  }

  #newRecords(): RecordsInMemory {
    const note = (change: Change) => this.#mustRun().changes.push(change)
    const loop = newLoop()
    return Object.fromEntries(kinds.map((kind) => [kind, new MemoryRecords(kind, note, loop)])) as RecordsInMemory
  }

  #openWith(records: RecordsInMemory): StoreTransaction {
    return {
      onFile: this.onFile,
      records,
      scheduleAt: (at) => {
        const running = this.#mustRun()
        running.dueAt = Math.min(running.dueAt, at)
      },
      scheduleNext: (next = Infinity) => {
        const running = this.#mustRun()
        running.replacesDueAt = true
        running.dueAt = next
      },
    }
  }

  #dueUnlessEmpty(): number {
    return kinds.some((kind) => this.#records[kind].size > 0) ? 0 : Infinity
  }

  /** Throws when nothing may be changed. */
  #mustRun(): Running {
    if (!this.#running)
      throw new Error(`Team ${this.onFile._id} was changed outside a transaction, or after it had ended`)
    if (this.#running.stopped) throw this.#running.stopped
    return this.#running
  }

  #commit({ changes, dueAt, replacesDueAt }: Running): void {
    const before = { dueAt: this.dueAt, leasedUntil: this.leasedUntil }
    this.dueAt = replacesDueAt ? dueAt : Math.min(before.dueAt, dueAt)
    if (replacesDueAt || dueAt < Infinity) this.leasedUntil = 0
    if (changes.length === 0 || !this.#log) return
    const steps = changes.map((change) => stepOf(change, this.onFile._id))
    const undo = (error: Error) => {
      this.#stopRunning(error)
      this.#undo([...changes])
      this.dueAt = Math.min(this.dueAt, before.dueAt)
      this.leasedUntil = before.leasedUntil
    }
    this.answerAfter(this.#log.write(steps, undo))
  }

  #replaceRecords(records: RecordsInMemory, inWorld: TeamInWorld): void {
    const before = { records: this.#records, open: this.#open, dueAt: this.dueAt }
    this.#useRecords(records)
    this.dueAt = this.#dueUnlessEmpty()
    this.leasedUntil = 0
    const undo = (error: Error) => {
      this.#stopRunning(error)
      this.#records = before.records
      this.#open = before.open
      this.dueAt = Math.min(this.dueAt, before.dueAt)
    }
    this.answerAfter(this.#log?.write(refillOf(inWorld), undo))
  }

  #useRecords(records: RecordsInMemory): void {
    this.#records = records
    this.#open = this.#openWith(records)
  }

  /** The running transaction may have read the change that the log undoes, so its changes are undone first. */
  #stopRunning(error: Error): void {
    if (!this.#running) return
    this.#undo(this.#running.changes)
    this.#running.stopped ??= error
  }

  /** Other requests are answered in between. Should a commit be undone meanwhile, that undoes the rest at once. */
  async #rollBack(changes: Change[]): Promise<void> {
    const pause = newPause()
    this.#undo(changes, stepsInARow)
    while (changes.length > 0) {
      await pause(stepsInARow)
      this.#undo(changes, stepsInARow)
    }
  }

  /** Undoes so many changes, the latest first, and drops them. */
  #undo(changes: Change[], atMost = changes.length): void {
    for (const { kind, id, place, was, is } of changes.splice(-atMost, atMost).reverse()) {
      const records = this.#records[kind] as { apply: (change: Change) => void }
      records.apply({ kind, id, place, was: is, is: was })
    }
  }
}

function refillOf(inWorld: TeamInWorld): Iterable<Step> {
  return {
    *[Symbol.iterator]() {
      yield { empty: inWorld._id }
      yield* insertsOf(inWorld)
    },
  }
}

/** Adds the records of a team; other requests are answered in between. */
async function fill(records: RecordsInMemory, inWorld: TeamInWorld): Promise<void> {
  const pause = newPause()
  for (const kind of kinds) {
    const ofKind = records[kind] as { fill: (record: Kinds[Kind]) => void }
    for (const record of recordsOf(inWorld, kind)) {
      ofKind.fill(record)
      const paused = pause(stepsFor(record))
      if (paused) await paused
    }
  }
}

/** Also rejects when `work` throws. */
function resultOf<Result>(work: (team: ReadTeam) => Awaitable<Result>, team: ReadTeam): Promise<Result> {
  try {
    return Promise.resolve(work(team))
  } catch (error) {
    const reason = error as Error
    return Promise.reject(reason)
  }
}

/** A fair lock: one transaction alone or several reads together, in the order of the calls. */
class TeamLock {
  readonly #waiting: { readonly isRead: boolean; readonly start: () => void }[] = []
  #isInTransaction = false
  #reads = 0

  /** Undefined when it may start at once, which saves a tick. */
  start(isRead: boolean): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#take(isRead)) return undefined
    return new Promise((start) => this.#waiting.push({ isRead, start }))
  }

  end(isRead: boolean): void {
    if (isRead) this.#reads--
    else this.#isInTransaction = false
    for (let next = this.#waiting[0]; next && this.#take(next.isRead); next = this.#waiting[0]) {
      this.#waiting.shift()
      next.start()
    }
  }

  /** False when it must wait. */
  #take(isRead: boolean): boolean {
    if (this.#isInTransaction || (!isRead && this.#reads > 0)) return false
    if (isRead) this.#reads++
    else this.#isInTransaction = true
    return true
  }
}
