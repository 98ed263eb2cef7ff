import { NotAllowed } from './errors.ts'
import { Pace, readRetryAfter } from './pace.ts'
import { sleep } from './sleep.ts'
import type { Stop, Stopped } from './stop.ts'
import type { Target } from './target/target.ts'
import { type Incoming, type Outgoing, type Send, Unanswered } from './transport.ts'

/** How many times a request is sent while the server answers 429 and says how long to wait, or does not say it. */
const [attempts, attemptsUntold] = [4, 10]

/** For how many milliseconds nothing is sent after a 429 that does not say how long to wait. */
const shortHold = 250

/** Sends at the pace of the run, and repeats what was answered with 429, since it was not carried out. */
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
    if (status !== 429) this.#pace.speedUp()
    if (status !== 503) this.#stop.onAvailable()
    if (status !== 429 && status !== 503) return incoming
    const wait = readRetryAfter(headers)
    if (this.#stop.isTooLong(wait)) return incoming
    if (status === 503) {
      this.#stop.onUnavailable(wait)
      await sleep(wait ?? 0, this.#stop.signal)
      return incoming
    }
    // With 0 the server says that the next request is welcome at once.
    if (wait !== 0) this.#pace.holdBack(wait ?? shortHold, attempt === 2)
    if (attempt === (wait === undefined ? attemptsUntold : attempts)) return incoming
    await sleep(wait ?? this.#untoldWait(attempt), this.#stop.signal)
    return this.send(request, attempt + 1)
  }

  /** A minute in all for one request, since many servers count the requests of a minute. */
  #untoldWait(attempt: number): number {
    const wait = shortHold * 2 ** Math.max(attempt - 2, 0)
    this.#stop.onUntoldWait(wait)
    return wait
  }

  async #sendOnce(request: Outgoing): Promise<Incoming> {
    if (this.#stop.stopped) fail(this.#stop.stopped)
    const answer = this.#send(request, this.#timeout)
    // A read is abandoned, but what a change has done is only known from its answer.
    if (request.method !== 'GET') return answer
    return Promise.race([
      answer.catch((error: unknown) => this.#readAgain(request, error)),
      this.#stop.happens.then(fail),
    ])
  }

  /** A server may close a connection just as it is used again. To read twice does no harm. */
  async #readAgain(request: Outgoing, error: unknown): Promise<Incoming> {
    if (error instanceof Unanswered && error.isLost) return this.#send(request, this.#timeout)
    throw error
  }
}

function fail({ reason }: Stopped): never {
  throw new NotAllowed(reason)
}
