import { fieldsOf } from '../client/answer.ts'
import { fictionalNumber } from '../client/fictional-numbers.ts'
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
  readonly #mint: Mint
  readonly #target: Target
  /** Ids of records from before the run. */
  readonly #before: ReadonlySet<string>
  readonly #values = new Map<string, unknown>()
  /** The name of each generated text, in lower case. */
  readonly #names = new Map<string, string>()
  /** The name of each text from the target, such as a provider. */
  readonly #places = new Map<string, string>()
  readonly #bodies = new Map<number, unknown>()
  readonly #ids = new Set<string>()
  readonly #times = new Map<string, string>()
  readonly #generated: RegExp

  constructor(mint: Mint, target: Target, before: ReadonlySet<string> = new Set()) {
    this.#mint = mint
    this.#target = target
    this.#before = before
    const [run, ids] = [mint.run.replace(/[-_]/, '[-_]'), mint.unknownId().slice(0, 16)]
    this.#generated = new RegExp(`${run}(?:-\\d+@${escape(target.emailDomain)}|[ _-]\\d+)?|${ids}\\d{8}`, 'gi')
  }

  /** Stores a response, from which later steps take ids. */
  store(n: number, body: unknown): void {
    this.#bodies.set(n, body)
  }

  valueOf = (name: string): unknown => {
    const known = this.#values.get(name) ?? this.#make(name)
    this.#values.set(name, known)
    return known
  }

  #make(name: string): unknown {
    const [kind = '', argument = '', ...rest] = name.split(' ')
    if (/^[A-Z]/.test(kind)) return String(this.valueOf(name.toLowerCase())).toUpperCase()
    if (kind === 'spaced') return withSpaces(String(this.valueOf(`phone ${argument}`)))
    const place = placeOf(name, this.#target)
    if (place !== undefined) {
      this.#places.set(place, name)
      return place
    }
    const found = kind === 'from' ? valueAt(this.#bodies.get(Number(argument)), rest.join(' ')) : undefined
    if (found !== undefined) return found
    const generated = makers[kind === 'from' ? 'unknown' : (kind as keyof typeof makers)](this.#mint)
    this.#names.set(generated.toLowerCase(), name)
    return generated
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
    const named = this.#withNames(text)
    if (named !== text) return named
    if (namesAnId.test(field) && text !== '') this.#ids.add(text)
    return this.#ids.has(text) ? ({ id: text } satisfies IdSeen) : text
  }

  #withNames(text: string): string {
    const place = this.#places.get(text)
    if (place !== undefined) return `«${place}»`
    return text
      .replace(this.#generated, (found) => this.#nameOf(found, found.toLowerCase()))
      .replace(phoneNumber, (found) => this.#nameOf(found, `+${found.replace(/\D/g, '')}`))
  }

  #nameOf(found: string, written: string): string {
    const name = this.#names.get(written)
    if (name === undefined) return found
    if (found === written) return `«${name}»`
    return found === found.toUpperCase() ? `«${name.toUpperCase()}»` : `«${name}, written otherwise»`
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

const escape = (text: string) => text.replace(/[^\w]/g, '\\$&')

const isNear = (text: string) => Math.abs(Date.parse(text) - Date.now()) < twoDays

const withSpaces = (phone: string) => `${phone.slice(0, -7)} ${phone.slice(-7, -4)} ${phone.slice(-4)}`

/** Returns a value of the target that steps name, such as a provider. */
function placeOf(name: string, { providers, places, recipients }: Target): string | undefined {
  const [kind, argument, by] = name.split(' ')
  if (kind === 'provider')
    return providers[argument as 'email' | 'sms' | 'whatsapp']?.[by as 'id' | 'address'] ?? 'none'
  if (kind === 'to') return recipients[argument as 'email' | 'phone'][0] ?? 'none'
  if (kind === 'pipeline') return places.pipeline ?? 'pipeline-1'
  return kind === 'stage' ? (places.stage ?? 'stage-1') : undefined
}

/** Returns a value for the lines of a shell, which replace `__RUN__` and `__ANSWER_…__` by variables. */
export function placeholderFor(name: string, target: Target): string {
  const [kind = '', argument = '', ...rest] = name.split(' ')
  if (kind === 'EMAIL') return `__RUN__-${argument}@${target.emailDomain}`.toUpperCase()
  if (kind === 'from') return `__ANSWER_${argument}_${rest.join(' ')}__`
  if (kind === 'email') return `__RUN__-${argument}@${target.emailDomain}`
  if (kind === 'phone') return fictionalNumber(Number(argument))
  if (kind === 'spaced') return withSpaces(fictionalNumber(Number(argument)))
  if (kind === 'unknown') return argument.padStart(24, '0')
  return placeOf(name, target) ?? (kind === 'name' ? `__RUN__ ${argument}` : `__RUN___${argument}`)
}
