import { createHash, randomBytes } from 'node:crypto'
import type { Kind } from '../../fixtures/records.ts'

/** Generates ids; by default in the form of the service's examples: 24 hexadecimal characters. */
export interface Ids {
  /** For a record of this kind; a team has none. */
  next(kind?: Kind): string
  /** Whether an id may already be taken by a record that an earlier run left in a file. */
  readonly mayCollide: boolean
  /** Starts the sequence over. */
  restart(): void
}

/** Without a seed, ids that no other run generates; with one, the same ids in the same order. */
export function ids(seed?: number): Ids {
  const origin = seed === undefined ? randomBytes(8) : createHash('sha256').update(`crm-sandbox ${seed}`).digest()
  const prefix = origin.toString('hex', 0, 8)
  let given = 0
  return {
    next: () => prefix + (given++).toString(16).padStart(8, '0'),
    mayCollide: seed !== undefined,
    restart: () => {
      if (seed !== undefined) given = 0
    },
  }
}

export const looksLikeAnId = (text: string) => /^[0-9a-f]{24}$/i.test(text)
