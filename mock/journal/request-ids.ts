import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Names each request. With a seed, the same requests get the same ids in every run. */
export class RequestIds {
  readonly #prefix: string
  readonly #repeats: boolean
  #given = 0

  constructor(seed?: number) {
    const origin = seed === undefined ? randomBytes(4) : createHash('sha256').update(`requests ${seed}`).digest()
    this.#prefix = `${origin.toString('hex', 0, 4)}-`
    this.#repeats = seed !== undefined
  }

  /** The id that the client chose, when it may stand in a header and on a terminal; else a new one. */
  idFor({ 'x-request-id': chosen }: IncomingHttpHeaders): string {
    return typeof chosen === 'string' && usable.test(chosen) ? chosen : this.next()
  }

  next(): string {
    return this.#prefix + String(++this.#given)
  }

  /** Starts the sequence over. */
  restart(): void {
    if (this.#repeats) this.#given = 0
  }
}

const usable = /^[\w.:@+/=-]{1,128}$/
