import { hash, randomInt } from 'node:crypto'
import type { Kind, Kinds } from '../../../fixtures/records.ts'
import { type Index, indexes } from '../indexes.ts'

/** A part of a statement. Its values are literals, so that several statements can go to the database in one round trip. */
export class Sql {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = Sql | string | number | null | undefined | readonly Value[]

/** Builds SQL; every value becomes a literal, and a list becomes its values with commas between them. */
export function sql(texts: TemplateStringsArray, ...values: readonly Value[]): Sql {
  return new Sql(texts.reduce((text, next, at) => text + literal(values[at - 1]) + next))
}

/** A row of VALUES. */
export const tuple = (...values: readonly Value[]) => sql`(${values})`

/** Statements for one round trip. */
export const inOrder = (statements: readonly Sql[]) => new Sql(statements.map(({ text }) => text).join(';\n'))

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`

function literal(value: Value): string {
  if (value instanceof Sql) return value.text
  if (typeof value === 'string') return quoteText(value)
  if (typeof value === 'number') return String(value)
  return value ? value.map(literal).join(', ') : 'NULL'
}

/** Correct for both values of `standard_conforming_strings`. */
function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

/** The records of a team between two replacements of all of them. The next set is written while the team still has the last. */
export interface RecordSet {
  /** The stored id of the team. */
  readonly team: string
  readonly recordSet: number
}

export const newRecordSet = (team: string): RecordSet => ({ team, recordSet: randomInt(2 ** 47) })

/** The condition for the rows of a record set. */
export const inRecordSet = ({ team, recordSet }: RecordSet) => sql`team = ${team} AND record_set = ${recordSet}`

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
