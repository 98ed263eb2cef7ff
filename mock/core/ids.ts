import { createHash, randomBytes } from 'node:crypto'

/** Gives ids that look like the service's: 24 hexadecimal characters. */
export interface Ids {
  next(): string
  /** Whether an id may be that of a record which an earlier run has left in a file. */
  readonly mayMeetOthers: boolean
  /** Begins again, as at the start. */
  restart(): void
}

/** Ids that never meet those of another run; with a seed, the same ids in the same order. */
export function ids(seed?: number): Ids {
  const origin = seed === undefined ? randomBytes(8) : createHash('sha256').update(`crm-sandbox ${seed}`).digest()
  const prefix = origin.toString('hex', 0, 8)
  let given = 0
  return {
    next: () => prefix + (given++).toString(16).padStart(8, '0'),
    mayMeetOthers: seed !== undefined,
    restart: () => {
      if (seed !== undefined) given = 0
    },
  }
}

export const looksLikeAnId = (text: string) => /^[0-9a-f]{24}$/i.test(text)
