import type { OperationId } from '../spec/types.ts'
import { type Answer, type Fields, fieldsOf } from './answer.ts'
import { NotAllowed } from './errors.ts'
import type { Mint } from './mint.ts'
import type { Input } from './request.ts'
import { timesIn, wasBefore } from './whose-record.ts'

export const notOwn = 'the server gave a new record the id of another one, so it is not touched'

/** These find a record where one matches, so they may answer with the same id again. */
const upserts: readonly OperationId[] = [
  'findOrCreateConversation',
  'createContactWithConversation',
  'createOrUpdateContact',
]

/**
 * Tells a record that the run made from one that the server only says it made: one whose id was seen before, about
 * something else. Such a record is never changed and never deleted.
 */
export class KnownIds {
  readonly #mint: Mint
  /** For each id, what the run minted and sent in the requests that it came with; nothing for an older record. */
  readonly #texts = new Map<string, Set<string>>()
  /** The ids of records that were here before, and of those that cannot be distinguished from them. */
  readonly #foreign = new Set<string>()
  /** What was minted and sent where a record was found that was there before: it may have these addresses now. */
  readonly #foreignTexts = new Set<string>()
  /** The latest time that an answer showed, by the clock of the server. */
  #latest = 0

  /** Whether all that answers say was made is made now: not so when a run is cleaned up after. */
  readonly #makesNow: boolean

  constructor(mint: Mint, seenBefore: readonly string[] = [], makesNow = true) {
    this.#mint = mint
    this.#makesNow = makesNow
    for (const id of seenBefore) this.#texts.set(id, new Set())
  }

  get latest(): number {
    return this.#latest
  }

  /** Refuses what names a foreign record, unless it only reads. */
  check({ path = {}, query = {}, body }: Input): void {
    const named = [...Object.values(path), ...textsIn(body)]
    const isForeign = named.some((text) => this.#foreign.has(text))
    if (isForeign || textsIn(query).some((text) => this.#foreignTexts.has(normalize(text))))
      throw new NotAllowed(notOwn)
  }

  disown(id: string): void {
    this.#foreign.add(id)
    for (const text of this.#texts.get(id) ?? []) this.#foreignTexts.add(text)
  }

  /** Whether a record with this id was there before this request; `id` is the one in its answer. */
  isForeign(operation: OperationId, input: Input, id: string, data: Fields = {}): boolean {
    const known = this.#texts.get(id)
    const sent = this.#mintedIn(input)
    if (this.#makesNow) this.#latest = Math.max(this.#latest, ...timesIn(data))
    // Only by a number can somebody be found who was there before: all else that a run sends bears its mark.
    if (known === undefined && sent.some(isNumber) && wasBefore(data, this.#latest)) {
      this.#foreign.add(id)
      for (const text of sent) this.#foreignTexts.add(text)
    }
    const isOlder =
      known !== undefined && (upserts.includes(operation) ? known.size === 0 : !sent.some((text) => known.has(text)))
    if (isOlder) this.#foreign.add(id)
    return this.#foreign.has(id)
  }

  /** Notes the ids in an answer, and what was sent for them. */
  note(input: Input, { body, succeeded }: Answer): void {
    if (!succeeded) return
    const sent = this.#mintedIn(input)
    for (const id of [...Object.values(input.path ?? {}), ...idsIn(fieldsOf(body).data)]) {
      const known = this.#texts.get(id) ?? new Set()
      this.#texts.set(id, known)
      for (const text of sent) known.add(text)
    }
  }

  #mintedIn({ body, form, key }: Input): string[] {
    const texts = textsIn(form ? Object.fromEntries(form) : body)
    const minted = texts
      .flatMap((text) => text.split(','))
      .map(normalize)
      .filter((text) => this.#mint.marks(text))
    return [...minted, ...textsIn(key)]
  }
}

const isNumber = (text: string) => /^\+?\d{6,}$/.test(text)

/** As a server may compare addresses. */
const normalize = (text: string) => text.replace(/[\s()]/g, '').toLowerCase()

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  // All companies of a run have the same domain.
  const fields = Object.entries(fieldsOf(value)).filter(([name]) => name !== 'domain')
  return fields.flatMap(([, field]) => textsIn(field))
}

/** The ids of records, and of the contacts and conversations that they name. */
function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  const { _id, contactId, conversationId } = fieldsOf(value)
  return [_id, conversationId, ...(typeof contactId === 'object' ? idsIn(contactId) : [contactId])].filter(
    (id) => typeof id === 'string',
  )
}
