import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { isObject } from '../../lib/json.ts'
import { newPause, type Pause } from '../../lib/pause.ts'
import { capitalize, singularOf } from '../../lib/text.ts'
import { suggest } from '../../spec/close-to.ts'
import { reject } from '../core/rejections.ts'
import { anyObject, dictionaryOf, input } from '../core/schemas.ts'

type Fields = Readonly<Record<string, unknown>>

const most = 1_000

const records = Type.Optional(
  Type.Array(anyObject<Fields>('an object of fields', 'The fields that a record must have.'), { maxItems: most }),
)

export const ExpectedKinds = dictionaryOf(
  input('ExpectedRecords', { created: records, updated: records, deleted: records }),
  {
    title: 'ExpectedChanges',
    description:
      'By kind, such as contacts. Other changes are not expected. The `_id` of a created record, and fields that end in `At`, are compared by their types.',
  },
)
type Expected = Static<typeof ExpectedKinds>
type Found = Readonly<Record<string, Readonly<Record<List, readonly Fields[]>>>>

const lists = ['created', 'updated', 'deleted'] as const
type List = (typeof lists)[number]

/** A sentence for each difference; none when the changes are as expected, and nothing else changed. */
export async function differencesIn(found: Found, expected: Expected): Promise<string[]> {
  const pause = newPause()
  const all: string[] = []
  for (const kind of new Set([...Object.keys(found), ...Object.keys(expected)]))
    for (const list of lists) {
      const [wanted, there] = [expected[kind]?.[list] ?? [], found[kind]?.[list] ?? []]
      const tooMany = there.length > most + wanted.length
      const sentences = tooMany
        ? [`there are ${there.length}, not ${wanted.length}`]
        : await compare(wanted, there, list, pause)
      all.push(...sentences.map((sentence) => `${kind} ${list}: ${sentence}`))
    }
  return all
}

/** Refuses kinds and fields that there are not, with the nearest name. */
export async function checkNames(expected: Expected, found: Found, known: readonly string[]): Promise<void> {
  const { document, fieldsOf } = await import('../../spec/document.ts')
  const { schemas } = document.components
  const all = Object.values(schemas).flatMap((schema) => fieldsOf(document, schema))
  for (const [kind, ofKind] of Object.entries(expected)) {
    if (!known.includes(kind)) reject(`expected has the unknown kind ${kind}${suggest(kind, known)}`)
    const schema = schemas[capitalize(singularOf(kind))]
    if (!schema) continue // users and providers are not in the document
    const seen = lists.flatMap((list) => found[kind]?.[list] ?? []).flatMap((record) => Object.keys(record))
    const names = new Set([...all, ...seen, 'teamId', 'createdAt', 'updatedAt'])
    for (const record of lists.flatMap((list) => ofKind[list] ?? []))
      for (const name of [...Object.keys(record), ...Object.keys(isObject(record.fields) ? record.fields : {})])
        if (name !== 'fields' && !names.has(name))
          reject(`expected names the unknown field ${name} of ${kind}${suggest(name, fieldsOf(document, schema))}`)
  }
}

/** Each expected record takes a found record that is as expected, or else the record that differs least. */
async function compare(
  wanted: readonly Fields[],
  found: readonly Fields[],
  list: List,
  pause: Pause,
): Promise<string[]> {
  const left = [...found]
  const takeNearest = async (one: Fields, most: number) => {
    let nearest: { readonly at: number; readonly differences: string[] } | undefined
    for (const [at, record] of left.entries()) {
      const differences = differencesOf(one, record, list)
      if (differences.length <= most && differences.length < (nearest?.differences.length ?? Infinity))
        nearest = { at, differences }
      if (differences.length === 0) break
      await pause()
    }
    if (nearest) left.splice(nearest.at, 1)
    return nearest?.differences
  }
  const byDetail = wanted.toSorted((one, other) => Object.keys(other).length - Object.keys(one).length)
  const missing: Fields[] = []
  for (const one of byDetail) if (!(await takeNearest(one, 0))) missing.push(one)
  const sentences: string[] = []
  for (const one of missing) {
    const most = list === 'updated' ? Infinity : Math.max(1, Object.keys(one).length - 1)
    const differences = await takeNearest(one, most)
    sentences.push(differences?.join(', ') ?? `missing ${shown(one)}`)
  }
  return [...sentences, ...left.map((record) => `not expected ${shown(record)}`)]
}

function differencesOf(wanted: Fields, found: Fields, list: List): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    if (list === 'updated' && name === 'fields') return differencesInUpdate(value, found.fields as Fields)
    const isVolatile = (name === '_id' && list === 'created') || isTime(name)
    return isSame(value, found[name], isVolatile) ? [] : `${name} is ${shown(found[name])}, not ${shown(value)}`
  })
}

/** All fields that changed are compared, but for the times. */
function differencesInUpdate(wanted: unknown, found: Fields): string[] {
  const expected = isObject(wanted) ? wanted : {}
  const names = new Set([...Object.keys(expected), ...Object.keys(found).filter((name) => !isTime(name))])
  return [...names].flatMap((name) => {
    const [change, value] = [found[name], expected[name]]
    if (!isObject(change)) return `${name} did not change`
    if (!isObject(value)) return `${name} changed to ${shown(change.after)}`
    return ['before', 'after'].flatMap((when) =>
      !Object.hasOwn(value, when) || isSame(value[when], change[when], isTime(name))
        ? []
        : `${name} ${when} is ${shown(change[when])}, not ${shown(value[when])}`,
    )
  })
}

const isTime = (name: string) => name.endsWith('At')

const isSame = (wanted: unknown, found: unknown, byType: boolean) =>
  byType ? typeof wanted === typeof found : isDeepStrictEqual(wanted, found)

function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 299)}…` : text
}
