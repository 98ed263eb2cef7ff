import { fieldsOf } from '../../client/answer.ts'
import type { Mint } from '../../client/mint.ts'
import { type Fields, isDocumented, type RecordName } from '../../spec/voice/records.ts'
import { type FieldType, type FieldTypes, isFieldName, type Voice } from '../../spec/voice/voice.ts'
import { formOf, timeForm } from './heard-forms.ts'
import { unanimous } from './most.ts'

type Types = Map<string, FieldType[]>

/** The fields that a server shows beside those of the specification: their names and types, and no value. */
export class HeardFields {
  readonly #mint: Pick<Mint, 'marks'>
  readonly #records = new Map<RecordName, { count: number; readonly types: Types }>()
  readonly #meta: { count: number; readonly types: Types } = { count: 0, types: new Map() }
  /** What the run sent is shown again by a server that keeps everything. */
  readonly #sent = new Set<string>()

  constructor(mint: Pick<Mint, 'marks'>) {
    this.#mint = mint
  }

  noteSent(value: unknown): void {
    for (const [name, one] of Object.entries(fieldsOf(value))) {
      this.#sent.add(name)
      this.noteSent(one)
    }
  }

  hear(name: RecordName, record: Fields): void {
    const known = this.#records.get(name) ?? { count: 0, types: new Map<string, FieldType[]>() }
    this.#records.set(name, known)
    known.count++
    const more = Object.keys(record).filter((field) => !isDocumented(name, field))
    noteTypes(known.types, record, more)
  }

  hearMeta(meta: Fields): void {
    this.#meta.count++
    noteTypes(this.#meta.types, meta, Object.keys(meta))
  }

  /** The records that were shown often enough. */
  records(): ReadonlySet<RecordName> {
    return new Set([...this.#records].flatMap(([name, { count }]) => (count > 1 ? [name] : [])))
  }

  learned(): Pick<Voice, 'fields' | 'meta'> {
    const all = [...this.#records].map(([name, heard]) => [name, this.#typesIn(heard)] as const)
    const fields = all.filter(([, types]) => Object.keys(types).length > 0)
    const meta = this.#typesIn(this.#meta)
    return {
      ...(fields.length === 0 ? {} : { fields: Object.fromEntries(fields) }),
      ...(Object.keys(meta).length === 0 ? {} : { meta }),
    }
  }

  /** Those that nearly every record had, always of one type. */
  #typesIn({ count, types }: { readonly count: number; readonly types: Types }): FieldTypes {
    const shown = [...types].flatMap(([name, seen]) => {
      const known = seen.filter((type) => type !== 'null')
      const type = known.length === 0 ? 'null' : unanimous(known)
      const isUsual = seen.length >= 0.8 * count && count > 1
      return isUsual && type !== undefined && this.#isNobodysName(name) ? [[name, type] as const] : []
    })
    return Object.fromEntries(shown.slice(0, mostFields))
  }

  #isNobodysName(name: string): boolean {
    return isFieldName(name) && !/\d{3}|[\w-]{32,}/.test(name) && !this.#sent.has(name) && !this.#mint.marks(name)
  }
}

const mostFields = 50

function noteTypes(types: Types, record: Fields, names: readonly string[]): void {
  for (const name of names) types.set(name, [...(types.get(name) ?? []), typeOf(record[name], record)])
}

function typeOf(value: unknown, { _id }: Fields): FieldType {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return typeOfText(value, _id)
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return Array.isArray(value) ? 'list' : 'object'
}

function typeOfText(text: string, id: unknown): FieldType {
  if (text === id) return 'sameId'
  if (timeForm.test(text)) return 'time'
  const form = text.length > 7 && /\d/.test(text) ? formOf([text]) : undefined
  return form ? 'id' : 'text'
}
