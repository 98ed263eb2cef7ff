import type { MemoryTeam } from './memory-team.ts'

/** The teams, by id and by key. */
export class Roster {
  readonly #teams = new Map<string, MemoryTeam>()
  readonly #ofKey = new Map<string, string>()

  get(teamId: string): MemoryTeam | undefined {
    return this.#teams.get(teamId)
  }

  ofKey(apiKey: string): string | undefined {
    return this.#ofKey.get(apiKey)
  }

  all(): readonly MemoryTeam[] {
    return [...this.#teams.values()]
  }

  /** The team whose work is due before that of the others. */
  earliestDue(): MemoryTeam | undefined {
    let earliest: MemoryTeam | undefined
    for (const team of this.#teams.values()) if (team.dueAt < (earliest?.dueAt ?? Infinity)) earliest = team
    return earliest
  }

  add(added: MemoryTeam): void {
    const { _id, apiKeys } = added.onFile
    if (this.#teams.has(_id)) throw new Error(`There is a team ${_id} already`)
    if (apiKeys.some((key) => this.#ofKey.has(key))) throw new Error(`An API key of team ${_id} is another team's`)
    this.#teams.set(_id, added)
    for (const key of apiKeys) this.#ofKey.set(key, _id)
  }

  remove({ onFile }: MemoryTeam): void {
    this.#teams.delete(onFile._id)
    for (const key of onFile.apiKeys) this.#ofKey.delete(key)
  }

  without(team: MemoryTeam): Roster {
    const others = new Roster()
    for (const other of this.#teams.values()) if (other !== team) others.add(other)
    return others
  }
}
