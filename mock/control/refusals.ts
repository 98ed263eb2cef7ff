import { NotFound as NothingFound, refuse as refuseBecause, Refusal } from '../core/refusals.ts'

// What the control plane refuses, no sentence of the service's specification decides.

export function refuse(sentence: string): never {
  return refuseBecause(sentence, { limit: 'controlPlane' })
}

/** There is no such team, template or path. */
export class NotFound extends NothingFound {
  constructor() {
    super({ limit: 'controlPlane' })
  }
}

/** What was asked to be so is not so. Nothing is wrong with the request itself. */
export class NotSo extends Refusal {
  readonly status = 409
  constructor(sentence: string) {
    super(sentence, { limit: 'controlPlane' })
  }
}
