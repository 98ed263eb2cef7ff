import { setImmediate as othersFirst } from 'node:timers/promises'

const stepsInARow = 500

/** Lets other requests run now and then while one goes through thousands of records. */
export class Pace {
  #steps = 0

  /** Takes a step, after the others have run if it is their turn. */
  step<Result>(take: () => Promise<Result>): Promise<Result> {
    if (++this.#steps < stepsInARow) return take()
    this.#steps = 0
    return othersFirst().then(take)
  }
}

/** As `map`, with others running in between. */
export async function mapAtAPace<Item, Result>(
  items: readonly Item[],
  resultOf: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    if (results.length > 0 && results.length % stepsInARow === 0) await othersFirst()
    results.push(resultOf(item))
  }
  return results
}
