import { describe, expect, it } from 'vitest'
import { stores } from '../store/harness.ts'
import { bugs } from './bugs.ts'
import { modelRun } from './run.ts'

interface Length {
  readonly sequences: number
  /** How often every operation has to succeed, and to be asked for what is not the team’s; else too little was tried. */
  readonly atLeast: number
  readonly seed?: number
}

/** Holds every store against the model, and the model against ten servers that are broken. */
export function holdModel({ sequences, atLeast, seed }: Length): void {
  const seeded = seed === undefined ? {} : { seed }

  describe.each(stores)('on the $store store', ({ place }) => {
    it('every request of two teams is answered as the model answers it', async () => {
      const { rarestSuccess, rarestForeign } = await modelRun({ store: await place(), sequences, parameters: seeded })
      expect(rarestSuccess).toBeGreaterThanOrEqual(atLeast)
      expect(rarestForeign).toBeGreaterThanOrEqual(atLeast)
    })
  })

  describe('the model', () => {
    it.each(Object.entries(bugs))('sees that %s', async (_, broken) => {
      const parameters = { ...seeded, endOnFailure: true }
      const run = modelRun({ store: 'memory', sequences, broken, parameters })
      await expect(run).rejects.toThrow('Property failed')
    })
  })
}
