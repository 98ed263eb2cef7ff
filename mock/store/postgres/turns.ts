import { StoreUnreachable } from '../port.ts'

/** A transaction's place in the order of its team. */
export interface Turn {
  /** Whether the team was removed or replaced after the transaction was asked for. */
  isGone: boolean
}

interface Line {
  last: Promise<unknown>
  readonly turns: Set<Turn>
}

const longestWait = 5_000
const longestLine = 500

/** Runs the transactions of a team one after the other, in the order of the calls. */
export class Turns {
  readonly #lines = new Map<string, Line>()

  async take<Result>(teamId: string, work: (turn: Turn) => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(teamId) ?? { last: Promise.resolve(), turns: new Set() }
    if (line.turns.size >= longestLine) throw new StoreUnreachable(`Too many changes of team ${teamId} wait`)
    this.#lines.set(teamId, line)
    const turn = { isGone: false }
    line.turns.add(turn)
    const askedAt = performance.now()
    const mine = line.last.then(async () => {
      if (performance.now() - askedAt > longestWait)
        throw new StoreUnreachable(`A change of team ${teamId} has waited too long`)
      return work(turn)
    })
    line.last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      line.turns.delete(turn)
      if (line.turns.size === 0 && this.#lines.get(teamId) === line) this.#lines.delete(teamId)
    }
  }

  endTeam(teamId: string): void {
    for (const turn of this.#lines.get(teamId)?.turns ?? []) turn.isGone = true
  }

  endAll(): void {
    for (const teamId of this.#lines.keys()) this.endTeam(teamId)
  }
}
