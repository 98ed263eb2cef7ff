import { fieldsOf } from '../../client/answer.ts'
import { fictionalNumber } from '../../client/fictional-numbers.ts'
import type { Mint } from '../../client/mint.ts'
import type { Input } from '../../client/request.ts'
import type { Target } from '../../client/target/target.ts'
import type { Step, StepInput } from './plan.ts'

/** A time near now: for a record that an earlier response showed, whether it is still the same. */
export interface TimeSeen {
  readonly time: 'first' | 'same' | 'other' | 'inexact'
}

const recordFromBefore = 'a record from before'

const twoDays = 2 * 86_400_000
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
/** To the millisecond, and not by accident a whole second. */
const exactTime = /\.\d*[1-9]\d*(?:Z|[+-]\d\d:?\d\d)$/
const namesAnId = /(?:^_id|^id|Ids?)$/
const phoneNumber = /\+?\d[\d ().-]{6,24}\d/g
const anyName = /«[^»]*»/g

/** Returns the names in a step, such as `email 3`, in lower case. */
export const namesIn = ({ input }: Step): string[] =>
  (JSON.stringify(input).match(anyName) ?? []).map((name) => name.slice(1, -1).toLowerCase())

/** Returns the input of a call with values in place of the names. */
export function toInput(input: StepInput, valueOf: (name: string) => unknown): Input {
  const { fields, ...filled } = fillIn(input, valueOf) as StepInput
  if (!fields) return filled
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return { ...filled, form }
}

/** A text that is only a name may become another type. */
function fillIn(value: unknown, valueOf: (name: string) => unknown): unknown {
  if (typeof value === 'string') {
    if (/^«[^»]*»$/.test(value)) return valueOf(value.slice(1, -1))
    return value.replace(anyName, (name) => String(valueOf(name.slice(1, -1))))
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, valueOf))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fillIn(field, valueOf)]))
}

/** Returns a value of the target that steps name, such as a provider. */
export function placeOf(name: string, { providers, places, recipients }: Target): string | undefined {
  const [kind, argument, by] = name.split(' ')
  if (kind === 'provider')
    return providers[argument as 'email' | 'sms' | 'whatsapp']?.[by as 'id' | 'address'] ?? 'none'
  if (kind === 'to') return recipients[argument as 'email' | 'phone'][0] ?? 'none'
  if (kind === 'pipeline') return places.pipeline ?? 'pipeline-1'
  return kind === 'stage' ? (places.stage ?? 'stage-1') : undefined
}

/** The values of the names on one side, and the names of the values in its responses. */
export class Names {
  readonly #mint: Mint
  readonly #target: Target
  /** Ids of records from before the run. */
  readonly #before: ReadonlySet<string>
  readonly #values = new Map<string, unknown>()
  /** The name of each generated text, in lower case, and of each text from the target. */
  readonly #names = new Map<string, string>()
  readonly #places = new Map<string, string>()
  readonly #bodies = new Map<number, unknown>()
  readonly #ids = new Set<string>()
  readonly #times = new Map<string, string>()
  readonly #generated: RegExp

  constructor(mint: Mint, target: Target, before: ReadonlySet<string>) {
    this.#mint = mint
    this.#target = target
    this.#before = before
    const [run, ids] = [mint.run.replace(/[-_]/, '[-_]'), mint.unknownId().slice(0, 16)]
    const domain = target.emailDomain.replaceAll('.', '\\.')
    this.#generated = new RegExp(`${run}(?:-key-\\d+|-\\d+@${domain}|[ _-]\\d+)?|${ids}\\d{8}`, 'gi')
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
    const found = kind === 'from' ? valueAt(this.#bodies.get(Number(argument)), rest) : undefined
    if (found !== undefined) return found
    const made = this.#generate(kind)
    this.#names.set(made.toLowerCase(), name)
    return made
  }

  #generate(kind: string): string {
    const { run, name, slug, email, phone, key, unknownId } = this.#mint
    if (kind === 'run') return run
    if (kind === 'name') return name('').trim()
    return kind === 'slug' ? slug('').slice(1) : ({ email, phone, key }[kind] ?? unknownId)()
  }

  /** Replaces the values in a response by their names, so that the responses of two sides can be compared. */
  recognize(value: unknown, field = '', owner = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => this.recognize(item, field, owner))
    if (typeof value === 'object' && value !== null) return this.#recognizeFields(value)
    if (typeof value === 'string') return this.#recognizeText(value, field, owner)
    return typeof value === 'number' && namesAnId.test(field) ? { id: String(value) } : value
  }

  #recognizeFields(value: object): unknown {
    const { _id } = fieldsOf(value)
    const owner = typeof _id === 'string' ? _id : ''
    if (this.#before.has(owner)) return recordFromBefore
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
    return this.#ids.has(text) ? { id: text } : text
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

const isNear = (text: string) => Math.abs(Date.parse(text) - Date.now()) < twoDays

const withSpaces = (phone: string) => `${phone.slice(0, -7)} ${phone.slice(-7, -4)} ${phone.slice(-4)}`

function valueAt(body: unknown, path: readonly string[]): unknown {
  const value = path
    .join(' ')
    .split('.')
    .reduce<unknown>((inside, name) => fieldsOf(inside)[name], body)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

/** Returns a value for the lines of a shell, which replace `__RUN__` and `__ANSWER_…__` by variables. */
export function placeholderFor(name: string, target: Target): string {
  const [kind = '', argument = '', ...rest] = name.split(' ')
  if (kind === 'EMAIL') return placeholderFor(name.toLowerCase(), target).toUpperCase()
  if (kind === 'from') return `__ANSWER_${argument}_${rest.join(' ')}__`
  if (kind === 'email') return `__RUN__-${argument}@${target.emailDomain}`
  if (kind === 'phone') return fictionalNumber(Number(argument))
  if (kind === 'spaced') return withSpaces(fictionalNumber(Number(argument)))
  if (kind === 'unknown') return argument.padStart(24, '0')
  return placeOf(name, target) ?? (kind === 'name' ? `__RUN__ ${argument}` : `__RUN___${argument}`)
}
