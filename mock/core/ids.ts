import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Kind } from '../../fixtures/records.ts'

/** Generates ids; by default in the form of the service's examples: 24 hexadecimal characters. */
export interface Ids {
  /** The kind of the new record; a team has no kind. */
  next(kind?: Kind): string
  /** Whether an id may already be taken by a record that an earlier run left in a file. */
  readonly mayCollide: boolean
  /** The API key of a new team. With a seed, a team of the same id gets the same key in every run. */
  keyOf(teamId: string): string
  /** Starts the sequence over. */
  restart(): void
}

/** Without a seed, ids that no other run generates; with one, the same ids in the same order. */
export function newIds(seed?: number): Ids {
  const { prefix, next, restart } = sequence('crm-sandbox', seed, 8)
  return {
    next: () => prefix + next().toString(16).padStart(8, '0'),
    mayCollide: seed !== undefined,
    keyOf: (teamId) => `sandbox_${seed === undefined ? randomBytes(18).toString('hex') : hashOf(teamId, seed)}`,
    restart,
  }
}

const hashOf = (teamId: string, seed: number) =>
  createHmac('sha256', `crm-sandbox ${seed}`).update(teamId).digest('hex').slice(0, 36)

/** A prefix of so many bytes, and numbers. With a seed, they are the same in every run. */
export function sequence(purpose: string, seed: number | undefined, bytes: number) {
  const bytesOfPrefix =
    seed === undefined ? randomBytes(bytes) : createHash('sha256').update(`${purpose} ${seed}`).digest()
  let count = 0
  return {
    prefix: bytesOfPrefix.toString('hex', 0, bytes),
    next: () => count++,
    /** Starts the sequence over. Without a seed, the sequence never repeats a number. */
    restart: () => {
      if (seed !== undefined) count = 0
    },
  }
}

export const looksLikeAnId = (text: string) => /^[0-9a-f]{24}$/i.test(text)
