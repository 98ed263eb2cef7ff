import { quoteUnlessPlain } from '../../lib/text.ts'
import { closeTo } from '../../spec/close-to.ts'
import { BadRequest, Refusal } from './refusals.ts'

export function reject(sentence: string): never {
  throw new BadRequest(sentence, { limit: 'controlPlane' })
}

/** There is no such team, template or path. */
export class UnknownName extends Refusal {
  readonly status = 404

  /** `known` has the names that there are, of which the sentence says the nearest; `end` ends the sentence. */
  constructor(what: string, name: string, known: readonly string[] = [], end = '') {
    const [close] = closeTo(name, known)
    super(
      `there is no ${what} ${quoteUnlessPlain(name)}${close === undefined ? '' : `; did you mean ${close}?`}${end}`,
      {
        limit: 'controlPlane',
      },
    )
  }
}

/** Refuses a valid request: 409 when an expectation is not met, 429 when the sandbox is at its limit for now, 503 when it is not ready. */
export class RejectedNow extends Refusal {
  readonly status: 409 | 429 | 503
  constructor(status: RejectedNow['status'], sentence: string) {
    super(sentence, { limit: 'controlPlane' })
    this.status = status
  }
}
