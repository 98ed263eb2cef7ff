import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseJson } from '../../../lib/parse-json.ts'
import { canBeSeen, isRunning, type Process, thisProcess } from '../../../lib/running-process.ts'
import { type Files, UnusableFile } from './files.ts'

/** A file beside the locked one that names the process that has it. */
interface Claim {
  readonly path: string
  readonly number: number
  /** Undefined when the process was killed before it had written the claim. */
  readonly by: Process | undefined
}

/**
 * Locks the file for this process; returns how to unlock it. Claims are numbered, and each number can be created once. A
 * process that has created its claim lists the claims again: it sees every earlier one, and gives up if the process of one
 * is running. Claims of processes that have ended are removed.
 */
export async function lock(path: string, files: Files): Promise<() => Promise<void>> {
  const before = await claimsOn(path, files)
  refuseIfHeld(path, before)
  const mine = `${path}.${Math.max(0, ...before.map(({ number }) => number)) + 1}.lock`
  if (!(await create(mine, files))) return lock(path, files)
  const unlock = () => files.remove(mine)
  try {
    const others = (await claimsOn(path, files)).filter((claim) => claim.path !== mine)
    refuseIfHeld(path, others)
    for (const stale of others) await files.remove(stale.path)
    return unlock
  } catch (error) {
    await unlock()
    throw error
  }
}

/** False when another process was faster. */
async function create(path: string, files: Files): Promise<boolean> {
  const file = await files.create(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  })
  if (!file) return false
  try {
    await file.write(Buffer.from(JSON.stringify(thisProcess())))
    return true
  } catch (error) {
    await files.remove(path)
    throw error
  } finally {
    await file.close()
  }
}

async function claimsOn(path: string, files: Files): Promise<Claim[]> {
  const prefix = `${basename(path)}.`
  const claims: Claim[] = []
  for (const name of await files.list(dirname(path))) {
    const [, number] = /^(\d{1,15})\.lock$/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? []
    if (number === undefined) continue
    const claim = join(dirname(path), name)
    claims.push({ path: claim, number: Number(number), by: await holderOf(claim, files) })
  }
  return claims
}

/** Waits a moment for a process that has created its claim and not yet written it. */
async function holderOf(path: string, files: Files): Promise<Process | undefined> {
  for (let tries = 5; tries > 0; tries--) {
    const file = await files.open(path)
    if (!file) return undefined
    const text = (await file.read(4096).finally(() => file.close())).toString()
    const { pid, host } = (parseJson(text) ?? {}) as Partial<Process>
    if (Number.isSafeInteger(pid) && typeof host === 'string') return parseJson(text) as Process
    await setTimeout(20)
  }
  return undefined
}

function refuseIfHeld(path: string, claims: readonly Claim[]): void {
  for (const { by, path: claim } of claims) {
    if (!by || !isRunning(by)) continue
    const remedy = canBeSeen(by) ? 'stop it first' : `stop it first; if it has ended, delete ${claim}`
    throw new UnusableFile(path, `is in use by process ${by.pid} on ${by.host}`, `${remedy}, or name another file`)
  }
}
