import { randomBytes } from 'node:crypto'
import type { Operation } from '../../spec/operations.ts'
import { mapRecords } from '../../spec/voice/records.ts'
import { type IdForm, idFormOf, type Voice } from '../../spec/voice/voice.ts'
import { type Clock, Timestamps } from '../core/clock.ts'
import type { AnyReply } from '../core/envelope.ts'
import type { Asked } from '../core/operation.ts'
import { addFields, metaOf } from './more-fields.ts'
import { timeWriter } from './shown-times.ts'
import { refusalText, type Refused, successText } from './texts.ts'
import { idFrom } from './voiced-ids.ts'

/** Makes answers sound like those of the server that a voice was learned from. What is promised stays as it is. */
export class Speaker {
  readonly #voice: Voice
  readonly #clock: Clock
  readonly #times: Timestamps
  readonly #origin: string
  readonly #writeTime: (time: string) => string
  readonly #limit: number
  #count = 0

  constructor(voice: Voice, clock: Clock, seed?: number) {
    this.#voice = voice
    this.#clock = clock
    this.#times = new Timestamps(clock)
    this.#origin = seed === undefined ? randomBytes(8).toString('hex') : String(seed)
    this.#writeTime = voice.times ? timeWriter(voice.times) : (time) => time
    const [, limit] = Object.entries(voice.headers ?? {}).find(([name]) => name.endsWith('limit')) ?? []
    this.#limit = Number(limit) || usualLimit
  }

  /** The reply with the texts, the times and the additional fields of the server. */
  reply(reply: AnyReply, operation: Operation, asked: Asked): AnyReply {
    const { data } = reply
    const message = successText(this.#voice, reply, operation, asked)
    return data === undefined ? { ...reply, message } : { ...reply, message, data: this.#data(operation, data) }
  }

  /** The message of a refusal; nothing where ours stays. */
  refusal(refused: Refused): string | undefined {
    return refusalText(this.#voice, refused)
  }

  /** What stands as `meta` beside the data of an answer; undefined when no choice but the register says so. */
  get newMeta(): (() => object) | undefined {
    const { meta } = this.#voice
    return meta && (() => metaOf(meta, `${this.#origin} ${++this.#count}`, () => this.#now()))
  }

  /** The headers of one more answer. */
  headers(): Readonly<Record<string, string>> {
    const { headers } = this.#voice
    if (headers === undefined) return {}
    const count = this.#count++
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#header(name, value, count)]))
  }

  #header(name: string, value: string, count: number): string {
    // Never 0, since the sandbox goes on answering.
    if (value === '{remaining}') return String(this.#limit - (count % this.#limit))
    if (value === '{resetIn}') return '60'
    if (value === '{resetAt}') return String(Math.floor(this.#clock.now() / 1000) + 60)
    const form: IdForm | undefined = idFormOf(value)
    return form ? idFrom(form, `${this.#origin} ${name} ${count}`) : value
  }

  #data(operation: Operation, data: unknown): unknown {
    const { fields = {}, ids } = this.#voice
    return mapRecords(operation.id, data, (record, name) => {
      const types = fields[name]
      const more = types ? addFields(record, types, name, { ids, now: () => this.#times.now() }) : record
      return this.#voice.times ? this.#withTimes(more) : more
    })
  }

  #withTimes(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const entries = Object.entries(record).map(([name, value]): [string, unknown] => [
      name,
      typeof value === 'string' && isTimeOfServer(name, value) ? this.#writeTime(value) : value,
    ])
    return Object.fromEntries(entries)
  }

  #now(): string {
    return this.#writeTime(this.#times.now())
  }
}

/** A time that the sandbox wrote, and not one that a client has sent. */
const isTimeOfServer = (name: string, value: string) =>
  name.endsWith('At') && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)

/** When a server counts down without saying from where. */
const usualLimit = 1_000
