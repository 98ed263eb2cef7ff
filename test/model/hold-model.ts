import { describe, expect, it } from 'vitest'
import { stores } from '../store/harness.ts'
import { bugs } from './bugs.ts'
import { modelRun } from './run.ts'

interface Length {
  readonly sequences: number
  /** How often every operation must succeed, and be tried with a record of the other team. */
  readonly atLeast: number
  readonly seed?: number
}

/** Compares every store with the model, and checks that the model detects ten broken servers. */
export function holdModel({ sequences, atLeast, seed }: Length): void {
  const seeded = seed === undefined ? {} : { seed }

  describe.each(stores)('on the $store store', ({ place }) => {
    it('answers every request of two teams like the model', async () => {
      const { rarestSuccess, rarestForeign } = await modelRun({ store: await place(), sequences, parameters: seeded })
      expect(rarestSuccess).toBeGreaterThanOrEqual(atLeast)
      expect(rarestForeign).toBeGreaterThanOrEqual(atLeast)
    })
  })

  describe('the model', () => {
    it.each(Object.entries(bugs))('detects that %s', async (_, broken) => {
      const parameters = { ...seeded, endOnFailure: true }
      const run = modelRun({ store: 'memory', sequences, broken, parameters })
      await expect(run).rejects.toThrow('Property failed')
    })
  })
}
