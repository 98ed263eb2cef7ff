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

const longest = 20 // milliseconds

/** Of several long works, one continues in each turn of the event loop. */
const inTurn = oneAtATime()
