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

/** Checks that fail are run again with patience, but not for ever on a server that is really broken. */
const mostInVain = 12

/** Lets what was written settle before the next request. */
export class Patience {
  #degree: Degree | undefined
  #inVain = 0
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

  /** Acts with more and more patience, until it is not in vain; nothing when it has been in vain too often. */
  async act<Value>(work: () => Promise<Value>, isInVain: (value: Value) => boolean): Promise<Value | undefined> {
    if (this.#inVain >= mostInVain) return undefined
    try {
      for (const degree of degrees) {
        this.#degree = degree
        const value = await work()
        if (isInVain(value)) continue
        this.#inVain = 0
        return value
      }
      this.#inVain++
      return undefined
    } finally {
      this.#degree = undefined
    }
  }
}
