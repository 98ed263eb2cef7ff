import type { DataOf, OperationId } from '../../spec/types.ts'
import { StepFailed } from './errors.ts'
import { lists } from '../../spec/operation-groups.ts'
import { exceededLimit, parseMeasured } from '../../lib/json.ts'
import type { Incoming } from './transport.ts'

/** How deep objects and lists of a body may be nested. */
export const mostLevels = 100

const listed: readonly OperationId[] = [...lists, 'listConversationsOfContact']

/** The answer to an operation. */
export class Answer<Id extends OperationId = OperationId> {
  readonly operation: Id
  readonly status: number
  /** The parsed JSON; `undefined` when the answer is not JSON, or is too deep. */
  readonly body: unknown
  /** Whether the body is nested so deeply that it takes too long to judge. */
  readonly isTooDeep: boolean

  readonly headers: Incoming['headers']

  constructor(operation: Id, status: number, text: string, headers: Incoming['headers'] = {}) {
    this.operation = operation
    this.status = status
    this.headers = headers
    this.isTooDeep = exceededLimit(text, { fields: Infinity, values: Infinity, levels: mostLevels }) !== undefined
    // Some servers begin a text with a byte order mark, which is no part of the JSON.
    this.body = this.isTooDeep ? undefined : parseMeasured(text.replace(/^\uFEFF/, ''))
  }

  get succeeded(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get message(): string {
    const { message } = this.fields
    return typeof message === 'string' ? message : ''
  }

  /** The data of a success. Throws `StepFailed` without data, and where a list is something else. */
  get data(): NonNullable<DataOf<Id>> {
    const { data } = this.fields
    if (!this.succeeded || data === undefined || data === null)
      throw new StepFailed(`there is no data in ${this.summary}`)
    if (listed.includes(this.operation) && !Array.isArray(data))
      throw new StepFailed(`the data is no list in ${this.summary}`)
    return data as NonNullable<DataOf<Id>>
  }

  get pagination(): Fields {
    const { pagination } = this.fields
    if (typeof pagination !== 'object' || pagination === null)
      throw new StepFailed(`there is no pagination in ${this.summary}`)
    return pagination as Fields
  }

  /** Such as `createContact answering 400 (lastName is required)`. */
  get summary(): string {
    return `${this.operation} answering ${this.status}${this.message === '' ? '' : ` (${this.message})`}`
  }

  /** The fields at the top of the body; none if the body is not an object. */
  get fields(): Fields {
    return fieldsOf(this.body)
  }
}

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; anything else has none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** A record with the ids of the records that it shows whole: a service may populate its references. */
export const withIds = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, idOf(value) ?? value]))

/** The id of a record. */
export function idOf(record: unknown): string | undefined {
  const { _id } = fieldsOf(record)
  return typeof _id === 'string' ? _id : undefined
}
