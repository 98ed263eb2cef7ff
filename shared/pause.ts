import { setImmediate } from 'node:timers/promises'
import { oneAtATime } from './once.ts'

export type Pause = () => Promise<void>

/** For the steps of long work: lets other work run if that is due. */
export function newPause(): Pause {
  let last = -Infinity
  return async () => {
    if (performance.now() - last < longest) return
    await inTurn(() => setImmediate())
    last = performance.now()
  }
}

/** The items one by one. Other work runs in between if that is due. */
export async function* inSteps<Item>(items: Iterable<Item>): AsyncIterable<Item> {
  const pause = newPause()
  for (const item of items) {
    yield item
    await pause()
  }
}

const longest = 20 // milliseconds

/** Of several long works, one continues in each turn of the event loop. */
const inTurn = oneAtATime()
