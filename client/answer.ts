import type { DataOf, OperationId } from '../spec/types.ts'
import { Inconclusive } from '../contracts/judge/outcome.ts'

/** What an operation answered, once it has been held to the document. */
export class Answer<Id extends OperationId = OperationId> {
  readonly operation: Id
  readonly status: number
  /** The JSON as it came. */
  readonly body: unknown

  constructor(operation: Id, status: number, body: unknown) {
    this.operation = operation
    this.status = status
    this.body = body
  }

  get succeeded(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get message(): string {
    const message = this.#field('message')
    return typeof message === 'string' ? message : ''
  }

  /** What a success carries. Where it carries none, that breaks a promise of its own, and no other can be judged. */
  get data(): NonNullable<DataOf<Id>> {
    const data = this.#field('data')
    if (!this.succeeded || data === undefined || data === null)
      throw new Inconclusive(`there is no data in ${this.said}`)
    return data as NonNullable<DataOf<Id>>
  }

  get pagination(): Readonly<Record<string, unknown>> {
    const pagination = this.#field('pagination')
    if (typeof pagination !== 'object' || pagination === null)
      throw new Inconclusive(`there is no pagination in ${this.said}`)
    return pagination as Record<string, unknown>
  }

  /** In short, such as `400 (lastName is required)`. */
  get said(): string {
    return `${this.operation} answering ${this.status}${this.message === '' ? '' : ` (${this.message})`}`
  }

  #field(name: string): unknown {
    const { body } = this
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
  }
}
