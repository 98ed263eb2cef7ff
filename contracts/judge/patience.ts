import { sleep } from '../../client/pace.ts'
import type { Send } from '../../client/transport.ts'

/** How long a read may lag behind a write: nothing promises that it does not. */
const settling = 1100

/** Checks that fail are run again with patience, but not for ever on a server that is really broken. */
const mostInVain = 15

/** Lets what was written settle before the next request. */
export class Patience {
  #isOn = false
  #inVain = 0
  #lastWrite = 0

  /** Sends with patience while it is on. */
  wrap(send: Send): Send {
    return async (request, timeout) => {
      if (this.#isOn) await sleep(this.#lastWrite + settling - Date.now())
      const incoming = await send(request, timeout)
      if (request.method !== 'GET' && incoming.status < 400) this.#lastWrite = Date.now()
      return incoming
    }
  }

  /** Acts with patience; nothing when that has been in vain too often. */
  async act<Value>(work: () => Promise<Value>, isInVain: (value: Value) => boolean): Promise<Value | undefined> {
    if (this.#inVain >= mostInVain) return undefined
    this.#isOn = true
    try {
      const value = await work()
      if (isInVain(value)) this.#inVain++
      else this.#inVain = 0
      return value
    } finally {
      this.#isOn = false
    }
  }
}
