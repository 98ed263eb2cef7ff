import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Answer, fieldsOf } from './answer.ts'
import { NotAllowed } from './errors.ts'
import { idsIn, idsInBody, isRead, type CreatedKind, makes, type OwnedKind, readOf } from './kinds.ts'
import type { Mint } from './mint.ts'
import type { Input } from './request.ts'
import type { Caller } from './target/credentials.ts'

/** The owner of a record according to a read. `unknown`: the read shows no field that could have the mark. */
export type Owner = 'run' | 'other' | 'unknown' | 'gone'

interface Claim {
  readonly kind: OwnedKind
  readonly caller: Caller
  /** Its ledger entry. */
  readonly intent?: string | undefined
  /** The operation that answered with the id. */
  readonly by?: OperationId | undefined
  /** An answer that contained the id showed the mark of the run. */
  readonly isMarked: boolean
  /** Set by the first read that can show the mark. Later the run itself may have changed the record. */
  owner?: Owner | undefined
}

/** So many reads show that the answers of an operation name the records that it made. On this machine, no more are needed. */
const mostProven = 3

interface OwnedRequest extends Pick<Claim, 'caller' | 'intent'> {
  readonly isNamed: boolean
}

interface OwnershipOptions {
  readonly mint: Mint
  readonly read: (operation: OperationId, input: Input, caller: Caller) => Promise<Answer>
  readonly onOwner: (intent: string, isOwned: boolean) => void
  /** Other people use the server: then an unknown id is not touched either. */
  readonly isShared: boolean
}

/**
 * The one rule of ownership: a run changes, adds to or deletes a record only if its own request created it, so that the
 * answer contained the id, and if a read before the first change shows the mark of the run. The mark is in a name, an
 * e-mail address or a unique name. A contact without these is recognized by its number, even if it has a name that a
 * contact with an e-mail address of the run has as well. A quote is recognized by its deal. A read without any such field
 * is no objection if an earlier answer showed the mark.
 */
export class Ownership {
  readonly #options: OwnershipOptions
  readonly #claims = new Map<string, Claim>()
  /** Records that the server showed and that no request of the run created. */
  readonly #others = new Set<string>()
  /** Names of contacts with an e-mail address of the run: the server may give the same name to each new contact. */
  readonly #names = new Set<string>()

  /** How many records of each operation a read has shown with the mark. */
  readonly #proven = new Map<OperationId, number>()

  constructor(options: OwnershipOptions) {
    this.#options = options
  }

  /** The ids of this kind that a caller created and has not deleted, oldest first. */
  idsOf(kind: CreatedKind, caller: Caller): readonly string[] {
    return [...this.#claims].flatMap(([id, claim]) => (claim.kind === kind && claim.caller === caller ? [id] : []))
  }

  claim(id: string, claim: Claim): void {
    if (!this.#claims.has(id)) this.#claims.set(id, { ...claim, ...(this.#others.has(id) ? { owner: 'other' } : {}) })
    if (claim.owner === 'run') this.#prove(claim)
  }

  /** Throws `NotAllowed` for a request that would change, add to or delete a record of another owner. */
  async check(operation: OperationId, { path = {}, query = {}, body }: Input, caller: Caller): Promise<void> {
    if (operations[operation].method === 'get') return
    const { mint, isShared } = this.#options
    if (operation === 'deleteContactsByEmail') {
      const addresses = [query.email ?? (isShared ? '' : [])].flat().map(String)
      const isOwn = (address: string) => mint.marks(address) || (!isShared && !address.includes('@'))
      if (!addresses.every(isOwn)) throw new NotAllowed('owner', refusals.other)
    }
    for (const id of [...Object.values(path), ...idsInBody(body)]) {
      const claim = this.#claims.get(id)
      const isForeign = this.#others.has(id) || (isShared && Object.values(path).includes(id) && !mint.marks(id))
      if (!claim && isForeign) throw new NotAllowed('owner', refusals.other)
      if (!claim || isRead(operation, body) || (!isShared && this.#isProven(claim))) continue
      const [read, about] = readOf(claim.kind, id)
      const owner = claim.owner ?? this.#settle(claim, await this.#options.read(read, about, claim.caller))
      const isSafe =
        owner === 'run' || (owner === 'gone' && caller === claim.caller) || (owner === 'unknown' && claim.isMarked)
      if (!isSafe) throw new NotAllowed('owner', refusals[owner])
    }
  }

  /** Claims the ids in an answer. Recipients that the operator named are not claimed: they may be older than the run. */
  note(operation: OperationId, { path = {}, body }: Input, answer: Answer, sent: OwnedRequest): void {
    const { caller, isNamed } = sent
    const { method } = operations[operation]
    for (const id of Object.values(path)) {
      const claim = this.#claims.get(id)
      if (method === 'delete' && answer.succeeded) this.#claims.delete(id)
      // A list of conversations does not show their contact.
      else if (claim?.caller === caller && !claim.owner && isRead(operation, body) && !operation.startsWith('list'))
        this.#settle(claim, answer)
    }
    if (!answer.succeeded || isNamed) return
    for (const record of [answer.fields.data].flat()) {
      const { contactId } = fieldsOf(record)
      for (const contact of [record, contactId]) this.#noteName(contact)
      const isMarked = (this.#showsMark(record) ?? this.#showsMark(contactId)) === true
      for (const [kind, id] of idsIn(operation, record))
        if (method === 'post' || isMarked)
          this.claim(id, {
            ...{ kind, caller, isMarked, by: operation },
            intent: kind === makes[operation]?.kind ? sent.intent : undefined,
          })
        else if (!this.#claims.has(id)) this.#others.add(id)
    }
  }

  #settle(claim: Claim, { status, succeeded, fields }: Answer): Owner {
    const shown = claim.kind === 'conversation' ? fieldsOf(fields.data).contactId : fields.data
    this.#noteName(shown)
    const showsMark = succeeded ? this.#showsMark(shown) : undefined
    const owner = showsMark === undefined ? (status === 404 ? 'gone' : 'unknown') : showsMark ? 'run' : 'other'
    const { phone, phoneNumber } = fieldsOf(shown)
    // A later read may show that the server gives this name to every new contact.
    const mayBeOwn = [phone, phoneNumber].some((number) => this.#options.mint.marks(String(number)))
    if (owner === 'run') this.#prove(claim)
    if (owner === 'run' || (owner === 'other' && !mayBeOwn)) {
      claim.owner = owner
      if (claim.intent !== undefined) this.#options.onOwner(claim.intent, owner === 'run')
    }
    return owner
  }

  #prove({ by }: Claim): void {
    if (by) this.#proven.set(by, (this.#proven.get(by) ?? 0) + 1)
  }

  #isProven({ owner, isMarked, by }: Claim): boolean {
    return owner === undefined && isMarked && by !== undefined && (this.#proven.get(by) ?? 0) >= mostProven
  }

  #noteName(contact: unknown): void {
    if (this.#options.mint.marks(String(fieldsOf(contact).email))) this.#names.add(nameIn(contact))
  }

  /** `undefined` when the record shows neither the mark nor a field that could have it. */
  #showsMark(record: unknown): boolean | undefined {
    const { mint } = this.#options
    const { _id, email, phone, phoneNumber, dealId } = fieldsOf(record)
    if (mint.marks(JSON.stringify(record ?? null).replace(/\+\d+/g, ''))) return true
    if ([_id, dealId].some((id) => this.#claims.get(String(id))?.owner === 'run')) return true
    const name = nameIn(record)
    const others = [email, this.#names.has(name) ? '' : name]
    if (others.some((text) => typeof text === 'string' && /\p{L}/u.test(text))) return false
    const numbers = [phone, phoneNumber].filter((number) => typeof number === 'string' && number !== '')
    return numbers.length === 0 ? undefined : numbers.some((number) => mint.marks(String(number)))
  }
}

const refusals = {
  run: '',
  other: 'nothing shows that the run made this record, so it is not touched',
  gone: 'the server does not know the id that it gave a new record, so no other caller uses it',
  unknown: 'the record does not show the mark of the run, so it is not touched',
}

function nameIn(record: unknown): string {
  const { name, firstName, lastName } = fieldsOf(record)
  return [name, firstName, lastName].filter((text) => typeof text === 'string').join(' ')
}
