import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { type Answer, type Fields, fieldsOf, idOf } from '../client/answer.ts'
import { CannotRun } from '../client/errors.ts'
import { contactOf, documentedOf, headOf } from '../../fixtures/from/read-world-from.ts'
import { type ApiKind, apiKinds } from '../../fixtures/records.ts'
import { recordShapes } from '../../fixtures/shapes.ts'
import { writeWorld } from '../../fixtures/world-text.ts'
import { checkUnlinked, checkWritable, fileError, writeUnlinked } from '../../lib/files.ts'
import { operations } from '../../spec/operations.ts'
import { MadeUp } from './made-up.ts'
import type { ParsedRequest } from '../judge/parse-request.ts'

/** The records of one caller, by kind and id. */
type Records = Readonly<Record<ApiKind, Map<string, Fields>>>

const schemas: Readonly<Record<ApiKind, string>> = {
  contacts: 'Contact',
  conversations: 'Conversation',
  messages: 'Message',
  templates: 'Template',
  companies: 'Company',
  products: 'Product',
  deals: 'Deal',
  quotes: 'Quote',
}

/** Collects the records that successful responses show, for a world. */
export class Recorder {
  readonly #path: string
  readonly #madeUp: MadeUp
  readonly #byCaller = new Map<string, Records>()

  private constructor(path: string, madeUp: MadeUp) {
    this.#path = path
    this.#madeUp = madeUp
  }

  static async open(path: string): Promise<Recorder> {
    if (!/\.(json|ya?ml)$/i.test(path))
      throw new CannotRun((nameOf) => `${nameOf('record')} must name a file that ends in .yaml, .yml or .json.`)
    orCannotRun(path, () => {
      checkUnlinked(path)
      checkWritable(path)
    })
    return new Recorder(path, await MadeUp.load())
  }

  add({ operation, path, query, body, headers }: ParsedRequest, { succeeded, fields: { data } }: Answer): void {
    const { group, method } = operations[operation]
    if (!succeeded) return
    const records = this.#recordsOf(JSON.stringify([headers['x-api-key'], headers.authorization]))
    const put = (kind: ApiKind, record: Fields, before: Fields = {}) => {
      const id = idOf(record)
      if (id === undefined) return
      const known = documentedOf(schemas[kind], { ...before, ...record })
      records[kind].set(id, { ...records[kind].get(id), ...known })
    }
    const [pathId = ''] = Object.values(path)
    if (operation === 'deleteContactsByEmail') {
      for (const [id, { email }] of records.contacts) if (email === query.email) records.contacts.delete(id)
    } else if (method === 'delete') {
      records[group as ApiKind].delete(pathId)
    } else if (group === 'messages') {
      const shown = [data].flat().map(fieldsOf)
      for (const one of shown.flatMap(({ messages = shown }) => messages as Fields[])) put('messages', one)
    } else if (group === 'conversations') {
      for (const one of [data].flat().map(fieldsOf)) {
        const contact = contactOf(fieldsOf(one.contactId), one)
        put('contacts', { ...contact, ...records.contacts.get(contact._id) })
        put('conversations', { ...one, contactId: contact._id })
      }
    } else {
      for (const one of [data].flat().map(fieldsOf)) put(group as ApiKind, one, fieldsOf(body))
    }
  }

  #recordsOf(caller: string): Records {
    const name = createHash('sha256').update(caller).digest('base64')
    const known = this.#byCaller.get(name)
    if (known) return known
    const records = noRecords()
    this.#byCaller.set(name, records)
    return records
  }

  /** Writes the world, and returns the number of its records. Without records, an earlier recording stays as it is. */
  write(): number {
    const lists = [...this.#byTeam()].map(
      ([team, records]) => [team, apiKinds.map((kind) => [kind, this.#listOf(kind, records)] as const)] as const,
    )
    const count = lists.flatMap(([, all]) => all.flatMap(([, list]) => list)).length
    if (count === 0) return 0
    const teams = lists.map(([team, all]) => [...Object.entries(headOf(team)), ...all])
    const form = extname(this.#path).toLowerCase() === '.json' ? 'json' : 'yaml'
    // With a version, a world may have values that the sandbox itself would refuse.
    const text = [...writeWorld(teams, form, 1)].join('')
    orCannotRun(this.#path, () => writeUnlinked(this.#path, text))
    return count
  }

  /** A team may have callers with keys and callers with tokens. */
  #byTeam(): Map<string, Records> {
    const teams = new Map<string, Records>()
    for (const records of this.#byCaller.values()) {
      const team = teams.get(teamOf(records)) ?? noRecords()
      teams.set(teamOf(records), team)
      for (const kind of apiKinds)
        for (const [id, record] of records[kind]) team[kind].set(id, { ...team[kind].get(id), ...record })
    }
    return teams
  }

  /** The complete records. A conversation needs its contact, and a message its conversation. */
  #listOf(kind: ApiKind, records: Records): Fields[] {
    const has = (other: ApiKind, id: unknown) => records[other].has(String(id))
    return [...records[kind].values()]
      .filter(({ contactId }) => kind !== 'conversations' || has('contacts', contactId))
      .filter(({ conversationId }) => kind !== 'messages' || has('conversations', conversationId))
      .map((record) => (kind === 'contacts' ? { updatedAt: record.createdAt, ...record } : record))
      .filter((record) => recordShapes[kind].check(record) === undefined)
      .map((record) => this.#madeUp.record(kind, record))
  }
}

const noRecords = () => Object.fromEntries(apiKinds.map((kind) => [kind, new Map()])) as Records

/** The team that the records name. */
function teamOf(records: Records): string {
  const ids = apiKinds.flatMap((kind) => [...records[kind].values()].map(({ teamId }) => teamId))
  return ids.find((id) => typeof id === 'string') ?? 'recorded'
}

function orCannotRun(path: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    throw new CannotRun(`${fileError(`The world ${path}`, 'written', error)}.`, { option: 'record' })
  }
}
