import { operations } from '../spec/operations.ts'
import type { OperationId } from '../spec/types.ts'
import type { Asked } from './request.ts'
import type { Mint } from './mint.ts'
import { Skipped } from '../contracts/judge/outcome.ts'
import { isWithin, type Target } from './target/target.ts'

const mostSends = 20

/**
 * Keeps a run from what it may not do. On this machine it may do everything; on a service that others share it reads
 * and writes no record but its own, and writes to nobody but those whom the operator named.
 */
export class Guard {
  readonly #target: Target
  readonly #mint: Mint
  /** The ids of what this run made, and the addresses that each leads to. */
  readonly #own = new Map<string, readonly string[]>()
  #sends = 0

  constructor(target: Target, mint: Mint) {
    this.#target = target
    this.#mint = mint
  }

  /** Throws why a request stays here. */
  check(operation: OperationId, asked: Asked): void {
    const { effect, method } = operations[operation]
    if (!isWithin(effect, this.#target.upTo) || (this.#target.upTo === 'read' && method !== 'get')) {
      throw new Skipped(`it takes ${operation}, which this run may not do: --up-to ${effect} allows it`)
    }
    if (this.#target.loopback) return
    if (method === 'put' || method === 'delete') this.#checkOwn(asked)
    if (effect === 'send') this.#checkRecipients(asked)
  }

  /** Remembers what was made, so that it may be changed and deleted. */
  remember(asked: Asked, body: unknown): void {
    if (this.#target.loopback) return
    const addresses = this.#addressesIn(asked)
    for (const id of idsIn(fieldsOf(body).data)) if (!this.#own.has(id)) this.#own.set(id, addresses)
  }

  #checkOwn({ path = {}, query = {} }: Asked): void {
    const named = Object.keys(path).length > 0 ? Object.values(path) : textsIn(query.email ?? '')
    if (named.every((name) => this.#own.has(name) || this.#mint.marks(name))) return
    throw new Skipped('it would change what this run did not make')
  }

  #checkRecipients(asked: Asked): void {
    const addresses = this.#addressesIn(asked)
    const { email, phone } = this.#target.recipients
    if (addresses.length === 0 || !addresses.every((one) => email.includes(one) || phone.includes(one))) {
      throw new Skipped('off this machine a message goes only to those named with --email-to and --phone-to')
    }
    if (++this.#sends > mostSends) throw new Skipped(`off this machine a run sends at most ${mostSends} messages`)
  }

  /** Whom a request leads to; an id that nobody knows leads to somebody unknown. */
  #addressesIn({ body }: Asked): string[] {
    const { to, email, phone, conversationId, contactId, recipientId, recipientIds } = fieldsOf(body)
    const ids = textsIn(conversationId, contactId, recipientId, recipientIds)
    const addresses = textsIn(typeof to === 'string' ? to.split(',') : to, email, phone)
    return [...addresses.map((one) => one.trim()), ...ids.flatMap((id) => this.#own.get(id) ?? ['unknown'])]
  }
}

/** What is no text leads to somebody unknown. */
function textsIn(...values: unknown[]): string[] {
  const given = values.flat().filter((value) => value !== undefined)
  return given.map((value) => (typeof value === 'string' ? value : 'unknown'))
}

function idsIn(data: unknown): string[] {
  const { _id, contactId, conversationId } = fieldsOf(data)
  const contact = typeof contactId === 'string' ? contactId : fieldsOf(contactId)._id
  return [_id, contact, conversationId].filter((id) => typeof id === 'string')
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
