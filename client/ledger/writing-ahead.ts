import type { OperationId } from '../../spec/types.ts'
import type { Answer } from '../answer.ts'
import { makings } from '../operations/kinds.ts'
import type { Ledger } from './ledger.ts'
import type { Mint } from '../mint.ts'
import type { Asked } from '../request.ts'

/** Writes down what is about to be made, and then what became of it. */
export class WritingAhead {
  readonly #ledger: Pick<Ledger, 'intend' | 'record'>
  readonly #mint: Mint

  constructor(ledger: Pick<Ledger, 'intend' | 'record'>, mint: Mint) {
    this.#ledger = ledger
    this.#mint = mint
  }

  /** With a key, where only the same request could find again what an unanswered one has made. */
  keyed(operation: OperationId, asked: Asked): Asked {
    return makings[operation]?.keyed && asked.key === undefined ? { ...asked, key: this.#mint.key() } : asked
  }

  /** The name of an entry; none when nothing can be made that is not there. */
  intend(operation: OperationId, { body, form, key, who = 'team' }: Asked): string | undefined {
    const making = makings[operation]
    if (!making || typeof who !== 'string' || who === 'nobody') return undefined
    const { email, phone, to, uniqueName } = fieldsOf(form, body)
    const addresses = [email, phone, typeof to === 'string' ? to.split(',') : []].flat()
    const texts = addresses.filter((address) => typeof address === 'string').map((address) => address.trim())
    const minted = texts.filter((address) => this.#mint.marks(address))
    if (!making.idIn && minted.length === 0) return undefined
    return this.#ledger.intend({
      operation,
      who,
      kind: making.kind,
      emails: minted.filter((address) => address.includes('@')),
      phones: minted.filter((address) => !address.includes('@')),
      ...(typeof uniqueName === 'string' ? { uniqueName } : {}),
      ...(making.keyed && typeof key === 'string' ? { again: { key, body } } : {}),
    })
  }

  settle(operation: OperationId, intent: string | undefined, { succeeded, status, body }: Answer): void {
    if (intent === undefined) return
    // What failed on the way may have been made all the same.
    if (!succeeded && status < 500) this.#ledger.record({ nothing: intent })
    const { data } = Object(body) as { data?: unknown }
    const id = succeeded && typeof data === 'object' && data ? makings[operation]?.idIn?.(data) : undefined
    if (typeof id === 'string') {
      this.#ledger.record({ created: intent, id, marked: this.#mint.marks(JSON.stringify(data)) })
    }
  }
}

function fieldsOf(form: FormData | undefined, body: unknown): Readonly<Record<string, unknown>> {
  return form ? Object.fromEntries(form) : (Object(body) as Record<string, unknown>)
}
