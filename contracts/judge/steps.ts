import { fieldsOf } from '../client/answer.ts'
import { type Exchange, toCurl } from '../client/exchange.ts'
import { indexOfNumber } from '../client/fictional-numbers.ts'
import { idsIn } from '../client/kinds.ts'
import type { Step } from '../client/steps.ts'
import { exceededLimit, parseJson } from '../../lib/json.ts'
import { escapeInvisible } from '../../lib/text.ts'
import { toShell } from './shell.ts'

/** An exchange with the numbers of its request and of its answer, in the order of all of them. */
export interface Numbered {
  readonly exchange: Exchange
  readonly began: number
  readonly ended: number
}

/**
 * A request of the story of a finding. A value that differs in each run has a name in its input, such as
 * `«from 1 data._id»`. A file in a form is left out.
 */
export interface StoryStep extends Pick<Step, 'operation' | 'input'> {
  /** It runs in a shell after the lines before it. */
  readonly line: string
  readonly status: number | undefined
  /** The numbers of the requests that were in flight at the same time. */
  readonly beside?: readonly number[]
}

/** The longest story. */
const mostSteps = 12

/**
 * The shortest story that is known to lead to an exchange: the requests that made the records it names, the request that
 * set the expected value, and the latest requests that wrote to the same records or read the same list.
 */
export function storyOf(last: Numbered, recent: readonly Numbered[], since?: number) {
  const earlier = recent.filter(({ began }) => began < last.began)
  const makers = new Map<string, Numbered>()
  for (const one of earlier)
    for (const id of idsMadeBy(one)) if (!namesIn(one).includes(id) && !makers.has(id)) makers.set(id, one)
  const chosen = new Set<Numbered>()
  const names = new Set<string>()
  const add = (one: Numbered) => {
    if (chosen.has(one)) return
    chosen.add(one)
    for (const name of namesIn(one)) {
      names.add(name)
      const maker = makers.get(name)
      if (maker && maker.began < one.began) add(maker)
    }
  }
  add(last)
  const setter = since === undefined ? undefined : earlier.find(({ ended }) => ended === since)
  if (setter) add(setter)
  for (const id of idsMadeBy(last)) names.add(id)
  for (const one of earlier.toReversed()) {
    if (chosen.size >= mostSteps) break
    const isWrite = one.exchange.request.method !== 'GET'
    const isNamed = [...namesIn(one), ...(isWrite ? idsMadeBy(one) : [])].some((name) => names.has(name))
    if (isNamed && (isWrite || pathOf(one) === pathOf(last))) add(one)
  }
  const inOrder = [...chosen].toSorted((one, other) => one.began - other.began)
  const setBy = setter ? { setBy: inOrder.indexOf(setter) + 1 } : {}
  return { story: withNames(inOrder), ...setBy }
}

/** The ids and addresses in a text. */
const namePattern = /[0-9a-f]{24}|[0-9a-f]{8}-[0-9a-f-]{27}|[\w.+-]{1,64}@[\w.-]+|\+\d{7,15}/gi

const namesIn = ({ exchange: { input } }: Numbered): readonly string[] => JSON.stringify(input).match(namePattern) ?? []

const pathOf = ({ exchange: { request } }: Numbered) => request.url.split('?')[0]

function bodyOf({ exchange: { incoming } }: Numbered): unknown {
  const { text = '' } = incoming ?? {}
  return exceededLimit(text, mostOfBody) === undefined ? parseJson(text) : undefined
}

const mostOfBody = { fields: 10_000, values: 10_000, levels: 20 }

function idsMadeBy(one: Numbered): readonly string[] {
  const { operation, request } = one.exchange
  if (request.method === 'GET') return []
  return idsIn(operation, fieldsOf(bodyOf(one)).data).map(([, id]) => id)
}

const marked = /(contract[-_])([a-z]{10})(?:([-_ ])(\d+))?/gi

/** Steps with names in place of ids of earlier steps, of values that the run made up, and of values that have a name already. */
export function withNames(
  all: readonly Numbered[],
  names: ReadonlyMap<string, string> = new Map(),
): readonly StoryStep[] {
  const known = new Map(names)
  const named = all.map((one, index) => {
    const { input, request, caller } = one.exchange
    const { key } = input
    if (typeof key === 'string' && !known.has(key)) known.set(key, `«key ${index + 1}»`)
    const rename = (text: string, quote = (value: string) => value) => {
      for (const [value, name] of known) text = text.replaceAll(quote(value), quote(name))
      return text.replaceAll(marked, nameMark).replaceAll(/\+1\d{10}/g, namePhone)
    }
    const { body = '' } = request
    const isJson = parseJson(body.toString()) !== undefined
    const line = toCurl({ caller, request: isJson ? { ...request, body: escapeAll(body) } : request })
    // Only whole values, since an id may be as short as a number in a text.
    const renamed = rename(JSON.stringify(input), (value) => JSON.stringify(value))
    const step = { input: JSON.parse(renamed) as Step['input'], line: rename(line) }
    for (const [id, path] of idsAt(bodyOf(one)))
      if (!known.has(id) && !JSON.stringify(input).includes(id)) known.set(id, `«from ${index + 1} ${path}»`)
    return step
  })
  const values = new Map([...known].map(([value, name]) => [name, value]))
  const lines = toShell(
    named.map(({ line }) => line),
    all.map(({ exchange }) => exchange.incoming?.text ?? ''),
    values,
  )
  return all.map((one, index) => {
    const { operation, incoming, input } = one.exchange
    const beside = all.flatMap((other, at) =>
      other !== one && other.began < one.ended && one.began < other.ended ? [at + 1] : [],
    )
    return {
      operation,
      input: named[index]?.input ?? input,
      line: lines[index] ?? '',
      status: incoming?.status,
      ...(beside.length === 0 ? {} : { beside }),
    }
  })
}

const escapeAll = (body: Buffer | string) => Buffer.from(escapeInvisible(body.toString()))

const nameMark = (_: string, mark: string, letters: string, sign = '', number = '') =>
  `${mark}«${letters === letters.toUpperCase() ? 'LETTERS' : 'letters'}»${sign}${number === '' ? '' : `«number ${number}»`}`

const namePhone = (phone: string) => (indexOfNumber(phone) === undefined ? phone : `«phone ${phone.slice(1)}»`)

/** The ids in an answer, with their paths. */
function* idsAt(value: unknown, path = ''): Generator<readonly [id: string, path: string]> {
  for (const [field, inside] of Object.entries(fieldsOf(value))) {
    const at = path === '' ? field : `${path}.${field}`
    if (typeof inside === 'string' && /^(_id|(contact|conversation|deal)Id)$/.test(field)) yield [inside, at]
    else if (typeof inside === 'object') yield* idsAt(inside, at)
  }
}
