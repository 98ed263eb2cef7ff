import { once, setMaxListeners } from 'node:events'
import { lists } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { Answer } from './answer.ts'
import { NotAllowed } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { createRequest, type Input } from './request.ts'
import { sleep } from './sleep.ts'
import { type Caller, credentialHeader, credentialNames, variables, type Who } from './target/credentials.ts'
import type { Target } from './target/target.ts'
import { type Incoming, type Outgoing, type Send, NoResponse } from './transport.ts'

/** The longest wait that a server may ask for, and the longest sum of waits for one request, in milliseconds. */
const longestWait = 60_000

/** The numbers of failures in a row that end a run. */
const limits = { unanswered: 3, refusedByRate: 3, unavailable: 20, withoutJson: 20 }

/** The number of times that a request is sent while the answer is 429. */
const mostAttempts = 10

/** A run stores so many characters of answers about one record each. */
const mostRemembered = 64 * 1024 * 1024

/** Why a run sends no more requests. */
export interface Stopped {
  readonly reason: string
  /** The server gave no answer, or the run itself failed. Neither says anything about the server. */
  readonly unreachable: boolean
}

export interface SenderObserver {
  onRequest?(exchange: Exchange): void
  /** A server that answers 429 did not process the request. */
  onTooMany?(exchange: Exchange): void
  onAnswer(answer: Answer, exchange: Exchange & { readonly incoming: Incoming }): void
  onNoAnswer(exchange: Exchange, error: NoResponse): void
}

export interface SenderOptions {
  readonly target: Target
  readonly send: Send
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined
  /** Sends several requests at once; by default if the target takes them. */
  readonly isParallel?: boolean
  /** The number of 5xx answers that ends the run: by default 3, and no limit on this machine. */
  readonly mostFailures?: number
  readonly observer?: SenderObserver | undefined
  /** Called before each request is sent, which waits for it. */
  readonly before?: ((operation: OperationId, request: Outgoing) => Promise<void>) | undefined
}

/**
 * Sends the requests of a run with the credential of the caller and at the pace of the target, and repeats them after a
 * 429. It stops for good when the server is down, asks for long waits, or shows that the run does harm.
 */
export class Sender {
  readonly target: Target
  readonly #send: Send
  readonly #observer: SenderObserver | undefined
  readonly #before: SenderOptions['before']
  readonly #controller = new AbortController()
  readonly #isSerial: boolean
  readonly #mostFailures: number
  readonly #accepted = new Set<Caller>()
  readonly #inARow = { unanswered: 0, refusedByRate: 0, unavailable: 0, withoutJson: 0 }
  #failures = 0
  #remembered = 0
  #unavailableFor = 0
  #last: Promise<unknown> = Promise.resolve()
  #nextAt = 0
  #heldUntil = 0
  #stopped: Stopped | undefined

  constructor({
    target,
    send,
    signal,
    isParallel = target.concurrency > 1,
    mostFailures,
    observer,
    before,
  }: SenderOptions) {
    this.target = target
    this.#send = send
    this.#observer = observer
    this.#before = before
    this.#isSerial = !isParallel
    this.#mostFailures = mostFailures ?? (target.loopback ? Infinity : 3)
    const interrupt = () => this.stop('the run was interrupted')
    // Each request in flight listens, and each sender of a run.
    setMaxListeners(0, this.signal, ...(signal ? [signal] : []))
    if (signal?.aborted) interrupt()
    signal?.addEventListener('abort', interrupt)
  }

  /** `undefined` while the run goes on. */
  get stopped(): Stopped | undefined {
    return this.#stopped
  }

  /** Aborts when the run stops. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Sends no more requests. The first reason counts. */
  stop(reason: string, unreachable = false): void {
    this.#stopped ??= { reason, unreachable }
    this.#controller.abort()
  }

  /**
   * Returns the answer, with any status. Throws `Unanswered` when none came: the server may have processed the request.
   * Throws `NotAllowed`, without sending, when the run has stopped or a credential is missing.
   */
  async send<Id extends OperationId>(operation: Id, input: Input = {}, isObserved = true): Promise<Answer<Id>> {
    const { caller = 'team' } = input
    const credentials = this.checkCredentials(input)
    const request = await createRequest(this.target.origin, operation, input)
    const exchange = { operation, caller, input, request }
    await this.#before?.(operation, request)
    const observer = isObserved ? this.#observer : undefined
    observer?.onRequest?.(exchange)
    try {
      const incoming = await this.#sendPatiently({
        ...request,
        headers: { ...this.target.headers, ...request.headers, ...Object.fromEntries(credentials) },
      })
      const answer = new Answer(operation, incoming.status, incoming.text, incoming.headers)
      if (answer.status === 429) observer?.onTooMany?.(exchange)
      else {
        if (request.method !== 'DELETE' && !lists.some((list) => list === operation))
          this.#remembered += incoming.text.length
        if (this.#remembered > mostRemembered)
          this.stop(
            `stopped, since ${this.target.host} answers with more than a run can remember: 64 MiB about records`,
          )
        observer?.onAnswer(answer, { ...exchange, incoming })
        this.#watch(answer, caller)
      }
      return answer
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      observer?.onNoAnswer(exchange, error)
      if (++this.#inARow.unanswered >= limits.unanswered)
        this.stop(`${this.target.host} gives no responses: ${error.message}`, true)
      throw error
    }
  }

  /** Returns the headers with the credentials of a request. Throws `NotAllowed` when a credential is missing. */
  checkCredentials({ caller = 'team', also = 'nobody' }: Input): (readonly [name: string, value: string])[] {
    const reveal = (who: Who) => {
      const secret = this.target.credentials[who]
      if (!secret) throw new NotAllowed('credential', `needs ${credentialNames[who]}, in ${variables[who]}`)
      return secret
    }
    return [caller, also].flatMap((who) => {
      const header = credentialHeader(who, reveal)
      return header ? [header] : []
    })
  }

  /** The server did not process a request that it answered with 429. */
  async #sendPatiently(request: Outgoing): Promise<Incoming> {
    const { host } = this.target
    let waited = 0
    for (let attempt = 1; ; attempt++) {
      const incoming = await this.#sendAtPace(request)
      const { status, headers } = incoming
      if (status !== 429) this.#inARow.refusedByRate = 0
      if (status !== 503) this.#inARow.unavailable = this.#unavailableFor = 0
      if (status !== 429 && status !== 503) return incoming
      const asked = readRetryAfter(headers)
      const wait = asked ?? (status === 503 ? 0 : 125 * 2 ** attempt)
      if (wait > longestWait && asked !== undefined)
        this.stop(`${host} asks to wait ${Math.ceil(wait / 1000)} seconds (Retry-After): run again after that`)
      this.#heldUntil = Math.max(this.#heldUntil, Date.now() + wait)
      waited += wait
      if (status === 503) {
        this.#unavailableFor += wait
        if (++this.#inARow.unavailable >= limits.unavailable || this.#unavailableFor > longestWait)
          this.stop(`${host} is not available (503): run again later`)
        return incoming
      }
      if (!this.#stopped && attempt < mostAttempts && waited <= longestWait) continue
      if (++this.#inARow.refusedByRate >= limits.refusedByRate)
        this.stop(`${host} takes no more requests for now (429): run again later`)
      return incoming
    }
  }

  async #sendAtPace(request: Outgoing): Promise<Incoming> {
    if (!this.#isSerial) return this.#sendOnce(request)
    const incoming = this.#last.then(() => this.#sendOnce(request))
    this.#last = incoming.catch(() => undefined)
    return incoming
  }

  async #sendOnce(request: Outgoing): Promise<Incoming> {
    await this.#waitForPace()
    if (this.#stopped) throw new NotAllowed('ended', this.#stopped.reason)
    const send = () => this.#send(request, this.target.timeout)
    // A run that stops still waits for the answer to a write: only the answer shows what the write did.
    if (request.method !== 'GET') return send()
    // A server may close an idle connection at the moment when it is reused.
    const response = send().catch((error: unknown) => {
      if (error instanceof NoResponse && error.how === 'lost') return send()
      throw error
    })
    return this.#unlessStopped(response)
  }

  async #unlessStopped(response: Promise<Incoming>): Promise<Incoming> {
    const stop = new AbortController()
    const stopped = once(this.signal, 'abort', { signal: stop.signal }).then(() => {
      throw new NotAllowed('ended', this.#stopped?.reason ?? '')
    })
    try {
      return await Promise.race([response, stopped])
    } finally {
      stop.abort()
    }
  }

  async #waitForPace(): Promise<void> {
    while (!this.#stopped) {
      const start = Math.max(this.#nextAt, this.#heldUntil)
      const now = Date.now()
      if (start <= now) {
        this.#nextAt = now + 1000 / this.target.rate
        return
      }
      await sleep(start - now, this.signal)
    }
  }

  #watch(answer: Answer, caller: Caller): void {
    this.#inARow.unanswered = 0
    this.#inARow.withoutJson = answer.body === undefined ? this.#inARow.withoutJson + 1 : 0
    if (this.#inARow.withoutJson >= limits.withoutJson)
      this.stop(`${this.target.host} answers, but not with JSON: it may not be the service at all`)
    if (answer.status >= 500 && ++this.#failures >= this.#mostFailures)
      this.stop(`stopped after ${this.#failures} responses with 5xx`)
    if (answer.succeeded) this.#accepted.add(caller)
    if (!this.target.loopback && answer.status === 401 && this.#accepted.has(caller))
      this.stop('stopped, since a credential that was accepted no longer is')
  }
}

/** The milliseconds of a Retry-After header, which has seconds or a date by the clock of the server. */
export function readRetryAfter({ 'retry-after': header, date }: Incoming['headers']): number | undefined {
  const [retryAfter = ''] = [header].flat()
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return 1000 * Number(retryAfter)
  const now = Date.parse(String(date))
  const wait = Date.parse(retryAfter) - (Number.isNaN(now) ? Date.now() : now)
  return Number.isNaN(wait) || !retryAfter.includes(':') ? undefined : Math.max(wait, 0)
}
