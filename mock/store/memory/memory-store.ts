import type { Awaitable } from '../../../lib/async.ts'
import type { Kind, Kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import { inSteps, newPause } from '../../../lib/pause.ts'
import { additionOf, type Contents, type Step, type WriteAheadLog } from '../write-ahead-log.ts'
import { MemoryBudget } from '../retention.ts'
import { type Snapshots, SnapshotsInMemory } from '../snapshots.ts'
import {
  clockTolerance,
  type Count,
  type Generation,
  newGeneration,
  NoSuchTeam,
  type Page,
  type Part,
  type StoreTransaction,
  type ReadTeam,
  type Store,
} from '../port.ts'
import { stepsOfTeam } from '../teams.ts'
import { MemoryTeam } from './memory-team.ts'

/** Everything that a reset replaces. */
interface State {
  readonly teams: Teams
  readonly generation: Generation
  readonly counters: Map<string, Count>
  /** Settles when the reset that began it is synced, or undone. */
  synced?: Promise<void> | undefined
}

interface MemoryStoreOptions extends Partial<Omit<Contents, 'world'>> {
  readonly log?: WriteAheadLog
  readonly snapshots?: Snapshots
  readonly memory?: MemoryBudget
}

/** Keeps everything in memory. With a log, a change is answered once it is synced there. */
export class MemoryStore implements Store {
  readonly snapshots: Snapshots
  readonly #log: WriteAheadLog | undefined
  #now: State

  constructor(now: State, { log, memory = new MemoryBudget(), snapshots }: MemoryStoreOptions) {
    this.#now = now
    this.snapshots = snapshots ?? new SnapshotsInMemory(() => this.world(), memory)
    this.#log = log
  }

  static async open(world: World, options: MemoryStoreOptions = {}): Promise<MemoryStore> {
    const { generation = newGeneration(1), log, initialRecords = [] } = options
    const state = await stateOf(world, initialRecords, generation, log)
    return new MemoryStore(state, options)
  }

  read<Result>(teamId: string, work: (team: ReadTeam) => Awaitable<Result>): Promise<Result> {
    const team = this.#now.teams.get(teamId)
    return team ? team.read(work) : Promise.reject(new NoSuchTeam(teamId))
  }

  transaction<Result>(teamId: string, work: (team: StoreTransaction) => Awaitable<Result>): Promise<Result> {
    const team = this.#now.teams.get(teamId)
    return team ? team.transaction(work) : Promise.reject(new NoSuchTeam(teamId))
  }

  teamOfKey(apiKey: string): Awaitable<string | undefined> {
    return this.#now.teams.ofKey(apiKey)
  }

  async team(teamId: string): Promise<TeamOnFile | undefined> {
    return this.#now.teams.get(teamId)?.onFile
  }

  async teams(): Promise<readonly TeamOnFile[]> {
    return this.#now.teams.all().map(({ onFile }) => onFile)
  }

  async addTeam(inWorld: TeamInWorld): Promise<void> {
    const added = await MemoryTeam.create(inWorld, inWorld, this.#log)
    const { teams } = this.#now
    teams.add(added)
    const steps = { [Symbol.iterator]: () => additionOf(inWorld, inWorld) }
    const synced = this.#log?.write(steps, () => {
      added.close()
      teams.remove(added)
    })
    added.answerAfter(synced)
    await synced
  }

  async initialRecords(teamId: string): Promise<TeamInWorld | undefined> {
    return this.#now.teams.get(teamId)?.initialRecords
  }

  async restoreTeam(teamId: string, records: TeamInWorld): Promise<void> {
    await this.#existing(teamId).refill(records)
  }

  async teamInWorld(teamId: string): Promise<TeamInWorld> {
    return this.#existing(teamId).asInWorld()
  }

  async page<K extends Kind>(teamId: string, kind: K, { skip, take }: Omit<Part, 'order'>): Promise<Page<Kinds[K]>> {
    const all = await this.#existing(teamId).all(kind)
    return { total: all.length, records: all.slice(skip, skip + take) }
  }

  async *scan<K extends Kind>(teamId: string, kind: K): AsyncIterable<readonly Kinds[K][]> {
    yield await this.#existing(teamId).all(kind)
  }

  async removeTeam(teamId: string): Promise<void> {
    const team = this.#existing(teamId)
    const { teams } = this.#now
    team.close()
    const restore = teams.remove(team)
    await this.#log?.write([{ removeTeam: teamId }], () => {
      restore()
      team.reopen()
    })
  }

  async replaceAll(world: World, initialRecords: readonly TeamInWorld[] = []): Promise<void> {
    const generation = newGeneration(this.#now.generation.epoch + 1)
    const after = await stateOf(world, initialRecords, generation, this.#log)
    const before = this.#now
    for (const team of before.teams.all()) team.close()
    this.#now = after
    after.synced = this.#log?.write(stepsTo(world, after), () => {
      for (const team of after.teams.all()) team.close()
      this.#now = before
      for (const team of before.teams.all()) team.reopen()
    })
    for (const team of after.teams.all()) team.answerAfter(after.synced)
    await after.synced
  }

  async world(): Promise<World> {
    const { teams } = this.#now
    const inWorld: TeamInWorld[] = []
    for await (const team of inSteps(teams.all(), stepsOfTeam))
      if (teams.get(team.onFile._id) === team) inWorld.push(await team.asInWorld())
    return { teams: inWorld }
  }

  /** The committed contents at this moment, synced or not. */
  committed(): Contents {
    const { teams, generation } = this.#now
    return {
      world: { teams: teams.all().map((team) => team.committed()) },
      initialRecords: teams.all().flatMap(({ initialRecords }) => initialRecords ?? []),
      generation,
    }
  }

  /** Repeats a step of the log. Throws when it contradicts the records. */
  replay(step: Step): void {
    const { teams } = this.#now
    if ('team' in step) this.#existing(step.team).replay(step)
    else if ('add' in step) teams.add(new MemoryTeam(step.add, undefined, this.#log))
    else if ('removeTeam' in step) teams.remove(this.#existing(step.removeTeam))
    else if ('began' in step) this.#existing(step.began).replay('began')
    else if ('empty' in step) this.#existing(step.empty).replay('empty')
    else this.#now = { teams: new Teams(), generation: step.reset, counters: new Map() }
  }

  async size() {
    const teams = this.#now.teams.all()
    return { teams: teams.length, records: teams.reduce((sum, { size }) => sum + size, 0) }
  }

  async close(): Promise<void> {
    await this.#log?.close()
  }

  async generation(): Promise<Generation> {
    const { generation, synced } = this.#now
    await synced
    return generation
  }

  async count(name: string, now: number, until: number): Promise<Count> {
    const { counters } = this.#now
    const known = counters.get(name)
    const isRunning = known && now < known.until && known.until <= until + clockTolerance
    const counted = isRunning ? { ...known, times: known.times + 1 } : { until, times: 1 }
    counters.set(name, counted)
    return counted
  }

  async claimDue(now: number, leasedAt: number, leaseUntil: number): Promise<string | undefined> {
    const team = this.#now.teams.earliestDue(leasedAt)
    if (!team || team.dueAt > now) return undefined
    team.leasedUntil = leaseUntil
    return team.onFile._id
  }

  async nextDue(): Promise<number | undefined> {
    return this.#now.teams.earliestDue()?.dueAt
  }

  #existing(teamId: string): MemoryTeam {
    const team = this.#now.teams.get(teamId)
    if (team) return team
    throw new NoSuchTeam(teamId)
  }
}

async function stateOf(
  world: World,
  initialRecords: readonly TeamInWorld[],
  generation: Generation,
  log: WriteAheadLog | undefined,
): Promise<State> {
  const teams = new Teams()
  const initialById = new Map(initialRecords.map((team) => [team._id, team]))
  const pause = newPause()
  for (const team of world.teams) {
    teams.add(await MemoryTeam.create(team, initialById.get(team._id), log))
    await pause(stepsOfTeam)
  }
  return { teams, generation, counters: new Map() }
}

function stepsTo(world: World, { teams, generation }: State): Iterable<Step> {
  return {
    *[Symbol.iterator]() {
      yield { reset: generation }
      for (const team of world.teams) yield* additionOf(team, teams.get(team._id)?.initialRecords)
    },
  }
}

/** The teams, by id and by key. */
class Teams {
  #byId = new Map<string, MemoryTeam>()
  readonly #idOfKey = new Map<string, string>()

  get(teamId: string): MemoryTeam | undefined {
    return this.#byId.get(teamId)
  }

  ofKey(apiKey: string): string | undefined {
    return this.#idOfKey.get(apiKey)
  }

  all(): readonly MemoryTeam[] {
    return [...this.#byId.values()]
  }

  /** The team with the earliest due work, of all teams or of those without a lease at that time. */
  earliestDue(leasedAt = Infinity): MemoryTeam | undefined {
    let earliest: MemoryTeam | undefined
    for (const team of this.#byId.values())
      if (team.dueAt < (earliest?.dueAt ?? Infinity) && team.leasedUntil <= leasedAt) earliest = team
    return earliest
  }

  add(added: MemoryTeam): void {
    const { _id, apiKeys } = added.onFile
    if (this.#byId.has(_id)) throw new Error(`There is a team ${_id} already`)
    if (apiKeys.some((key) => this.#idOfKey.has(key))) throw new Error(`An API key of team ${_id} is another team's`)
    this.#byId.set(_id, added)
    for (const key of apiKeys) this.#idOfKey.set(key, _id)
  }

  /** Returns how to undo it, once every later change was undone. */
  remove(removed: MemoryTeam): () => void {
    const { _id, apiKeys } = removed.onFile
    const before = new Map(this.#byId)
    this.#byId.delete(_id)
    for (const key of apiKeys) this.#idOfKey.delete(key)
    return () => {
      this.#byId = before
      for (const key of apiKeys) this.#idOfKey.set(key, _id)
    }
  }
}
