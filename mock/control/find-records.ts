import type { Kind, Kinds } from '../../fixtures/records.ts'
import { newPause, type Pause } from '../../lib/pause.ts'
import { containsWords, findsIn, phoneDigits, wordsIn } from '../../lib/text.ts'
import { beginningOf } from '../http/journal/journal.ts'
import { foldedEmail, foldedPhone, type IndexOf } from '../store/indexes.ts'
import type { Page, Reader, Store } from '../store/port.ts'
import { isObject } from '../../lib/json.ts'

interface RecordSearch {
  /** Paths, each with the value that a record must have there. */
  readonly where: readonly (readonly [path: string, value: string])[]
  /** Words that the fields contain, in any order, without regard to case and accents; or a telephone number. */
  readonly search: string
  /** A path; with a minus, the last value comes first. A minus alone: the newest record comes first. */
  readonly sort: string | undefined
  readonly skip: number
  readonly take: number
}

/**
 * Finds records of a kind. Other requests are answered in between. Of a database, only the ids and the values to sort by are
 * kept until the page is read.
 */
export async function findRecords<K extends Kind>(
  store: Store,
  teamId: string,
  kind: K,
  { where, search, sort, skip, take }: RecordSearch,
  reader: Reader = {},
): Promise<Page<Kinds[K]>> {
  if (where.length === 0 && search === '' && sort === undefined) return store.page(teamId, kind, { skip, take }, reader)
  if (where.length === 0 && search === '' && sort === newestFirst)
    return pageFromEnd(store, teamId, kind, { skip, take }, reader)
  const pause = newPause()
  const fields = where.map(([path, value]) => ({ path: path.split('.'), value }))
  const words = wordsIn(search)
  const phone = phoneDigits(search)
  const companies = kind === 'contacts' ? await companiesNamed(words, store, teamId, pause) : noCompanies
  const keyFor = keyIn(sort)
  const found: FoundRecord[] = []
  for await (const part of candidates(store, teamId, kind, where, companies.size > 0 || phone ? [] : words, reader)) {
    for (const record of part) {
      const isWanted = fields.every(({ path, value }) => valuesAt(record, path).some((one) => String(one) === value))
      const values = words.length === 0 ? [] : textsIn(record, companies)
      if (isWanted && findsIn(values, words, phone)) found.push({ id: record._id, key: keyFor(record) })
      const length = values.reduce((sum, value) => sum + value.length, 0)
      await pause(1 + values.length / valuesInStep + (length * words.length) / charactersInStep)
    }
  }
  const ids = (await sortedBy(sort, found, pause)).slice(skip, skip + take).map(({ id }) => id)
  const records = await store.read<readonly Kinds[K][]>(teamId, (team) => team.records[kind].getMany(ids), reader)
  return { total: found.length, records }
}

const newestFirst = '-'

async function pageFromEnd<K extends Kind>(
  store: Store,
  teamId: string,
  kind: K,
  { skip, take }: { readonly skip: number; readonly take: number },
  reader: Reader,
) {
  const { total } = await store.page(teamId, kind, { skip: 0, take: 1 })
  const end = Math.max(0, total - skip)
  const start = Math.max(0, end - take)
  if (start === end) return { total, records: [] }
  const { records } = await store.page(teamId, kind, { skip: start, take: end - start }, reader)
  return { total, records: records.toReversed() }
}

/** How many values of a record are read in the time of one step, and how many characters searched for a word. */
const [valuesInStep, charactersInStep] = [25, 10_000]

/** By the id of each. */
type CompanyNames = ReadonlyMap<string, string>

const noCompanies: CompanyNames = new Map()

/** The companies with one of the words in their names: a contact has only the id of its company. */
async function companiesNamed(
  words: readonly string[],
  store: Store,
  teamId: string,
  pause: Pause,
): Promise<CompanyNames> {
  if (words.length === 0) return noCompanies
  const names = new Map<string, string>()
  for await (const part of store.scan(teamId, 'companies', words.length === 1 ? words[0] : '')) {
    for (const { _id, name } of part) {
      if (words.some((word) => containsWords(name, [word]))) names.set(_id, name)
      await pause(1 + words.length / valuesInStep)
    }
  }
  return names
}

/** The fields that an index finds records by, and how. */
const indexed: { readonly [K in Kind]?: Readonly<Record<string, readonly [IndexOf<K>, fold?: typeof foldedEmail]>> } = {
  contacts: { email: ['email', foldedEmail], phone: ['phone', foldedPhone], company: ['company'] },
  conversations: { contactId: ['contactId'] },
  messages: { conversationId: ['conversation'] },
  companies: { contacts: ['contact'] },
  deals: { contactId: ['contact'], contacts: ['contact'], company: ['company'], companyId: ['company'] },
  quotes: { dealId: ['dealId'] },
}

/** At least the records that have the values and the words: one or a few when an index leads to them. */
async function* candidates<K extends Kind>(
  store: Store,
  teamId: string,
  kind: K,
  where: RecordSearch['where'],
  words: readonly string[],
  reader: Reader,
): AsyncIterable<readonly Kinds[K][]> {
  for (const [path, value] of where) {
    const [index, fold = same] = indexed[kind]?.[path] ?? []
    if (path !== '_id' && index === undefined) continue
    yield await store.read<readonly Kinds[K][]>(
      teamId,
      ({ records: { [kind]: all } }) => (index === undefined ? all.getMany([value]) : all.find(index, fold(value))),
      reader,
    )
    return
  }
  const [longest = ''] = words.toSorted((one, other) => other.length - one.length)
  yield* store.scan(teamId, kind, longest, reader)
}

const same = (value: string) => value

type Value = string | number | boolean

/** The values at a path, which continues in each item of a list. */
function valuesAt(value: unknown, path: readonly string[]): Value[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path))
  const [field, ...rest] = path
  if (isObject(value)) return field !== undefined && Object.hasOwn(value, field) ? valuesAt(value[field], rest) : []
  return isValue(value) && field === undefined ? [value] : []
}

const isValue = (value: unknown): value is Value =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** All values of a record, and the name of its company. */
function textsIn(record: object, companies: CompanyNames): string[] {
  const rest: unknown[] = [record]
  const texts: string[] = []
  if ('company' in record) texts.push(companies.get(String(record.company)) ?? '')
  while (rest.length > 0) {
    const value = rest.pop()
    if (isValue(value)) texts.push(String(value))
    if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) rest.push(one)
  }
  return texts
}

interface FoundRecord {
  readonly id: string
  /** Undefined for a record without a value, which comes last. */
  readonly key: string | number | undefined
}

/** Reads the value that sorts a record. */
function keyIn(sort = newestFirst): (record: object) => FoundRecord['key'] {
  const path = sort.replace(/^-/, '').split('.')
  return sort === newestFirst ? () => undefined : (record) => keyOf(valuesAt(record, path)[0])
}

async function sortedBy(
  sort: string | undefined,
  found: readonly FoundRecord[],
  pause: Pause,
): Promise<readonly FoundRecord[]> {
  if (sort === undefined) return found
  if (sort === newestFirst) return found.toReversed()
  const sign = sort.startsWith('-') ? -1 : 1
  return mergeSorted(found, (one, other) => compare(one.key, other.key, sign), pause)
}

/** Longer texts that begin alike stay in the order of their age. */
const longestKey = 200

/** Texts are sorted without regard to case, and letters with an accent beside those without. */
const keyOf = (value: Value | undefined) =>
  typeof value === 'number' || value === undefined
    ? value
    : beginningOf(String(value), longestKey).toLowerCase().normalize('NFD')

/** Numbers come before texts. */
function compare(one: FoundRecord['key'], other: FoundRecord['key'], sign: 1 | -1): number {
  if (one === other) return 0
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1
  if (typeof one !== typeof other) return typeof one === 'number' ? -sign : sign
  return one < other ? -sign : sign
}

const sortedAtOnce = 2_000

/** Sorts in steps, and keeps the order of equal records. */
async function mergeSorted<Item>(
  items: readonly Item[],
  order: (one: Item, other: Item) => number,
  pause: Pause,
): Promise<Item[]> {
  await pause(sortedAtOnce)
  if (items.length <= sortedAtOnce) return items.toSorted(order)
  const middle = items.length >>> 1
  const left = await mergeSorted(items.slice(0, middle), order, pause)
  const right = await mergeSorted(items.slice(middle), order, pause)
  const merged: Item[] = []
  let [fromLeft, fromRight] = [0, 0]
  while (merged.length < items.length) {
    const [one, other] = [left[fromLeft], right[fromRight]]
    if (one !== undefined && (other === undefined || order(one, other) <= 0)) {
      merged.push(one)
      fromLeft++
    } else if (other !== undefined) {
      merged.push(other)
      fromRight++
    }
    await pause()
  }
  return merged
}
