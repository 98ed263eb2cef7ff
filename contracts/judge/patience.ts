import { sleep } from '../../client/sleep.ts'
import type { Send } from '../../client/transport.ts'

/** How long the next request waits after a write: nothing promises that a read shows at once what was written. */
interface Degree {
  readonly wait: number
  readonly waits: (method: string) => boolean
}

const degrees: readonly Degree[] = [
  { wait: 300, waits: (method) => method === 'GET' },
  { wait: 1100, waits: () => true },
]

/** Checks that fail are run again with patience, but not for ever on a server that does not lag. */
const mostInVain = 12

/** Lets what was written settle before the next request. */
export class Patience {
  #degree: Degree | undefined
  #inVain = 0
  /** The reads of this server lag. */
  #hasHelped = false
  #lastWrite = 0

  /** Sends with patience while it is on. */
  wrap(send: Send): Send {
    return async (request, timeout) => {
      if (this.#degree?.waits(request.method)) await sleep(this.#lastWrite + this.#degree.wait - Date.now())
      const incoming = await send(request, timeout)
      if (request.method !== 'GET' && incoming.status < 400) this.#lastWrite = Date.now()
      return incoming
    }
  }

  /** Repeats the work with more and more patience until it succeeds; nothing when it never does. */
  async act<Value>(work: () => Promise<Value>, isInVain: (value: Value) => boolean): Promise<Value | undefined> {
    if (!this.#hasHelped && this.#inVain >= mostInVain) return undefined
    try {
      for (const degree of degrees) {
        this.#degree = degree
        const value = await work()
        if (isInVain(value)) continue
        this.#hasHelped = true
        return value
      }
      this.#inVain++
      return undefined
    } finally {
      this.#degree = undefined
    }
  }
}
