import { sends } from '../spec/operation-groups.ts'
import { operations } from '../spec/operations.ts'
import type { OperationId } from '../spec/types.ts'
import { fieldsOf } from './answer.ts'
import { NotAllowed } from './errors.ts'
import type { Input } from './request.ts'
import { isWithin, type Target } from './target/target.ts'

const mostSends = 20

/** As many of them are kept for each of these, so that each can be seen to work. */
const keptForEach = 3

/**
 * Refuses requests that the operator did not allow: beyond `--up-to`, and on a service that others share, messages to
 * people whom the operator did not name.
 */
export class Guard {
  readonly #target: Target
  /** The ids of the records that this run made, and the addresses that each leads to. */
  readonly #own = new Map<string, readonly string[]>()
  readonly #sent = new Map<OperationId, number>()

  constructor(target: Target) {
    this.#target = target
  }

  check(operation: OperationId, input: Input): void {
    const { effect, method } = operations[operation]
    if (!isWithin(effect, this.#target.upTo) || (this.#target.upTo === 'read' && method !== 'get')) {
      throw new NotAllowed(`needs ${operation}, which this run may not call: --up-to ${effect} allows it`)
    }
    if (this.#target.loopback) return
    if (effect === 'send') this.#checkRecipients(operation, input)
  }

  /** Remembers what was made, so that it may be changed and deleted. */
  remember(input: Input, body: unknown): void {
    if (this.#target.loopback) return
    const addresses = this.#addressesIn(input)
    for (const id of idsIn(fieldsOf(body).data)) if (!this.#own.has(id)) this.#own.set(id, addresses)
  }

  #checkRecipients(operation: OperationId, input: Input): void {
    const addresses = this.#addressesIn(input)
    const { email, phone } = this.#target.recipients
    if (addresses.length === 0 || !addresses.every((one) => email.includes(one) || phone.includes(one))) {
      throw new NotAllowed('off this machine a message goes only to those named with --email-to and --phone-to')
    }
    if (this.#sendsLeftFor(operation) <= 0)
      throw new NotAllowed(`off this machine a run sends at most ${mostSends} messages`)
    this.#sent.set(operation, (this.#sent.get(operation) ?? 0) + 1)
  }

  /** A refused send reaches no recipient. */
  giveBack(operation: OperationId): void {
    const count = this.#sent.get(operation) ?? 0
    this.#sent.set(operation, Math.max(count - 1, 0))
  }

  #sendsLeftFor(operation: OperationId): number {
    const countOf = (id: OperationId) => this.#sent.get(id) ?? 0
    const kept = sends.filter((id) => id !== operation).map((id) => Math.max(keptForEach - countOf(id), 0))
    return mostSends - [...sends.map(countOf), ...kept].reduce((sum, count) => sum + count, 0)
  }

  /** The addresses that a request leads to; an id that is not one of ours leads to an unknown one. */
  #addressesIn({ body }: Input): string[] {
    const { to, email, phone, conversationId, contactId, recipientId, recipientIds } = fieldsOf(body)
    const ids = toTexts(conversationId, contactId, recipientId, recipientIds)
    const addresses = toTexts(typeof to === 'string' ? to.split(',') : to, email, phone)
    return [...addresses.map((one) => one.trim()), ...ids.flatMap((id) => this.#own.get(id) ?? ['unknown'])]
  }
}

/** Anything but a text stands for an unknown address. */
function toTexts(...values: unknown[]): string[] {
  const given = values.flat().filter((value) => value !== undefined)
  return given.map((value) => (typeof value === 'string' ? value : 'unknown'))
}

function idsIn(data: unknown): string[] {
  const { _id, contactId, conversationId } = fieldsOf(data)
  const contact = typeof contactId === 'string' ? contactId : fieldsOf(contactId)._id
  return [_id, contact, conversationId].filter((id) => typeof id === 'string')
}
