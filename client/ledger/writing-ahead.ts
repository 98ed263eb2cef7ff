import type { OperationId } from '../../spec/types.ts'
import { type Answer, type Fields, fieldsOf } from '../answer.ts'
import type { Mint } from '../mint.ts'
import { rows } from '../operations/index.ts'
import type { Input } from '../request.ts'
import type { Ledger } from './ledger.ts'

/** Writes down what a request is about to make, and then what it made. */
export class WritingAhead {
  readonly #ledger: Pick<Ledger, 'intend' | 'record'>
  readonly #mint: Mint

  constructor(ledger: Pick<Ledger, 'intend' | 'record'>, mint: Mint) {
    this.#ledger = ledger
    this.#mint = mint
  }

  /** Adds an Idempotency-Key where only the same request can find what an unanswered one has made. */
  addKey(operation: OperationId, input: Input): Input {
    return rows[operation].makes?.keyed && input.key === undefined ? { ...input, key: this.#mint.key() } : input
  }

  /** Returns the name of the intent; none when the request cannot make anything. */
  intend(operation: OperationId, { body, form, key, caller = 'team' }: Input): string | undefined {
    const { makes } = rows[operation]
    if (!makes || typeof caller !== 'string' || caller === 'nobody') return undefined
    const { email, phone, to, uniqueName } = readFields(form, body)
    const addresses = [email, phone, typeof to === 'string' ? to.split(',') : []].flat()
    const texts = addresses.filter((address) => typeof address === 'string').map((address) => address.trim())
    const minted = texts.filter((address) => this.#mint.marks(address))
    if (!makes.idIn && minted.length === 0) return undefined
    return this.#ledger.intend({
      operation,
      who: caller,
      kind: makes.kind,
      emails: minted.filter((address) => address.includes('@')),
      phones: minted.filter((address) => !address.includes('@')),
      ...(typeof uniqueName === 'string' ? { uniqueName } : {}),
      ...(makes.keyed && typeof key === 'string' ? { again: { key, body } } : {}),
    })
  }

  settle(operation: OperationId, intent: string | undefined, { succeeded, status, fields }: Answer): void {
    if (intent === undefined) return
    // After a 5xx the record may exist all the same.
    if (!succeeded && status < 500) this.#ledger.record({ nothing: intent })
    const { data } = fields
    const id = succeeded && typeof data === 'object' && data ? rows[operation].makes?.idIn?.(data) : undefined
    if (typeof id === 'string') {
      this.#ledger.record({ created: intent, id, marked: this.#mint.marks(JSON.stringify(data)) })
    }
  }
}

function readFields(form: FormData | undefined, body: unknown): Fields {
  return form ? Object.fromEntries(form) : fieldsOf(body)
}
