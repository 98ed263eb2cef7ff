import type { IncomingHttpHeaders } from 'node:http'
import { chooseAll, type Chosen } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Answered, AnsweredAtLength } from '../core/answered.ts'
import type { Because } from '../core/because.ts'
import type { Caller } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import type { LongText } from '../core/long-json.ts'
import { type Bounds, Latest } from './latest.ts'
import { type Beginning, beginningOf, bytesOf, copyOf, longestText, type Noted } from './noted.ts'
import type { RequestIds } from './request-ids.ts'

/** What the journal needs of a request. */
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

/** The latest requests, and those who wait for the next. */
export class Journal {
  readonly ids: RequestIds
  readonly #clock: Clock
  readonly #chosenFor: ChosenFor
  readonly #relied = new Map<string, number>()
  readonly #latest: Latest<Noted>
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  constructor(clock: Clock, ids: RequestIds, bounds = usualBounds, chosenFor: ChosenFor = alwaysOurs()) {
    this.ids = ids
    this.#clock = clock
    this.#chosenFor = chosenFor
    this.#latest = new Latest(bounds)
  }

  /** Notes an answer as it leaves; returns what should be sent, which is the same text. */
  note(asked: Requested, answered: AnsweredAtLength, isCutOff = false, failure?: string): AnsweredAtLength {
    const { body } = answered
    if (typeof body === 'string') {
      this.#add(asked, answered, beginningOf(body), isCutOff, failure)
      return answered
    }
    const noted = this.#add(asked, answered, { beginning: '', length: 0 }, isCutOff, failure)
    return { ...answered, body: copyBeginning(body, noted) }
  }

  get latest(): Latest<Noted> {
    return this.#latest
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

  #add(
    asked: Requested,
    answered: Head,
    answer: Noted['answer'],
    isCutOff: boolean,
    failure: string | undefined,
  ): Noted {
    const { id, method, url, headers, startedAt, text, operation, caller } = asked
    const { status, assumed, learned, changed, because } = answered
    for (const name of assumed) this.#countRelied(name)
    if (learned) for (const name of learned) this.#countRelied(name)
    const noted: Noted = {
      id,
      at: this.#clock.now(),
      ms: performance.now() - startedAt,
      method,
      url,
      headers,
      sent: text === undefined ? undefined : beginningOf(text),
      operation,
      team: caller?.teamId,
      status,
      answer,
      assumed,
      learned,
      changed,
      because: because && shortened(because),
      decided: because && 'assumption' in because ? this.#chosenFor(caller?.teamId)[because.assumption] : undefined,
      isCutOff,
      failure,
    }
    // A long answer is still on its way: room is kept for its beginning.
    this.#latest.add(noted, bytesOf(noted, asked.raw?.rawHeaders) + (typeof answer === 'object' ? 2 * longestText : 0))
    if (this.#waiting.size > 0) this.#wake()
    return noted
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

type ChosenFor = (teamId: string | undefined) => Chosen

function alwaysOurs(): ChosenFor {
  const ours = chooseAll()
  return () => ours
}

type Head = Omit<Answered, 'body'>

/** A field is named by who sent it, and may be as long as a body. */
function shortened(because: Because): Because {
  const { field = '' } = because
  return field.length <= longestField ? because : { ...because, field: copyOf(field.slice(0, longestField)) }
}

const longestField = 100

/** Passes the parts on, and adds the first ones to what is noted. */
async function* copyBeginning(parts: LongText, noted: Noted): LongText {
  let isWhole = false
  try {
    for await (const part of parts) {
      noted.answer = longer(noted.answer as Beginning, part)
      yield part
    }
    isWhole = true
  } finally {
    noted.isCutOff ||= !isWhole
  }
}

function longer({ beginning, length }: Beginning, part: string): Beginning {
  const missing = longestText - beginning.length
  return { beginning: beginning + copyOf(part.slice(0, Math.max(0, missing))), length: length + part.length }
}
