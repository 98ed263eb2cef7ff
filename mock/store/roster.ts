import type { MemoryTeam } from './memory-team.ts'

/** Which teams there are, and whose key is whose. */
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

  add(added: MemoryTeam): void {
    const { _id, apiKeys } = added.team
    if (this.#teams.has(_id)) throw new Error(`There is a team ${_id} already`)
    if (apiKeys.some((key) => this.#ofKey.has(key))) throw new Error(`An API key of team ${_id} is another team's`)
    this.#teams.set(_id, added)
    for (const key of apiKeys) this.#ofKey.set(key, _id)
  }

  remove({ team }: MemoryTeam): void {
    this.#teams.delete(team._id)
    for (const key of team.apiKeys) this.#ofKey.delete(key)
  }

  without(team: MemoryTeam): Roster {
    const others = new Roster()
    for (const other of this.#teams.values()) if (other !== team) others.add(other)
    return others
  }
}
