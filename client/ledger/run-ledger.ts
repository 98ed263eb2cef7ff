import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '../client.ts'
import { CannotRun } from '../errors.ts'
import { createMint, type Marks, newMarks } from '../mint.ts'
import type { Target } from '../target/target.ts'
import { undiciTransport } from '../undici-transport.ts'
import { clean, type Residue } from './clean.ts'
import { Ledger, readLedger, unresolvedLedgers } from './ledger.ts'

const defaultFolder = '.crm-sandbox'

/** Refuses a new run while an earlier one may have left records on the same server. */
export function checkEarlierRuns({ host, origin }: Target, folder = defaultFolder): void {
  const [unresolved] = unresolvedLedgers(folder, origin)
  if (unresolved === undefined) return
  throw new CannotRun(`An earlier run left records on ${host}; first finish it: verify --clean ${unresolved}`)
}

export function startLedger(target: Target, startedAt: Date, folder = defaultFolder): { path: string; marks: Marks } {
  const marks = newMarks()
  const path = join(folder, `${marks.run}.jsonl`)
  Ledger.create(path, { ledger: 1, origin: target.origin, startedAt: startedAt.toISOString(), ...marks }).close()
  return { path, marks }
}

/** Deletes the records that a ledger says were made, and the ledger itself once none is left. */
export async function finishLedger(path: string, target: Target): Promise<readonly Residue[]> {
  const { heading, entries } = readLedger(path)
  const mint = createMint(heading)
  const ledger = Ledger.open(path)
  const transport = undiciTransport(target.origin)
  const client = new Client({
    target,
    mint,
    send: transport.send,
    // What it makes to find a record, it deletes at once, and the entry of that record stays open until then.
    ledger: { intend: () => '', record: () => undefined },
    // The ledger says what it may delete.
    guard: { check: () => undefined, remember: () => undefined, giveBack: () => undefined },
  })
  try {
    const residue = await clean(entries, { client, mint, ledger })
    if (residue.length === 0) removeLedger(path)
    return residue
  } finally {
    ledger.close()
    await transport.close()
  }
}

/** And the default folder, unless another ledger is in it. */
function removeLedger(path: string): void {
  rmSync(path)
  const folder = dirname(path)
  if (folder === defaultFolder && readdirSync(folder).length === 0) rmdirSync(folder)
}
