import { statSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { canBeSeen, isRunning, type Process, thisProcess } from '../../shared/running-process.ts'
import { CannotRun } from '../errors.ts'
import type { LedgerContent } from './read-ledger.ts'

/** How often a process shows that it still holds a ledger, in milliseconds, and when it is taken for dead. */
const [heartbeat, silence] = [10_000, 60_000]

/** What this process holds. */
const heldHere = new Set<string>()

/** Holds a ledger, so that no other run cleans it up, until the function that it returns is called. */
export function hold(path: string): () => void {
  const name = resolve(path)
  heldHere.add(name)
  const timer = setInterval(() => {
    beat(path)
  }, heartbeat)
  timer.unref()
  return () => {
    clearInterval(timer)
    heldHere.delete(name)
  }
}

/** The process that holds a ledger now; none when it has ended. */
export function findHolder(path: string, holders: readonly Process[]): Process | undefined {
  return holders.find((holder) => isHeldBy(holder, path))
}

/** Says in a ledger that this process cleans up. Of several that do so at once, the first is the one. */
export function takeOver(
  path: string,
  ledger: { readonly record: (event: { readonly held: Process }) => void },
  read: () => Pick<LedgerContent, 'holders'>,
): void {
  const before = read().holders
  refuseIfHeld(path, before)
  ledger.record({ held: thisProcess() })
  const since = read().holders.slice(before.length)
  refuseIfHeld(path, since.slice(0, Math.max(0, since.findIndex(isThis))))
}

function refuseIfHeld(path: string, holders: readonly Process[]): void {
  const holder = findHolder(path, holders)
  if (holder)
    throw new CannotRun(`The run of ${path} still goes on, as ${nameOf(holder)}: wait until it is over, or end it.`)
}

export const nameOf = ({ pid, host }: Process) => `process ${pid}${host === hostname() ? '' : ` on ${host}`}`

function isHeldBy(holder: Process, path: string): boolean {
  if (isThis(holder)) return heldHere.has(resolve(path))
  // A process on another computer, or in another container, cannot be looked up.
  return canBeSeen(holder) ? isRunning(holder) : lastBeat(path) > Date.now() - silence
}

function isThis(holder: Process): boolean {
  const { pid, boot, began } = thisProcess()
  return canBeSeen(holder) && holder.pid === pid && holder.boot === boot && holder.began === began
}

function beat(path: string): void {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // The ledger is deleted as soon as nothing is left.
  }
}

const lastBeat = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
