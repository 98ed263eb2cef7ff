import { refuse as refuseBecause } from '../../mock/core/refusals.ts'

/** What a deviant refuses, nothing decides: it is wrong. */
export const nothing = { limit: 'wellFormed' } as const

export function refuse(sentence: string): never {
  return refuseBecause(sentence, nothing)
}
