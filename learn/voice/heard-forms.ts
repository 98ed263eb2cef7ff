import type { Mint } from '../../client/mint.ts'
import { type Fields, type RecordName, recordNames } from '../../spec/voice/records.ts'
import {
  idAlphabets,
  type IdAlphabet,
  type IdForm,
  type Precision,
  type Voice,
  writeIdForm,
} from '../../spec/voice/voice.ts'
import { unanimous, usualOf } from './most.ts'

/** The forms of ids, of times and of headers that a server has shown. */
export class HeardForms {
  readonly #mint: Pick<Mint, 'marks'>
  readonly #ids = new Map<RecordName, Set<string>>()
  readonly #times: string[] = []
  readonly #headers = new Map<string, string[]>()

  constructor(mint: Pick<Mint, 'marks'>) {
    this.#mint = mint
  }

  hear(name: RecordName, { _id, createdAt, updatedAt, contactId }: Fields): void {
    this.#hearId(name, _id)
    if (name === 'conversations') this.#hearId('contacts', (contactId as { _id?: unknown } | null)?._id)
    this.#times.push(...[createdAt, updatedAt].filter((time) => typeof time === 'string'))
  }

  hearHeader(name: string, value: string): void {
    this.#headers.set(name, [...(this.#headers.get(name) ?? []), value])
  }

  learned(): Pick<Voice, 'ids' | 'times' | 'headers'> {
    const forms = recordNames.map((name) => [name, formOf([...(this.#ids.get(name) ?? [])])] as const)
    const ids = forms.filter(([, form]) => form !== undefined && writeIdForm(form) !== usualIds)
    const times = timesOf(this.#times)
    const headers = [...this.#headers].map(([name, values]) => [name, headerOf(name, values)] as const)
    const known = headers.filter(([, value]) => value !== undefined)
    return {
      ...(ids.length === 0 ? {} : { ids: Object.fromEntries(ids) }),
      ...(times === undefined ? {} : { times }),
      ...(known.length === 0 ? {} : { headers: Object.fromEntries(known) as Record<string, string> }),
    }
  }

  #hearId(name: RecordName, id: unknown): void {
    // A server may keep an id that the run made up.
    if (typeof id !== 'string' || this.#mint.marks(id)) return
    this.#ids.set(name, (this.#ids.get(name) ?? new Set()).add(id))
  }
}

const usualIds = '{hex:24}'

/** The form that all these ids have; nothing when they have none in common, or a part that may be a name. */
export function formOf(ids: readonly string[]): IdForm | undefined {
  if (ids.length === 0) return undefined
  const whole = formWithout('', ids)
  if (whole) return whole
  const prefix = unanimous(ids.map((id) => /^[A-Za-z]{1,20}[_-]/.exec(id)?.[0]))
  return prefix === undefined
    ? undefined
    : formWithout(
        prefix,
        ids.map((id) => id.slice(prefix.length)),
      )
}

function formWithout(prefix: string, ids: readonly string[]): IdForm | undefined {
  if (ids.every((id) => uuid.test(id))) return { prefix, alphabet: 'uuid', length: 36 }
  const length = Math.max(...ids.map((id) => id.length))
  const alphabet = (Object.keys(alphabets) as IdAlphabet[]).find((one) => ids.every((id) => alphabets[one].test(id)))
  if (alphabet === undefined || length > 64) return undefined
  const isFixed = alphabet === 'digits' || ids.every((id) => id.length === length)
  return isFixed ? { prefix, alphabet, length } : undefined
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The narrowest first. */
const alphabets: Readonly<Record<IdAlphabet, RegExp>> = {
  digits: new RegExp(`^[${idAlphabets.digits}]+$`),
  hex: new RegExp(`^[${idAlphabets.hex}]+$`),
  lowercase: new RegExp(`^[${idAlphabets.lowercase}]+$`),
  alphanumeric: new RegExp(`^[${idAlphabets.alphanumeric}]+$`),
}

export const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(?:\.(\d{1,9}))?)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

function timesOf(times: readonly string[]): Voice['times'] {
  const forms = times.flatMap((time) => {
    const [all, seconds, fraction = '', offset = 'Z'] = timeForm.exec(time) ?? []
    return all === undefined ? [] : [{ digits: seconds === undefined ? -1 : fraction.length, offset }]
  })
  const offset = usualOf(
    forms.map((form) => form.offset),
    0,
  )
  if (offset === undefined) return undefined
  // Some leave out zeros at the end.
  const precision = precisionOf(Math.max(...forms.map(({ digits }) => digits)))
  return precision === 'milliseconds' && offset === 'Z' ? undefined : { precision, offset }
}

function precisionOf(digits: number): Precision {
  if (digits < 0) return 'minutes'
  if (digits === 0) return 'seconds'
  return digits <= 3 ? 'milliseconds' : digits <= 6 ? 'microseconds' : 'nanoseconds'
}

function headerOf(name: string, values: readonly string[]): string | undefined {
  if (name.endsWith('-id')) {
    const form = formOf([...new Set(values)])
    return form && writeIdForm(form)
  }
  if (!values.every((value) => /^\d{1,12}$/.test(value))) return undefined
  if (name.includes('remaining')) return '{remaining}'
  if (name.includes('reset')) return values.some((value) => Number(value) > 1e9) ? '{resetAt}' : '{resetIn}'
  const [value] = values
  return new Set(values).size === 1 && value !== undefined && value.length < 10 ? value : undefined
}
