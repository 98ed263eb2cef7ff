import { NotAllowed } from './errors.ts'
import { Pace, readRetryAfter } from './pace.ts'
import { sleep } from './sleep.ts'
import type { Stop, Stopped } from './stop.ts'
import type { Target } from './target/target.ts'
import type { Incoming, Outgoing, Send } from './transport.ts'

/** How often a request is sent that the server is too busy for. */
const attempts = 4

/** Sends at the pace of the run, and again what the server was too busy for: with a 429 it was not carried out. */
export class PatientSend {
  readonly #send: Send
  readonly #timeout: number
  readonly #stop: Stop
  readonly #pace: Pace

  constructor(send: Send, { rate, timeout }: Target, stop: Stop) {
    this.#send = send
    this.#timeout = timeout
    this.#stop = stop
    this.#pace = new Pace(rate)
  }

  /** Returns a 429 only when the server is still too busy after several attempts, or asks for too long a wait. */
  async send(request: Outgoing, attempt = 1): Promise<Incoming> {
    const incoming = await this.#pace.run(() => this.#sendOnce(request), this.#stop.signal)
    const { status, headers } = incoming
    if (status !== 429 && status !== 503) return incoming
    const wait = readRetryAfter(headers['retry-after'])
    if (this.#stop.isTooLong(wait)) return incoming
    if (status === 503) {
      await sleep(wait ?? 0, this.#stop.signal)
      return incoming
    }
    this.#pace.slowDown()
    if (attempt === attempts) return incoming
    await sleep(wait ?? 1000 * 2 ** (attempt - 1), this.#stop.signal)
    return this.send(request, attempt + 1)
  }

  async #sendOnce(request: Outgoing): Promise<Incoming> {
    if (this.#stop.stopped) fail(this.#stop.stopped)
    const answer = this.#send(request, this.#timeout)
    // A read is abandoned, but what a change has done is only known from its answer.
    if (request.method !== 'GET') return answer
    return Promise.race([answer, this.#stop.happens.then(fail)])
  }
}

function fail({ reason }: Stopped): never {
  throw new NotAllowed(reason)
}
