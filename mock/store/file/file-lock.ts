import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { codeOf, type Files, writeWhole } from './files.ts'
import { isRunning, type Process, thisProcess } from '../../../shared/running-process.ts'
import { UnusableFile } from './unusable-file.ts'

/** A file beside the locked one that says which process has it. */
interface Claim {
  readonly path: string
  readonly number: number
  /** Undefined when the process was killed before it had written who it is. */
  readonly by: Process | undefined
}

/**
 * Claims the file for this process; answers how to give it up. Claims are numbered. The next number can be created only
 * once, so that of several processes that start together one is first. A later one looks again after it has created its
 * own claim, so it sees every other claim, and gives up. A claim whose process has ended is void.
 */
export async function lock(path: string, files: Files): Promise<() => Promise<void>> {
  const before = await claimsOn(path, files)
  refuseIfHeld(path, before)
  const mine = claimPath(path, 1 + Math.max(0, ...before.map(({ number }) => number)))
  if (!(await claim(mine, files))) return lock(path, files)
  const unlock = () => files.remove(mine)
  try {
    const others = (await claimsOn(path, files)).filter((other) => other.path !== mine)
    refuseIfHeld(path, others)
    for (const stale of others) await files.remove(stale.path)
    return unlock
  } catch (error) {
    await unlock()
    throw error
  }
}

const claimPath = (path: string, number: number) => `${path}.${number}.lock`

/** False when another process was faster. */
async function claim(path: string, files: Files): Promise<boolean> {
  const file = await files.create(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  if (!file) return false
  try {
    await writeWhole((...part) => file.write(...part), Buffer.from(JSON.stringify(thisProcess())), 0)
    return true
  } catch (error) {
    await files.remove(path)
    throw error
  } finally {
    await file.close()
  }
}

async function claimsOn(path: string, files: Files): Promise<Claim[]> {
  const folder = dirname(path)
  const prefix = `${basename(path)}.`
  const claims: Claim[] = []
  for (const name of await files.list(folder)) {
    const number = name.startsWith(prefix) ? /^(\d{1,15})\.lock$/.exec(name.slice(prefix.length))?.[1] : undefined
    if (number === undefined) continue
    const claimed = join(folder, name)
    claims.push({ path: claimed, number: Number(number), by: await holderOf(claimed, files) })
  }
  return claims
}

/** Waits a moment for a process that has created its claim and not yet written who it is. */
async function holderOf(claimed: string, files: Files): Promise<Process | undefined> {
  for (let tries = 5; tries > 0; tries--) {
    const bytes = await files.read(claimed)
    if (!bytes) return undefined
    const holder = processFrom(bytes.toString())
    if (holder) return holder
    await setTimeout(20)
  }
  return undefined
}

function processFrom(text: string): Process | undefined {
  try {
    return JSON.parse(text) as Process
  } catch {
    return undefined
  }
}

function refuseIfHeld(path: string, claims: readonly Claim[]): void {
  for (const { by, path: claimed } of claims) {
    if (!by || !isRunning(by)) continue
    const remedy =
      by.host === thisProcess().host ? 'stop it first' : `stop it first; if it has ended, delete ${claimed}`
    throw new UnusableFile(path, `is in use by process ${by.pid} on ${by.host}`, `${remedy}, or name another file`)
  }
}
