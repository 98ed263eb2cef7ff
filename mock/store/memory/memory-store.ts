import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import { newEra } from '../era.ts'
import { type KeptWorlds, WorldsInMemory } from '../kept-worlds.ts'
import { type Count, type Era, NoSuchTeam, type OpenTeam, type ReadTeam, type Store } from '../port.ts'
import { Counters } from './counters.ts'
import type { Entry, Journal } from './journal.ts'
import type { InAllTeams } from './memory-records.ts'
import { MemoryTeam } from './memory-team.ts'
import { Roster } from './roster.ts'

/** Everything that a reset replaces. */
interface Present {
  readonly teams: Roster
  readonly era: Era
  readonly counters: Counters
  /** Settles when the reset that began this is safe, or was taken back. */
  safe?: Promise<void>
}

interface Beginning {
  readonly era: Era
  readonly journal: Journal
  readonly snapshots: KeptWorlds
  readonly origins: KeptWorlds
}

/** Keeps everything in memory. With a journal, a change is answered once it is safe there. */
export class MemoryStore implements Store {
  readonly snapshots: KeptWorlds
  readonly origins: KeptWorlds
  readonly #journal: Journal | undefined
  #present: Present
  readonly #inAllTeams: InAllTeams = (kind) =>
    this.#present.teams.all().reduce((sum, team) => sum + team.charactersOf(kind), 0)

  constructor(world: World, beginning: Partial<Beginning> = {}) {
    const { era = newEra(1), journal, snapshots = new WorldsInMemory(), origins = new WorldsInMemory() } = beginning
    this.#journal = journal
    this.snapshots = snapshots
    this.origins = origins
    this.#present = this.#begin(world, era)
  }

  read<Result>(teamId: string, work: (team: ReadTeam) => Promise<Result>): Promise<Result> {
    const team = this.#team(teamId)
    return team ? team.read(work) : Promise.reject(new NoSuchTeam(teamId))
  }

  turn<Result>(teamId: string, work: (team: OpenTeam) => Promise<Result>): Promise<Result> {
    const team = this.#team(teamId)
    return team ? team.turn(work) : Promise.reject(new NoSuchTeam(teamId))
  }

  async teamOfKey(apiKey: string): Promise<string | undefined> {
    return this.#present.teams.ofKey(apiKey)
  }

  async team(teamId: string): Promise<TeamOnFile | undefined> {
    return this.#team(teamId)?.onFile
  }

  async teams(): Promise<readonly TeamOnFile[]> {
    return this.#present.teams.all().map(({ onFile }) => onFile)
  }

  addTeam(team: TeamInWorld): Promise<void> {
    return this.#add(new MemoryTeam(team, this.#inAllTeams, this.#journal), () => team)
  }

  async forkTeam(teamId: string, onFile: TeamOnFile): Promise<void> {
    const fork = await this.#known(teamId).fork(onFile)
    await this.#add(fork, () => fork.inWorld())
  }

  async refillTeam(teamId: string, records: TeamInWorld): Promise<void> {
    await this.#known(teamId).refill(records)
  }

  async teamInWorld(teamId: string): Promise<TeamInWorld> {
    return this.#known(teamId).asInWorld()
  }

  async removeTeam(teamId: string): Promise<void> {
    const before = this.#present
    const team = this.#known(teamId)
    team.close()
    this.#present = { ...before, teams: before.teams.without(team) }
    await this.#write(
      () => ({ teamRemoved: teamId }),
      () => {
        this.#present = before
        team.reopen()
      },
    )
  }

  async become(world: World): Promise<void> {
    const before = this.#present
    const after = this.#begin(world, newEra(before.era.epoch + 1))
    for (const team of before.teams.all()) team.close()
    this.#present = after
    const safe = this.#write(
      () => ({ became: world, era: after.era }),
      () => {
        for (const team of after.teams.all()) team.close()
        this.#present = before
        for (const team of before.teams.all()) team.reopen()
      },
    )
    after.safe = safe
    for (const team of after.teams.all()) team.answerAfter(safe)
    await safe
  }

  async world(): Promise<World> {
    return { teams: await Promise.all(this.#present.teams.all().map((team) => team.asInWorld())) }
  }

  async close(): Promise<void> {
    await this.#journal?.close()
  }

  async era(): Promise<Era> {
    const { era, safe } = this.#present
    if (safe) await safe
    return era
  }

  async count(name: string, now: number, until: number): Promise<Count> {
    return this.#present.counters.add(name, now, until)
  }

  async claimDue(now: number, leaseUntil: number): Promise<string | undefined> {
    const team = this.#present.teams.earliestDue()
    if (!team || team.dueAt > now) return undefined
    team.dueAt = leaseUntil
    return team.onFile._id
  }

  async nextDue(): Promise<number | undefined> {
    return this.#present.teams.earliestDue()?.dueAt
  }

  #team(teamId: string): MemoryTeam | undefined {
    return this.#present.teams.get(teamId)
  }

  /** Throws when there is none. */
  #known(teamId: string): MemoryTeam {
    const team = this.#team(teamId)
    if (team) return team
    throw new NoSuchTeam(teamId)
  }

  async #add(added: MemoryTeam, inWorld: () => TeamInWorld): Promise<void> {
    this.#present.teams.add(added)
    const safe = this.#write(
      () => ({ teamAdded: inWorld() }),
      () => {
        added.close()
        this.#present.teams.remove(added)
      },
    )
    added.answerAfter(safe)
    await safe
  }

  #begin(world: World, era: Era): Present {
    const teams = new Roster()
    for (const team of world.teams) teams.add(new MemoryTeam(team, this.#inAllTeams, this.#journal))
    return { teams, era, counters: new Counters() }
  }

  /** What is in memory goes to the journal in the order in which it can be seen. */
  #write(entry: () => Entry, takeBack: () => void): Promise<void> {
    return this.#journal?.write(entry(), takeBack) ?? Promise.resolve()
  }
}
