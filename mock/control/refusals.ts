import { NotFound as NothingFound, refuse as refuseBecause } from '../core/refusals.ts'

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
