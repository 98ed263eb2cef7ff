import type { TeamInWorld, TeamOnFile, World } from '../../fixtures/world.ts'
import type { Entry, Journal } from './journal.ts'
import { MemoryTeam, type Work } from './memory-team.ts'
import { Roster } from './roster.ts'
import { NoSuchTeam, type Store } from './store.ts'

/** Keeps everything in memory. With a journal, what is done is answered only when it is safe there. */
export class MemoryStore implements Store {
  readonly #journal: Journal | undefined
  #teams: Roster

  constructor(world: World, journal?: Journal) {
    this.#journal = journal
    this.#teams = this.#teamsOf(world)
  }

  turn<Result>(teamId: string, work: Work<Result>): Promise<Result> {
    const team = this.#teams.get(teamId)
    return team ? team.turn(work) : Promise.reject(new NoSuchTeam(teamId))
  }

  async teamOfKey(apiKey: string): Promise<string | undefined> {
    return this.#teams.ofKey(apiKey)
  }

  async team(teamId: string): Promise<TeamOnFile | undefined> {
    return this.#teams.get(teamId)?.team
  }

  async teams(): Promise<readonly TeamOnFile[]> {
    return this.#teams.all().map(({ team }) => team)
  }

  async addTeam(team: TeamInWorld): Promise<void> {
    const added = new MemoryTeam(team, this.#journal)
    this.#teams.add(added)
    const safe = this.#write({ teamAdded: team }, () => {
      added.close()
      this.#teams.remove(added)
    })
    added.answerAfter(safe)
    await safe
  }

  async removeTeam(teamId: string): Promise<void> {
    const team = this.#team(teamId)
    const before = this.#teams
    team.close()
    this.#teams = before.without(team)
    await this.#write({ teamRemoved: teamId }, () => {
      this.#teams = before
      team.reopen()
    })
  }

  async become(world: World): Promise<void> {
    const before = this.#teams
    const after = this.#teamsOf(world)
    for (const team of before.all()) team.close()
    this.#teams = after
    const safe = this.#write({ became: world }, () => {
      for (const team of after.all()) team.close()
      this.#teams = before
      for (const team of before.all()) team.reopen()
    })
    for (const team of after.all()) team.answerAfter(safe)
    await safe
  }

  async world(): Promise<World> {
    return { teams: await Promise.all(this.#teams.all().map((team) => team.asInWorld())) }
  }

  async close(): Promise<void> {
    await this.#journal?.close()
  }

  #teamsOf(world: World): Roster {
    const teams = new Roster()
    for (const team of world.teams) teams.add(new MemoryTeam(team, this.#journal))
    return teams
  }

  #team(teamId: string): MemoryTeam {
    const team = this.#teams.get(teamId)
    if (!team) throw new NoSuchTeam(teamId)
    return team
  }

  /** Memory comes first, so that the journal has everything in the order in which it was seen. */
  #write(entry: Entry, takeBack: () => void): Promise<void> {
    return this.#journal?.write(entry, takeBack) ?? Promise.resolve()
  }
}
