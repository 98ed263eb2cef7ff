import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Answer, type Fields, fieldsOf } from '../answer.ts'
import type { KnownIds } from '../known-ids.ts'
import type { Mint } from '../mint.ts'
import { rows } from '../operations/index.ts'
import type { Input } from '../request.ts'
import type { Whose } from '../whose-record.ts'
import type { Ledger } from './ledger.ts'

type Writer = Pick<Ledger, 'intend' | 'record'>

/** Writes down what a request is about to make, and then what it made. */
export class WritingAhead {
  readonly #ledger: Writer
  readonly #mint: Mint
  readonly #ids: Pick<KnownIds, 'isForeign' | 'latest'>
  /** Whether a text shows a credential, even a part of one: none is ever written down. */
  readonly #isSecret: (text: string) => boolean
  /** The intent that made each record. */
  readonly #intents = new Map<string, string>()

  constructor(
    ledger: Writer,
    mint: Mint,
    ids: Pick<KnownIds, 'isForeign' | 'latest'>,
    isSecret: (text: string) => boolean,
  ) {
    this.#ledger = ledger
    this.#isSecret = isSecret
    this.#mint = mint
    this.#ids = ids
  }

  /** Adds an Idempotency-Key where only the same request can find what an unanswered one has made. */
  addKey(operation: OperationId, input: Input): Input {
    return rows[operation].makes?.keyed && input.key === undefined ? { ...input, key: this.#mint.key() } : input
  }

  /** Returns the name of the intent; none when the request cannot make anything. */
  intend(operation: OperationId, { body, form, key, caller = 'team' }: Input): string | undefined {
    const { makes } = rows[operation]
    if (!makes || typeof caller !== 'string' || caller === 'nobody') return undefined
    const fields = readFields(form, body)
    const { name, uniqueName } = fields
    const minted = addressesIn(fields).filter((address) => this.#mint.marks(address))
    if (!makes.idIn && minted.length === 0) return undefined
    return this.#ledger.intend({
      operation,
      who: caller,
      kind: makes.kind,
      emails: minted.filter((address) => address.includes('@')),
      phones: minted.filter((address) => !address.includes('@')),
      ...(typeof name === 'string' && this.#mint.marks(name) ? { name } : {}),
      ...(typeof uniqueName === 'string' ? { uniqueName } : {}),
      ...(makes.keyed && typeof key === 'string' ? { again: { key, body } } : {}),
    })
  }

  settle(operation: OperationId, intent: string | undefined, input: Input, answer: Answer): void {
    const { succeeded, status } = answer
    if (succeeded && operations[operation].effect === 'send') this.#settleSend(operation, input)
    if (intent === undefined) return
    // After a 5xx the record may exist all the same.
    if (!succeeded && status < 500) this.#ledger.record({ nothing: intent })
    else if (succeeded) this.#settleSuccess(operation, intent, input, answer)
  }

  /** Writes down whose a record is, once it was looked at. */
  tell(id: string, whose: Whose): void {
    const intent = this.#intents.get(id)
    if (intent === undefined) return
    if (whose === 'own') this.#ledger.record({ own: intent })
    if (whose === 'another') this.#ledger.record({ foreign: intent, id })
  }

  #settleSuccess(operation: OperationId, intent: string, input: Input, { fields: { data } }: Answer): void {
    const id = typeof data === 'object' && data ? rows[operation].makes?.idIn?.(data) : undefined
    if (typeof id !== 'string' || this.#isSecret(id)) {
      this.#ledger.record({ answered: intent, queued: operation === 'sendBulkMessages' })
    } else if (this.#ids.isForeign(operation, input, id, fieldsOf(data))) {
      const first = this.#intents.get(id)
      for (const name of first === undefined ? [intent] : [first, intent]) this.#ledger.record({ foreign: name, id })
    } else {
      if (!this.#intents.has(id)) this.#intents.set(id, intent)
      this.#ledger.record({ created: intent, id, marked: this.#isOurs(data), since: this.#ids.latest })
    }
  }

  /** It shows the mark of the run, or is the quote of a deal that does: a quote needs no name of its own. */
  #isOurs(data: unknown): boolean {
    const { dealId } = fieldsOf(data)
    return this.#mint.marks(JSON.stringify(data)) || (typeof dealId === 'string' && this.#intents.has(dealId))
  }

  /** A message to a contact that the run did not create stays, and so does a scheduled send. */
  #settleSend(operation: OperationId, { body }: Input): void {
    const fields = fieldsOf(body)
    if (operation === 'sendBulkMessages' && fields.scheduleType === 'scheduled')
      this.#ledger.record({ stays: 'scheduled' })
    else if (addressesIn(fields).some((address) => !this.#mint.marks(address)))
      this.#ledger.record({ stays: 'toPeople' })
  }
}

function addressesIn({ email, phone, to }: Fields): string[] {
  const addresses = [email, phone, typeof to === 'string' ? to.split(',') : []].flat()
  return addresses.filter((address) => typeof address === 'string').map((address) => address.trim())
}

function readFields(form: FormData | undefined, body: unknown): Fields {
  return form ? Object.fromEntries(form) : fieldsOf(body)
}
