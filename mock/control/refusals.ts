import { NotFound as NothingFound, refuse as refuseBecause, Refusal } from '../core/refusals.ts'

export function refuse(sentence: string): never {
  return refuseBecause(sentence, { limit: 'controlPlane' })
}

/** There is no such team, template or path. */
export class NotFound extends NothingFound {
  constructor() {
    super({ limit: 'controlPlane' })
  }
}

/** Refuses a valid request: 409 when an expectation is not met, 429 when the sandbox is at its limit for now. */
export class RefusedNow extends Refusal {
  readonly status: 409 | 429
  constructor(status: 409 | 429, sentence: string) {
    super(sentence, { limit: 'controlPlane' })
    this.status = status
  }
}
