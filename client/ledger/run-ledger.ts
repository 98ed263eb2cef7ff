import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '../client.ts'
import { CannotRun } from '../errors.ts'
import { createMint, type Marks, newMarks } from '../mint.ts'
import type { Target } from '../target/target.ts'
import { undiciTransport } from '../undici-transport.ts'
import { clean, type Residue } from './clean.ts'
import { findHolder, hold, nameOf, takeOver } from './hold.ts'
import { type Event, Ledger, type Stays } from './ledger.ts'
import { dropCutLine, isUnresolved, ledgersIn, readLedger } from './read-ledger.ts'

/** Where ledgers are when no folder is named. */
export const defaultFolder = '.crm-sandbox'

/** Refuses a new run while another is going on, or an earlier one may have left records, on the same server. */
export function checkEarlierRuns({ host, origin, loopback }: Target, folder = defaultFolder): void {
  if (folder.trim() === '') throw new CannotRun('--ledgers must name a folder.')
  const ledgers = ledgersIn(folder, origin)
  for (const { path, holders } of ledgers) {
    const holder = findHolder(path, holders)
    if (holder)
      throw new CannotRun(`A run on ${host} is going on, as ${nameOf(holder)}: wait until it is over, or end it.`)
  }
  const unresolved = ledgers.find(isUnresolved)
  if (!unresolved) return
  const confirmed = loopback ? '' : ` --confirm-host ${host}`
  throw new CannotRun(
    `An earlier run left records on ${host}; first finish it: verify --clean ${unresolved.path}${confirmed}`,
  )
}

/** A ledger that this process holds until it is finished. */
interface StartedLedger {
  readonly path: string
  readonly marks: Marks
  readonly release: () => void
}

export function startLedger(target: Target, startedAt: Date, folder = defaultFolder): StartedLedger {
  const marks = newMarks()
  const path = join(folder, `${marks.run}.jsonl`)
  const heading = { ledger: 1, origin: target.origin, startedAt: startedAt.toISOString(), ...marks } as const
  Ledger.create(path, heading, teamKeyOf(target)).close()
  return { path, marks, release: hold(path) }
}

/** What a run has left on a server. */
export interface Cleaned {
  /** What may be left although it should have been deleted. */
  readonly residue: readonly Residue[]
  /** What no operation can take back. */
  readonly stays: readonly Stays[]
}

/** Cleans up after a run that has ended, unless another process does. */
export async function finishDeadRun(path: string, target: Target): Promise<Cleaned> {
  const read = () => readLedger(path, teamKeyOf(target))
  const { heading, holders } = read()
  const ledger = openIfPossible(path, heading.run, target)
  if (!findHolder(path, holders)) dropCutLine(path)
  takeOver(path, ledger, read)
  ledger.close()
  const release = hold(path)
  try {
    return await finishLedger(path, target)
  } finally {
    release()
  }
}

/** Deletes the records that a ledger says were made, and the ledger itself once none is left. */
export async function finishLedger(
  path: string,
  target: Target,
  patience = target.loopback ? 2000 : target.timeout,
): Promise<Cleaned> {
  const { heading, entries, stays } = readLedger(path, teamKeyOf(target))
  const mint = createMint(heading)
  const ledger = openIfPossible(path, heading.run, target)
  const transport = undiciTransport(target.origin, target.tls)
  const client = new Client({
    target,
    mint,
    send: transport.send,
    ledger,
    cleansUp: true,
    seenBefore: entries.flatMap(({ id }) => id ?? []),
    // The ledger says what it may delete.
    guard: { check: () => undefined, remember: () => undefined, giveBack: () => undefined },
  })
  try {
    const { residue, queued } = await clean(entries, {
      client,
      mint,
      ledger,
      patience,
      trustsIds: !entries.some(({ foreign }) => foreign),
    })
    if (residue.length === 0) removeLedger(path)
    return { residue, stays: [...stays, ...Array<Stays>(queued).fill('queued')] }
  } finally {
    ledger.close()
    await transport.close()
  }
}

type Writer = Pick<Ledger, 'intend' | 'record' | 'close'>

/** What has become of a record is only noted where that is possible: it is deleted all the same. */
function openIfPossible(path: string, run: string, target: Target): Writer {
  const ledger = ignoreFailure(() => Ledger.open(path, run, teamKeyOf(target), !target.loopback))
  return {
    intend: (intent) => ignoreFailure(() => ledger?.intend(intent)) ?? '',
    record: (event: Event) => {
      ignoreFailure(() => ledger?.record(event))
    },
    close: () => ledger?.close(),
  }
}

function ignoreFailure<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    return undefined
  }
}

const teamKeyOf = ({ credentials }: Target) => credentials.team?.reveal() ?? ''

/** Deletes a ledger, and the default folder, unless another ledger is in it. A ledger that cannot be deleted has nothing left to do. */
export function removeLedger(path: string): void {
  try {
    rmSync(path, { force: true })
    const folder = dirname(path)
    if (folder === defaultFolder && readdirSync(folder).length === 0) rmdirSync(folder)
  } catch {
    // The next run says that it is there, and to clean it once more deletes nothing.
  }
}
