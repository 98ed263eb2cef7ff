import fc from 'fast-check'
import { sequences } from './commands.ts'
import { Model } from './model.ts'
import { type Break, Real } from './real.ts'
import { start } from './start.ts'
import { Tally } from './tally.ts'

interface ModelRun {
  readonly store: string
  readonly sequences: number
  readonly broken?: Break
  readonly parameters?: fc.Parameters<unknown>
}

/** Compares the sandbox with the model in many sequences. Returns how much was tried. */
export async function modelRun({ store, sequences: numRuns, broken, parameters = {} }: ModelRun): Promise<Tally> {
  const tally = new Tally()
  const real = new Real(store, broken)
  const holds = fc.asyncProperty(sequences(60, tally), async (commands) => {
    const model = new Model(start)
    await real.begin(model)
    await fc.asyncModelRun(() => ({ model, real }), commands)
    model.holds(await real.world())
  })
  try {
    await fc.assert(holds, { numRuns, ...(parameters as object) })
  } finally {
    await real.close()
  }
  return tally
}
