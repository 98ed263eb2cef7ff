import { sends } from '../../spec/operation-groups.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Answer } from './answer.ts'
import { NotAllowed } from './errors.ts'
import { addressesIn, idsIn, idsInBody } from './kinds.ts'
import type { Input } from './request.ts'
import { isWithin, type Target } from './target/target.ts'

/** The messages of one run to a shared server, and how many of them are reserved for each operation. */
const limits = { all: 20, reserved: 3 }

/**
 * Refuses requests that the operator did not allow: beyond `--up-to` and, on a shared server, messages to anyone but the
 * recipients from `--email-to` and `--phone-to`.
 */
export class Guard {
  readonly #target: Target
  /** The addresses that the contact or conversation with an id has. */
  readonly #addresses = new Map<string, readonly string[]>()
  readonly #sent = new Map<OperationId, number>()

  constructor(target: Target) {
    this.#target = target
  }

  check(operation: OperationId, input: Input): void {
    const { effect, method } = operations[operation]
    const { upTo, loopback } = this.#target
    if (!isWithin(effect, upTo) || (upTo === 'read' && method !== 'get'))
      throw new NotAllowed('limits', `needs ${operation}, which this run may not call: --up-to ${effect} allows it`)
    if (loopback || effect !== 'send') return
    const addresses = this.#addressesOf(input)
    if (addresses.length === 0 || !addresses.every(this.#isNamed))
      throw new NotAllowed(
        'limits',
        'off this machine a message goes only to those named with --email-to and --phone-to',
      )
    const others = sends.filter((id) => id !== operation).map((id) => Math.max(this.#countOf(id), limits.reserved))
    if (others.reduce((sum, count) => sum + count, this.#countOf(operation)) >= limits.all)
      throw new NotAllowed('limits', `off this machine a run sends at most ${limits.all} messages`)
    this.#sent.set(operation, this.#countOf(operation) + 1)
  }

  /** Keeps the addresses of new records. Returns whether the request was about recipients that the operator named. */
  note(operation: OperationId, input: Input, { status, succeeded, fields }: Answer): boolean {
    // A refused message does not count.
    if (status >= 400 && status < 500) this.#sent.set(operation, Math.max(this.#countOf(operation) - 1, 0))
    const addresses = this.#addressesOf(input)
    const isNamed = addresses.some(this.#isNamed)
    if (succeeded && (isNamed || operations[operation].method === 'post'))
      for (const [, id] of idsIn(operation, fields.data))
        if (!this.#addresses.has(id)) this.#addresses.set(id, addresses)
    return isNamed
  }

  /** The addresses that a request reaches. An id that this run did not get from a create has an unknown address. */
  #addressesOf({ path = {}, body }: Input): string[] {
    const ids = [...Object.values(path), ...idsInBody(body)]
    return [...addressesIn(body), ...ids.flatMap((id) => this.#addresses.get(id) ?? ['unknown'])]
  }

  readonly #isNamed = (address: string) => {
    const { email, phone } = this.#target.recipients
    return email.includes(address) || phone.includes(address)
  }

  readonly #countOf = (operation: OperationId) => this.#sent.get(operation) ?? 0
}
