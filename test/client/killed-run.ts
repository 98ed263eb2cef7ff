import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Intent, Ledger } from '../../client/ledger/ledger.ts'
import { type Marks, newMarks } from '../../client/mint.ts'
import { createSandbox } from '../../index.ts'
import { type Process, thisProcess } from '../../shared/running-process.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { folder } from './harness.ts'

export const acme = { CRM_API_KEY: 'acme-key' }

/** A process of an earlier boot of this machine. */
export const ended = { ...thisProcess(), boot: 'an earlier one' }

export const product = { operation: 'createProduct', who: 'team', kind: 'product', emails: [], phones: [] } as const

/** The ledger of a run that was killed before any of these requests was answered. */
export function ledgerOf(
  origin: string,
  intents: (marks: Marks) => Omit<Intent, 'intent'>[],
  process: Process = ended,
) {
  const marks = newMarks()
  const path = join(folder(), `${marks.run}.jsonl`)
  const heading = { ledger: 1, origin, startedAt: new Date().toISOString(), ...marks, process } as const
  const ledger = Ledger.create(path, heading, 'acme-key')
  for (const intent of intents(marks)) ledger.intend(intent)
  ledger.close()
  return { path, marks }
}

export async function sandbox(assume: WrittenChoices = {}) {
  const server = await createSandbox({ port: 0, world: 'two-teams', assume })
  onTestFinished(() => server.close())
  return server
}

export const engine = { name: 'Difference engine', unitPrice: 1200.5 }
