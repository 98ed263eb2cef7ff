import { setImmediate } from 'node:timers/promises'

export type Pause = () => Promise<void>

/** For the steps of long work: lets other work run if that is due. */
export function newPause(): Pause {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < longest) return
    await setImmediate()
    last = performance.now()
  }
}

const longest = 20 // milliseconds
