import type { IncomingHttpHeaders } from 'node:http'
import { finished, type Readable } from 'node:stream'
import type { AnyChosen, Chosen } from '../../../spec/choices.ts'
import type { OperationId } from '../../../spec/types.ts'
import { ChangeSubscriptions } from '../../core/changes.ts'
import { sequence } from '../../core/ids.ts'
import type { Caller } from '../../core/transaction.ts'
import type { Clock } from '../../core/clock.ts'
import type { MemoryBudget } from '../../store/retention.ts'
import { type LongText, streamOf } from '../../core/long-json.ts'
import type { Because } from '../../core/refusals.ts'
import type { ServiceResponse, StreamableResponse } from '../../core/operation.ts'

/** The fields of a request that the journal stores. */
export interface Requested {
  readonly id: string
  /** Undefined when no request could be parsed. */
  readonly method: string | undefined
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The headers in their order and case, which only a request over HTTP has. */
  readonly raw?: { readonly rawHeaders: readonly string[] }
  /** When it came, by `performance.now()`. */
  readonly startedAt: number
  /** The body as it was sent, if it is a text; a form as JSON. */
  readonly text: string | undefined
  readonly operation: OperationId | undefined
  readonly caller: Caller | undefined
}

/** A request and its response. */
export interface LogEntry extends Pick<Requested, 'id' | 'method' | 'url' | 'operation'> {
  /** When it came, by the clock of the sandbox. */
  readonly at: number
  /** How long the response took, in milliseconds. */
  readonly ms: number
  /** Names and values in turn, as Node has parsed them. */
  readonly headers: readonly string[]
  readonly team: string | undefined
  readonly sent: Text | undefined
  readonly answer: Text
  readonly status: number
  readonly assumed: readonly string[]
  readonly learned: readonly string[] | undefined
  readonly changed: ServiceResponse['changed'] | undefined
  readonly because: Because | undefined
  readonly hint: string | undefined
  /** Whether the client left before it had the whole response. */
  readonly isCutOff: boolean
  /** The choice in force, when an assumption decided: it may be switched later. */
  readonly decided: AnyChosen | undefined
  /** The internal error, or the fault that replaced the response. */
  readonly failure: Failed | undefined
  /** In bytes. */
  readonly size: number
}

type Failed = string | { readonly fault: string }

/** A text, or the beginning of a long one with the length of the whole. */
export type Text = string | { readonly beginning: string; readonly length: number }

/** In characters; longer texts are cut. */
export const longestText = 16 * 1024

/** In a loop, an entry is worth so many steps: its texts are parsed or redacted. */
export const stepsOfEntry = 50
/** Stored beyond that, since redaction needs whole secrets. */
const margin = 1024
const longestStored = longestText + margin
const longestField = 100

/** Redacts a text before it is cut. */
export function shorten(text: Text, redact: (text: string) => string): string {
  return typeof text === 'string' ? redact(text).slice(0, longestText) : redact(text.beginning).slice(0, -margin)
}

const mostEntries = 1_000

/** Upper bounds of the times that are counted together, in milliseconds. */
export const boundsOfTimes = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

/** The responses to one operation since the start. */
export class OperationCounts {
  readonly ofStatus = new Map<number, number>()
  /** For each bound, the responses that took at most that long and longer than the bound before; at last all others. */
  readonly ofTime = new Float64Array(boundsOfTimes.length + 1)
  milliseconds = 0
  /** Responses to an Idempotency-Key that had come before. */
  repeatedKeys = 0

  /** Only increments, since it is called for each response. */
  add(status: number, ms: number): void {
    this.ofStatus.set(status, (this.ofStatus.get(status) ?? 0) + 1)
    this.milliseconds += ms
    let at = 0
    while (ms > (boundsOfTimes[at] ?? Infinity)) at++
    this.ofTime[at] = (this.ofTime[at] ?? 0) + 1
  }
}

/** The latest requests. */
export class Journal {
  /** By operation; under `none` the requests to no operation. A reset does not clear them. */
  readonly counts = new Map<string, OperationCounts>()
  /** How many responses relied on each assumption, since the start. */
  readonly reliedSinceStart = new Map<string, number>()
  readonly ids: RequestIds
  /** Announces new requests, by team. */
  readonly changes = new ChangeSubscriptions()
  readonly #clock: Clock
  readonly #memory: MemoryBudget
  readonly #count: number
  readonly #most: number
  readonly #chosenFor: ChosenFor
  readonly #relied = new Map<string, number>()
  readonly #entries: LogEntry[] = []
  #size = 0
  #next = 0
  #latest = 0

  constructor(clock: Clock, ids: RequestIds, chosenFor: ChosenFor, memory: MemoryBudget, count = mostEntries) {
    this.ids = ids
    this.#clock = clock
    this.#memory = memory
    this.#count = count
    this.#most = memory.mostOf('journal')
    memory.shrinkJournal = (bytes) => this.#keepWithin(this.#size - bytes)
    this.#chosenFor = chosenFor
  }

  /** Adds a response; a streamed one when its stream ends. Returns the response to send. */
  note(
    request: Requested,
    response: StreamableResponse,
    isCutOff = false,
    failure?: Failed,
  ): ServiceResponse<string | Readable> {
    const { body } = response
    if (typeof body === 'string') {
      this.#add(request, response, textOf(body), isCutOff, failure)
      return response as ServiceResponse
    }
    const sent = { beginning: '', length: 0 }
    const stream = streamOf(observe(body, sent))
    finished(stream, (error) =>
      this.#add(request, response, textOf(sent.beginning, sent.length), isCutOff || Boolean(error), failure),
    )
    return { ...response, body: stream }
  }

  /** The number that the next request will have. */
  get next(): number {
    return this.#next
  }

  get size() {
    return { entries: this.#entries.length, bytes: this.#size }
  }

  /** From the oldest to the latest, beginning with this number. */
  from(number = 0): readonly LogEntry[] {
    return this.#entries.slice(Math.max(0, number - this.#next + this.#entries.length))
  }

  /** How many responses relied on an assumption. */
  timesRelied(name: string): number {
    return this.#relied.get(name) ?? 0
  }

  clear(): void {
    this.#keepWithin(-1)
    this.#relied.clear()
  }

  #add(
    request: Requested,
    { status, assumed, learned, changed, because, hint }: Omit<ServiceResponse, 'body'>,
    answer: Text,
    isCutOff: boolean,
    failure: Failed | undefined,
  ): void {
    const { id, method, startedAt, text, operation, caller } = request
    const url = beginningOf(request.url, longestStored)
    const headers = headersOf(request)
    const sent = text === undefined ? undefined : textOf(text)
    const failed = typeof failure === 'string' ? beginningOf(failure, longestStored) : failure
    const others =
      url.length + lengthOf(headers) + (hint?.length ?? 0) + (typeof failed === 'string' ? failed.length : 0)
    const size = 2 * (others + storedLengthOf(sent) + storedLengthOf(answer))
    const team = caller?.teamId
    const ms = Math.round((performance.now() - startedAt) * 100) / 100
    let counts = this.counts.get(operation ?? 'none')
    if (!counts) this.counts.set(operation ?? 'none', (counts = new OperationCounts()))
    counts.add(status, ms)
    const entry = {
      id,
      at: this.#now(),
      ms,
      method,
      url,
      headers,
      sent,
      operation,
      team,
      status,
      answer,
      assumed,
      learned,
      changed,
      isCutOff,
      because: because && shortenField(because),
      hint,
      decided: because && 'assumption' in because ? this.#chosenFor(team)[because.assumption] : undefined,
      failure: failed,
      size,
    }
    for (const name of assumed) this.#addRelied(name, counts)
    if (learned) for (const name of learned) this.#addRelied(name, counts)
    this.#entries.push(entry)
    this.#size += size
    this.#next++
    this.#keepWithin(this.#most)
    if (this.changes.isObserved) this.changes.notify(team)
  }

  /** Removes the oldest. */
  #keepWithin(bytes: number): void {
    while (this.#entries.length > this.#count || (this.#size > bytes && this.#entries.length > 0))
      this.#size -= this.#entries.shift()?.size ?? 0
    this.#memory.used.journal = this.#size
  }

  #addRelied(name: string, counts: OperationCounts): void {
    this.#relied.set(name, this.timesRelied(name) + 1)
    this.reliedSinceStart.set(name, (this.reliedSinceStart.get(name) ?? 0) + 1)
    if (name === 'repeatedKey') counts.repeatedKeys++ // read only for a key that had come before
  }

  /** The clock may be a user's, and throw: its error 500 gets the time of the response before. */
  #now(): number {
    try {
      return (this.#latest = this.#clock.now())
    } catch {
      return this.#latest
    }
  }
}

const textOf = (text: string, length = text.length): Text =>
  length <= longestStored ? text : { beginning: beginningOf(text, longestStored), length }

const storedLengthOf = (text: Text = '') => (typeof text === 'string' ? text.length : text.beginning.length)

/** The name of a field may be as long as a body. */
const shortenField = (because: Because): Because =>
  because.field === undefined ? because : { ...because, field: beginningOf(because.field, longestField) }

/** A copy, since a slice would keep the whole text in memory. */
export const beginningOf = (text: string, longest: number): string =>
  text.length <= longest ? text : Buffer.from(text.slice(0, longest), 'utf16le').toString('utf16le')

type ChosenFor = (teamId: string | undefined) => Chosen

const headersOf = ({ raw, headers }: Requested): readonly string[] =>
  raw?.rawHeaders ?? Object.entries(headers).flatMap(([name, value]) => [name, String(value)])

/** A loop, since `reduce` needs a function for each request. */
function lengthOf(texts: readonly string[]): number {
  let length = 0
  for (const text of texts) length += text.length
  return length
}

async function* observe(parts: LongText, sent: { beginning: string; length: number }): LongText {
  for await (const part of parts) {
    const text = part.toString()
    if (sent.beginning.length < longestStored) sent.beginning = beginningOf(sent.beginning + text, longestStored)
    sent.length += text.length
    yield part
  }
}

export type RequestIds = ReturnType<typeof requestIds>

/** Names each request. With a seed, the same requests get the same ids in every run. */
export function requestIds(seed?: number) {
  const { prefix, next: nextNumber, restart } = sequence('requests', seed, 4)
  const next = () => `${prefix}-${nextNumber() + 1}`
  return {
    next,
    restart,
    /** The id from the client, if it is safe in a header and on a terminal; otherwise a new one. */
    idFor: ({ 'x-request-id': chosen }: IncomingHttpHeaders) =>
      typeof chosen === 'string' && usable.test(chosen) ? chosen : next(),
  }
}

const usable = /^[\w.:@+/=-]{1,128}$/
