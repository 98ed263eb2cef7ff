import type { As } from './exchange.ts'
import type { Fault } from '../contracts/judge/faults-of-an-answer.ts'

/** Which team each caller was seen to belong to. */
export class Teams {
  readonly #known = new Map<As, string>()

  /** The first record says which team it is; any other team breaks a promise. */
  faults(who: As, body: unknown): Fault[] {
    return teamsIn(body).flatMap((team) => {
      const known = this.#known.get(who) ?? team
      this.#known.set(who, known)
      if (team === known) return []
      return [
        { promise: 'access.recordsCarryTheirTeam', expected: `records of team ${known}`, actual: `one of ${team}` },
      ]
    })
  }
}

function teamsIn(body: unknown): string[] {
  const { data } = Object(body) as { data?: unknown }
  return [data]
    .flat()
    .map((record) => (Object(record) as { teamId?: unknown }).teamId)
    .filter((team) => typeof team === 'string')
}
