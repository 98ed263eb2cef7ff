/**
 * Thrown before the commit of a turn, to wait without holding the team: what the turn has changed is undone, and its work
 * is done again once `over` resolves. When `over` rejects, that is the end of the request.
 */
export class Paused extends Error {
  readonly over: Promise<void>

  constructor(over: Promise<void>) {
    super('The request is held before its commit')
    this.over = over
    over.catch(() => undefined) // may reject before the turn is undone and awaits it
  }
}

/** Runs a turn again for as long as it is paused. */
export async function runAgainWhilePaused<Result>(runTurn: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await runTurn()
    } catch (error) {
      if (!(error instanceof Paused)) throw error
      await error.over
    }
  }
}
