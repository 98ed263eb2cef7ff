import { setImmediate } from 'node:timers/promises'
import { type Awaitable, oneAtATime } from './async.ts'

/**
 * Counts a step of long work, or several at once where a step takes as long as several. Returns a promise when others must
 * run before the next step; mostly it returns none, so that a step that need not wait makes no promise.
 */
export type Pause = (steps?: number) => Promise<void> | undefined

/** How many steps of long work follow one another before others run. */
export const stepsInARow = 500

export function newPause(): Pause {
  let taken = 0
  return (steps = 1) => {
    taken += steps
    if (taken < stepsInARow) return undefined
    taken = 0
    return inTurn(() => setImmediate())
  }
}

/**
 * The steps that a record is worth: a long text takes longer to render, and a long list of contacts to index. The fields may
 * have any type, as a client sent them.
 */
export function stepsFor(record: object): number {
  const { content, unfilled, contacts } = record as Readonly<Record<string, unknown>>
  return 1 + (lengthOf(content) + lengthOf(unfilled)) / 1_000 + (Array.isArray(contacts) ? contacts.length / 25 : 0)
}

const lengthOf = (text: unknown) => (typeof text === 'string' ? text.length : 0)

/** Of several long works, one continues in each turn of the event loop. */
const inTurn = oneAtATime()

/** The items one by one, each worth so many steps. Others run in between. */
export async function* inSteps<Item>(items: Iterable<Item>, stepsEach = 1): AsyncIterable<Item> {
  const pause = newPause()
  for (const item of items) {
    yield item
    const paused = pause(stepsEach)
    if (paused) await paused
  }
}

/** Takes a step for each item. */
export type Loop = <Item>(items: Iterable<Item>, step: (item: Item) => void) => Promise<void>

/** Runs loops one after the other, so that hundreds of short ones that begin together pause as one long loop does. */
export function newLoop(): Loop {
  const oneAfterTheOther = oneAtATime()
  const pause = newPause()
  return (items, step) =>
    oneAfterTheOther(async () => {
      for (const item of items) {
        const paused = pause()
        if (paused) await paused
        step(item)
      }
    })
}

/** A list, as it is now, in slices of as many items as steps may follow one another. */
export function* slicesOf<Item>(list: readonly Item[]): Generator<readonly Item[]> {
  const items = list.length <= stepsInARow ? list : [...list]
  for (let at = 0; at < items.length; at += stepsInARow) yield items.slice(at, at + stepsInARow)
}

/** Maps a list: a long one slice by slice, and others run in between. */
export const mapSlices = <Item, Result>(
  items: readonly Item[],
  resultsOf: (slice: readonly Item[]) => Result[],
): Awaitable<Result[]> => (items.length <= stepsInARow ? resultsOf(items) : mapInSteps(slicesOf(items), resultsOf))

async function mapInSteps<Slice, Result>(
  slices: Iterable<Slice>,
  resultsOf: (slice: Slice) => Result[],
): Promise<Result[]> {
  const results: Result[] = []
  for await (const slice of inSteps(slices, stepsInARow)) results.push(...resultsOf(slice))
  return results
}
