import { fieldsOf } from '../client/answer.ts'
import type { Mint } from '../client/mint.ts'
import { makers, valueAt } from '../client/steps.ts'
import type { Target } from '../client/target/target.ts'

/** An id of a server; only its occurrences are compared, not its value. */
interface IdSeen {
  readonly id: string
}

/** A time near now, and whether the field had another time before. */
export interface TimeSeen {
  readonly time: 'first' | 'same' | 'other' | 'inexact'
}

/** Replaces a record from before the run. */
const fromBefore = 'a record from before'

const twoDays = 2 * 86_400_000
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
/** To the millisecond, and not by accident a whole second. */
const exactTime = /\.\d*[1-9]\d*(?:Z|[+-]\d\d:?\d\d)$/
const namesAnId = /(?:^_id|^id|Ids?)$/
const phoneNumber = /\+?\d[\d ().-]{6,24}\d/g

/** The values of the names on one side, and the names of the values in its responses. */
export class Names {
  readonly #make: (kind: string, argument: string) => unknown
  /** Ids of records from before the run. */
  readonly #before: ReadonlySet<string>
  readonly #values = new Map<string, unknown>()
  /** The name of each generated number and phone number. */
  readonly #names = new Map<unknown, string>()
  readonly #bodies = new Map<number, unknown>()
  readonly #ids = new Set<string>()
  readonly #times = new Map<string, string>()
  readonly #marks: RegExp

  /** `isFirst`: the requests that the names were made of, so that a name has the value that it contains. */
  constructor(mint: Mint, target: Target, before: ReadonlySet<string> = new Set(), isFirst = false) {
    this.#before = before
    this.#marks = new RegExp(`(${mint.letters})(?:([-_ ])(\\d+))?`, 'gi')
    this.#make = (kind, argument) => {
      const place = places.find(([name]) => name === `${kind} ${argument}`.trim())
      if (place) return place[1](target) ?? argument
      if (isFirst && kind === 'number') return argument
      if (isFirst && kind === 'phone') return `+${argument}`
      return makers[kind in makers ? (kind as keyof typeof makers) : 'unknown'](mint)
    }
  }

  /** Stores a response, from which later steps take ids. */
  store(n: number, body: unknown): void {
    this.#bodies.set(n, body)
  }

  valueOf = (name: string): unknown => {
    const known = this.#values.get(name) ?? this.#valueFor(name)
    this.#values.set(name, known)
    return known
  }

  #valueFor(name: string): unknown {
    const [kind = '', argument = '', ...rest] = name.split(' ')
    const found = kind === 'from' ? valueAt(this.#bodies.get(Number(argument)), rest.join(' ')) : undefined
    if (found !== undefined) return found
    const made = this.#make(kind, [argument, ...rest].join(' '))
    this.#names.set(made, name)
    return made
  }

  /** Replaces the values in a response by their names, so that the responses of two sides can be compared. */
  recognize(value: unknown, field = '', owner = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => this.recognize(item, field, owner))
    if (typeof value === 'object' && value !== null) return this.#recognizeFields(value)
    if (typeof value === 'string') return this.#recognizeText(value, field, owner)
    return typeof value === 'number' && namesAnId.test(field) ? { id: String(value) } : value
  }

  #recognizeFields(value: object): unknown {
    const fields = fieldsOf(value)
    const owner = typeof fields._id === 'string' ? fields._id : ''
    if (this.#before.has(owner)) return fromBefore
    // Sorted, so that both sides first show their ids in the same order.
    const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(sorted.map(([key, inside]) => [key, this.recognize(inside, key, owner)]))
  }

  #recognizeText(text: string, field: string, owner: string): unknown {
    if (isoTime.test(text) && isNear(text)) return this.#recognizeTime(text, field, owner)
    if (/^\d{4}-\d\d-\d\d$/.test(text) && isNear(text)) return '«today»'
    const named = /^\d+$/.test(text) ? text : (this.#names.get(text) ?? this.#withNames(text))
    if (named !== text) return named
    if (namesAnId.test(field) && text !== '') this.#ids.add(text)
    return this.#ids.has(text) ? ({ id: text } satisfies IdSeen) : text
  }

  #withNames(text: string): string {
    return text
      .replace(this.#marks, (found, letters: string, sign = '', number = '') => {
        const isEven = letters === letters.toLowerCase() || letters === letters.toUpperCase()
        const mark = isEven ? (letters === letters.toLowerCase() ? 'letters' : 'LETTERS') : 'letters, written otherwise'
        return `«${mark}»${sign}${number === '' ? '' : `«${this.#names.get(number) ?? number}»`}`
      })
      .replace(phoneNumber, (found) => {
        const [plain, name] = [`+${found.replace(/\D/g, '')}`, this.#names.get(`+${found.replace(/\D/g, '')}`)]
        return name === undefined ? found : found === plain ? `«${name}»` : `«${name}, written otherwise»`
      })
  }

  #recognizeTime(text: string, field: string, owner: string): TimeSeen {
    const key = `${owner} ${field}`
    const last = this.#times.get(key)
    this.#times.set(key, text)
    if (owner === '' || !/^(created|updated)At$/.test(field) || !exactTime.test(text)) return { time: 'inexact' }
    if (last === undefined) return { time: 'first' }
    return { time: last === text ? 'same' : exactTime.test(last) ? 'other' : 'inexact' }
  }
}

const isNear = (text: string) => Math.abs(Date.parse(text) - Date.now()) < twoDays

/** The names of values of a target, which differ between the sides. */
const places: readonly (readonly [name: string, value: (target: Target) => string | undefined])[] = [
  ...(['email', 'sms', 'whatsapp'] as const).flatMap((channel) =>
    (['id', 'address'] as const).map(
      (by) => [`provider ${channel} ${by}`, ({ providers }: Target) => providers[channel]?.[by]] as const,
    ),
  ),
  ['pipeline', ({ places }) => places.pipeline],
  ['stage', ({ places }) => places.stage],
]

/** The names of the values of a target. */
export const namesOfPlaces = (target: Target): ReadonlyMap<string, string> =>
  new Map(
    places.flatMap(([name, value]) => {
      const known = value(target)
      return known === undefined ? [] : [[known, `«${name}»`] as const]
    }),
  )
