import { hash, randomInt } from 'node:crypto'
import type { Kind, Kinds } from '../../../fixtures/records.ts'
import { type Index, indexes } from '../indexes.ts'

export type Value = string | number | null | undefined | readonly (string | number | null)[]

/** A value that goes to the database beside the text. The same object is always the same parameter. */
class Parameter {
  readonly value: Value

  constructor(value: Value) {
    this.value = value
  }
}

/** A statement or a part of one, with its parameters. */
export class Sql {
  readonly #parts: readonly (string | Parameter)[]

  constructor(...parts: readonly (string | Parameter | Sql)[]) {
    this.#parts = parts.flatMap((part) => (part instanceof Sql ? part.#parts : part))
  }

  /** With `$1` for its first parameter. */
  get text(): string {
    return this.statement().text
  }

  statement() {
    const parameters: Parameter[] = []
    let text = ''
    for (const part of this.#parts) {
      if (typeof part === 'string') text += part
      else {
        if (!parameters.includes(part)) parameters.push(part)
        text += `$${parameters.indexOf(part) + 1}`
      }
    }
    return { text, values: parameters.map(({ value }) => value) }
  }
}

/** Builds SQL; every value becomes a parameter, and a list of values an array. */
export function sql(texts: TemplateStringsArray, ...values: readonly (Sql | Value)[]): Sql {
  const parts = values.map((value) => (value instanceof Sql ? value : new Parameter(value)))
  return new Sql(...texts.flatMap((text, at) => [text, ...parts.slice(at, at + 1)]))
}

/** The parts with commas, or other text, between them. */
export const joined = (parts: readonly Sql[], between = ', ') =>
  new Sql(...parts.flatMap((part, at) => (at === 0 ? [part] : [between, part])))

export type Row = readonly (string | number | null)[]

/** Rows as a table with columns of these types, each of which is one parameter. */
export const rowsOf = (types: readonly ('bigint' | 'text')[], rows: readonly Row[]) =>
  sql`unnest(${joined(types.map((type, at) => sql`${rows.map((row) => row[at] ?? null)}::${new Sql(type)}[]`))})`

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The records of a team between two replacements of all of them. The next set is written while the team still has the last. */
export interface RecordSet {
  /** The stored id of the team. */
  readonly team: string
  readonly recordSet: number
}

export const newRecordSet = (team: string): RecordSet => ({ team, recordSet: randomInt(2 ** 47) })

/** The columns of a record set, and the condition for its rows. */
export function recordSetIn(set: RecordSet) {
  const [team, recordSet] = [sql`${set.team}::text`, sql`${set.recordSet}::bigint`]
  return { team, recordSet, isOfTeam: sql`team = ${team} AND record_set = ${recordSet}` }
}

/** The hash of an API key, to find its team by. */
export const hashOf = (text: string) => hash('sha256', text)

const longestId = 300

/** An id as the database stores it: without a NUL or half a character, and short enough for an index. */
export function storedId(id: string): string {
  if (id.length > longestId) return `\\long ${hashOf(id)}`
  return isPlain.test(id) ? id : JSON.stringify(id)
}

/** The id that is stored so; the hash of one that is too long. */
export const idOf = (stored: string) => (stored.startsWith('"') ? (JSON.parse(stored) as string) : stored)

const isPlain = /^[!#-[\]-\ud7ff][ !#-[\]-\ud7ff]*$|^$/

/** Identifies a value of an index by 64 bits, so that it may have any length and any characters. */
export function keyOf(kind: Kind, index: string, value: string): string {
  return String(hash('sha256', `${kind} ${index} ${value}`, 'buffer').readBigInt64BE(0))
}

/** The keys that find a record. */
export function keysOf<K extends Kind>(kind: K, record: Kinds[K]): string[] {
  const declared = Object.entries(indexes[kind]) as [string, Index<Kinds[K]>][]
  const keys = declared.flatMap(([name, valuesOf]) => valuesOf(record).map((value) => keyOf(kind, name, value)))
  return keys.length > 1 ? [...new Set(keys)] : keys
}

/** The database stores the number of records for each value of these indexes: others find few records. */
const counted: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  messages: ['conversation', 'channelOfConversation', 'outgoing'],
  templates: ['typeAndStatus', 'ownerTypeAndStatus'],
  bulkSends: ['waitsFor'],
}

export const isCounted = (kind: Kind, index: string) => counted[kind]?.includes(index) ?? false

/** The counted keys that find a record. */
export function countedKeysOf<K extends Kind>(kind: K, record: Kinds[K]): string[] {
  const declared = indexes[kind] as Readonly<Record<string, Index<Kinds[K]>>>
  return (counted[kind] ?? []).flatMap(
    (name) => declared[name]?.(record).map((value) => keyOf(kind, name, value)) ?? [],
  )
}
