import type { IncomingHttpHeaders } from 'node:http'
import { chooseAll, type Chosen } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import type { ServiceResponse, StreamableResponse } from '../core/response.ts'
import type { Because } from '../core/refusals.ts'
import type { Caller } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import type { LongText } from '../core/long-json.ts'
import { Latest, type Bounds } from './latest.ts'
import { Outcomes, beginningOf, headOf, longestText, read, type Facts, type LogEntry, type Reason } from './entries.ts'
import { createHash, randomBytes } from 'node:crypto'

/** The fields of a request that the journal stores. */
export interface Requested {
  readonly id: string
  readonly method: string | undefined
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** There when it came over HTTP. */
  readonly raw?: { readonly rawHeaders: readonly string[] }
  /** When it came, by `performance.now()`. */
  readonly startedAt: number
  /** The body as it was sent, as far as it is a text; a form as JSON. */
  readonly text: string | undefined
  readonly operation: OperationId | undefined
  readonly caller: Caller | undefined
}

const mebibyte = 1024 * 1024

export const usualBounds: Bounds = { count: 1_000, bytes: 16 * mebibyte }

/** The latest requests, and the callbacks of readers that wait for the next one. */
export class Journal {
  readonly ids: RequestIds
  readonly #clock: Clock
  readonly #chosenFor: ChosenFor
  readonly #relied = new Map<string, number>()
  readonly #latest: Latest<Facts>
  readonly #outcomes = new Outcomes()
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  constructor(clock: Clock, ids: RequestIds, bounds = usualBounds, chosenFor: ChosenFor = alwaysOurs()) {
    this.ids = ids
    this.#clock = clock
    this.#chosenFor = chosenFor
    this.#latest = new Latest(bounds, unknown)
  }

  /** Adds a response as it is sent, or a long one at its end. Returns the response to send, with the same text. */
  note(asked: Requested, answered: StreamableResponse, isCutOff = false, failure?: string): StreamableResponse {
    const { body } = answered
    if (typeof body === 'string') {
      this.#add(asked, answered, { text: body, length: body.length }, isCutOff, failure)
      return answered
    }
    const onEnd = (beginning: Beginning, isWhole: boolean) => {
      this.#add(asked, answered, beginning, isCutOff || !isWhole, failure)
    }
    return { ...answered, body: observe(body, onEnd) }
  }

  /** The number of the oldest request that is kept. */
  get first(): number {
    return this.#latest.first
  }

  /** The number that the next request will have. */
  get next(): number {
    return this.#latest.next
  }

  /** How much memory is held. */
  get bytes(): number {
    return this.#latest.bytes
  }

  get(number: number): LogEntry | undefined {
    const kept = this.#latest.get(number)
    return kept && read(kept.text, kept.facts)
  }

  /** From the oldest to the latest. */
  *[Symbol.iterator](): Generator<LogEntry> {
    for (let number = this.first; number < this.next; number++) {
      const entry = this.get(number)
      if (entry) yield entry
    }
  }

  /** How many answers relied on an assumption. */
  timesRelied(name: string): number {
    return this.#relied.get(name) ?? 0
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Calls back once, when there is a request more, or when the journal was cleared or closed. */
  onNext(callBack: () => void): void {
    this.#waiting.add(callBack)
  }

  forget(callBack: () => void): void {
    this.#waiting.delete(callBack)
  }

  /** How many wait for the next request. */
  get waiting(): number {
    return this.#waiting.size
  }

  clear(): void {
    this.#latest.clear()
    this.#relied.clear()
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  #add(asked: Requested, answered: Head, answer: Beginning, isCutOff: boolean, failure: string | undefined): void {
    const { id, method, url, startedAt, text, operation, caller } = asked
    const { assumed, learned, because } = answered
    for (const name of assumed) this.#countRelied(name)
    if (learned) for (const name of learned) this.#countRelied(name)
    const failed = failure && beginningOf(failure)
    const reason = because || failed ? this.#reasonOf(because, caller, failed) : undefined
    const head = headOf({ id, method, url, headers: headersOf(asked), reason })
    const at = this.#clock.now() // before anything is added: the clock may be a user's, and throw
    const facts = this.#latest.add(head + beginningOf(text ?? '') + beginningOf(answer.text))
    facts.at = at
    facts.ms = Math.round((performance.now() - startedAt) * 100) / 100
    facts.operation = operation
    facts.team = caller?.teamId
    facts.outcome = this.#outcomes.of(operation, answered, isCutOff)
    facts.head = head.length
    facts.sent = text?.length
    facts.answer = answer.length
    if (this.#waiting.size > 0) this.#wake()
  }

  #reasonOf(because: Because | undefined, caller: Caller | undefined, failure: string | undefined): Reason {
    if (!because) return { failure }
    const chosen = this.#chosenFor(caller?.teamId)
    return {
      because: shorten(because),
      decided: 'assumption' in because ? chosen[because.assumption] : undefined,
      failure,
    }
  }

  #countRelied(name: string): void {
    this.#relied.set(name, this.timesRelied(name) + 1)
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const callBack of waiting) callBack()
  }
}

/** Until a request is noted. */
const unknown = (): Facts => ({
  at: NaN,
  ms: NaN,
  operation: undefined,
  team: undefined,
  outcome: { status: 0, assumed: [], learned: undefined, changed: undefined, isCutOff: false },
  head: 0,
  sent: undefined,
  answer: 0,
})

type ChosenFor = (teamId: string | undefined) => Chosen

function alwaysOurs(): ChosenFor {
  const ours = chooseAll()
  return () => ours
}

type Head = Omit<ServiceResponse, 'body'>

/** Of a request that came over HTTP they are at hand, and to go through an object takes long. */
function headersOf({ raw, headers }: Requested): readonly string[] {
  if (raw) return raw.rawHeaders
  const list: string[] = []
  for (const name in headers) list.push(name, String(headers[name]))
  return list
}

/** A field is named by who sent it, and may be as long as a body. */
function shorten(because: Because): Because {
  const { field = '' } = because
  return field.length <= longestField ? because : { ...because, field: field.slice(0, longestField) }
}

const longestField = 100

interface Beginning {
  readonly text: string
  /** How many characters the whole has. */
  readonly length: number
}

/**
 * Passes the parts on, and calls `onEnd` with their beginning after the last part or when the reader cancels. This is no
 * generator, since a generator that is cancelled before its start runs no code.
 */
function observe(parts: LongText, onEnd: (beginning: Beginning, isWhole: boolean) => void): LongText {
  const iterator = parts[Symbol.asyncIterator]()
  const seen = { text: '', length: 0 }
  let isOver = false

  function end(isWhole: boolean): void {
    if (isOver) return
    isOver = true
    onEnd(seen, isWhole)
  }

  const passingOn: AsyncIterator<string> = {
    async next() {
      try {
        const part = await iterator.next()
        if (part.done) end(true)
        else {
          seen.text += part.value.slice(0, Math.max(0, longestText - seen.text.length))
          seen.length += part.value.length
        }
        return part
      } catch (why) {
        end(false)
        throw why
      }
    },
    async return() {
      end(false)
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => passingOn }
}

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

  /** The id from the client, if it is safe in a header and on a terminal; otherwise a new one. */
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
