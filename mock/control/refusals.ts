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

/** An expectation is not met, such as a number of requests. The request itself is valid. */
export class Unmet extends Refusal {
  readonly status = 409
  constructor(sentence: string) {
    super(sentence, { limit: 'controlPlane' })
  }
}

/** The sandbox does as much of it as it can at once. The request itself is valid. */
export class TooMany extends Refusal {
  readonly status = 429
  constructor(sentence: string) {
    super(sentence, { limit: 'controlPlane' })
  }
}
