import { operations } from '../spec/operations.ts'
import type { OperationId } from '../spec/types.ts'
import { type Answer, fieldsOf } from './answer.ts'
import { NotAllowed } from './errors.ts'
import { notOwn } from './known-ids.ts'
import type { Mint } from './mint.ts'
import { type Kind, rows } from './operations/index.ts'
import type { Input } from './request.ts'
import type { Caller } from './target/credentials.ts'
import { bearsMark, readWhose, tellWhose, type Whose } from './whose-record.ts'

interface Claim {
  readonly kind: Kind | 'conversation'
  readonly caller: Caller
  /** Its name is one that the run gave it; a quote without one may get a name from the server. */
  readonly isNamed: boolean
  /** The answer that gave the id showed something minted. */
  readonly isMarked: boolean
  readonly since: number
}

interface ClaimsOptions {
  readonly mint: Mint
  /** Sends a request as the caller who got the id. */
  readonly look: (operation: OperationId, input: Input, caller: Caller) => Promise<Answer>
  /** The latest time that the server has shown. */
  readonly latest: () => number
  /** Called once for each record that was looked at. */
  readonly onTold: (id: string, whose: Whose) => void
}

/**
 * An answer that says that a record was made may give the id of an older one, even beside the values that were sent.
 * So each record is looked at before it is changed, written to or deleted for the first time.
 */
export class Claims {
  readonly #options: ClaimsOptions
  readonly #claims = new Map<string, Claim>()
  readonly #told = new Map<string, Promise<Whose>>()
  /** The ids of people whom the operator named, and of their conversations: they may be older, and are written to. */
  readonly #named = new Set<string>()
  /** A server that has given one wrong id is believed nothing more. */
  #isDoubted = false

  constructor(options: ClaimsOptions) {
    this.#options = options
  }

  /** Refuses what would touch a record that the run did not make. */
  async check(operation: OperationId, { path = {}, body }: Input, caller: Caller): Promise<void> {
    if (isLook(operation, body)) return
    for (const id of [...Object.values(path), ...touchedBy(fieldsOf(body))]) {
      const claim = this.#claims.get(id)
      if (!claim) continue
      const whose = await this.#tell(id, claim)
      // What the caller that created it cannot find may be a record of somebody else.
      const isSafe =
        whose === 'own' ||
        (whose === 'gone' && caller === claim.caller) ||
        (whose === 'unknown' && claim.isMarked && !this.#isDoubted)
      if (!isSafe) throw new NotAllowed(refusals[whose])
    }
  }

  /** Notes the ids in an answer that says that something was made or changed, and whose a record is that was shown. */
  note(operation: OperationId, { path = {}, body: sent }: Input, answer: Answer, caller: Caller): void {
    const { method } = operations[operation]
    for (const id of Object.values(path)) {
      const claim = this.#claims.get(id)
      if (method === 'delete' && answer.succeeded) this.#claims.delete(id)
      else if (claim?.caller === caller && showsRecord(operation, sent) && !this.#told.has(id))
        this.#told.set(id, this.#settle(id, readWhose(claim, answer, this.#options.mint)))
    }
    // What looks makes nothing, and may show little of a record.
    if (!answer.succeeded || (method !== 'post' && method !== 'put') || isLook(operation, sent)) return
    const { data } = answer.fields
    const shown = [data, fieldsOf(data).contactId]
    const isMarked =
      shown.some((one) => bearsMark(one, this.#options.mint)) || this.#claims.has(String(fieldsOf(data).dealId))
    const isAboutNamed = operation !== 'createContact' && this.#isAboutNamed(path, fieldsOf(sent))
    for (const [kind, id] of idsIn(operation, data)) {
      const isNamed = kind !== 'quote' || fieldsOf(sent).name !== undefined
      if (isAboutNamed && (kind === 'contact' || kind === 'conversation')) this.#named.add(id)
      else if (!this.#claims.has(id))
        this.#claims.set(id, { kind, caller, isMarked, isNamed, since: this.#options.latest() })
    }
  }

  /** The ids of this kind that a caller got, and has not deleted; the oldest first. */
  idsOf(kind: Kind, caller: Caller): readonly string[] {
    return [...this.#claims].flatMap(([id, claim]) => (claim.kind === kind && claim.caller === caller ? [id] : []))
  }

  /** Whether a request names an address that the run did not mint, or somebody who was found by one. */
  #isAboutNamed(path: Readonly<Record<string, string>>, sent: Record<string, unknown>): boolean {
    const { email, phone, phoneNumber, to } = sent
    const addresses = [email, phone, phoneNumber, to].filter((text) => typeof text === 'string')
    const ids = [...Object.values(path), ...touchedBy(sent)]
    return addresses.some((text) => !this.#options.mint.marks(text)) || ids.some((id) => this.#named.has(id))
  }

  #tell(id: string, claim: Claim): Promise<Whose> {
    const { mint, look } = this.#options
    const told =
      this.#told.get(id) ??
      tellWhose(claim, id, (operation, input) => look(operation, input, claim.caller), mint).then((whose) =>
        this.#settle(id, whose),
      )
    this.#told.set(id, told)
    told.catch(() => this.#told.delete(id))
    return told
  }

  async #settle(id: string, whose: Whose): Promise<Whose> {
    if (whose === 'another') this.#isDoubted = true
    this.#options.onTold(id, whose)
    // Perhaps it only cannot be seen yet.
    if (whose === 'gone') queueMicrotask(() => this.#told.delete(id))
    return whose
  }
}

/** A read, or an update that changes nothing. */
const isLook = (operation: OperationId, body: unknown) =>
  operations[operation].method === 'get' ||
  (operations[operation].method === 'put' && Object.keys(fieldsOf(body)).length === 0)

/** What a list shows of a conversation or a contact is not that record: an empty history says nothing of it. */
const showsRecord = (operation: OperationId, body: unknown) => isLook(operation, body) && !operation.startsWith('list')

const refusals = {
  another: notOwn,
  gone: 'the server does not know the id that it gave a new record, so nobody else asks for it',
  unknown: 'nothing shows that the run made the record with this id, so it is not touched',
}

/** The records that a body adds something to. */
function touchedBy({
  conversationId,
  contactId,
  recipientId,
  recipientIds,
  dealId,
}: Record<string, unknown>): string[] {
  return [conversationId, contactId, recipientId, recipientIds, dealId].flat().filter((id) => typeof id === 'string')
}

function idsIn(operation: OperationId, data: unknown): (readonly [Claim['kind'], string])[] {
  const { _id, contactId, conversationId } = fieldsOf(data)
  const own = kindMadeBy(operation)
  const ids = [
    [own, _id],
    ['contact', typeof contactId === 'object' ? fieldsOf(contactId)._id : contactId],
    ['conversation', conversationId],
  ] as const
  return ids.flatMap(([kind, id]) => (kind && typeof id === 'string' ? [[kind, id] as const] : []))
}

/** Of the record whose id is `_id` in the data of an answer; a message cannot be changed. */
function kindMadeBy(operation: OperationId): Claim['kind'] | undefined {
  if (operation.includes('Conversation')) return 'conversation'
  if (operations[operation].effect === 'send') return undefined
  const name = /\{(\w+)Id\}/.exec(operations[operation].path)?.[1]
  return rows[operation].makes?.kind ?? (name as Kind | undefined)
}
