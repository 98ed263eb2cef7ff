import { fieldsOf } from './answer.ts'
import type { Caller } from './target/credentials.ts'

/** A record of another team than its caller belongs to. */
export interface ForeignRecord {
  readonly ownTeam: string
  readonly team: string
}

/** Which team each caller belongs to. */
export class Teams {
  readonly #known = new Map<Caller, string>()

  /** The first record shows the team of a caller; a record of any other team is foreign. */
  findForeign(caller: Caller, body: unknown): ForeignRecord[] {
    return teamsIn(body).flatMap((team) => {
      const ownTeam = this.#known.get(caller) ?? team
      this.#known.set(caller, ownTeam)
      return team === ownTeam ? [] : [{ ownTeam, team }]
    })
  }
}

function teamsIn(body: unknown): string[] {
  return [fieldsOf(body).data]
    .flat()
    .map((record) => fieldsOf(record).teamId)
    .filter((team) => typeof team === 'string')
}
