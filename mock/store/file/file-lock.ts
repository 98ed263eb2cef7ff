import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { codeOf, type Files, writeWhole } from './files.ts'
import { canBeSeen, isRunning, type Process, thisProcess } from '../../../shared/running-process.ts'
import { UnusableFile } from './unusable-file.ts'
import { parseJson } from '../../../shared/parse-json.ts'

const longestClaim = 4096

/** A file beside the locked one that says which process has it. */
interface Claim {
  readonly path: string
  readonly number: bigint
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
  const last = before.reduce((most, { number }) => (number > most ? number : most), 0n)
  const mine = `${path}.${last + 1n}.lock`
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
    const number = name.startsWith(prefix) ? /^(\d+)\.lock$/.exec(name.slice(prefix.length))?.[1] : undefined
    if (number === undefined) continue
    const claimed = join(folder, name)
    claims.push({ path: claimed, number: BigInt(number), by: await holderOf(claimed, files) })
  }
  return claims
}

/** Waits a moment for a process that has created its claim and not yet written who it is. */
async function holderOf(claimed: string, files: Files): Promise<Process | undefined> {
  for (let tries = 5; tries > 0; tries--) {
    const text = await startOf(claimed, files)
    if (text === undefined) return undefined
    const holder = holderFrom(text, claimed)
    if (holder) return holder
    await setTimeout(20)
  }
  return undefined
}

async function startOf(claimed: string, files: Files): Promise<string | undefined> {
  const file = await files.open(claimed)
  if (!file) return undefined
  try {
    return (await file.read(longestClaim)).toString()
  } finally {
    await file.close()
  }
}

/** Undefined when it was cut short. */
function holderFrom(text: string, claimed: string): Process | undefined {
  const value = parseJson(text)
  if (value === undefined && text.length < longestClaim && startsLikeClaim(text)) return undefined
  const { pid, host } = (value ?? {}) as Partial<Process>
  if (typeof host === 'string' && Number.isSafeInteger(pid)) return value as Process
  throw new UnusableFile(claimed, 'does not say which process has the file', 'delete it if none has')
}

const startsLikeClaim = (text: string) => text.startsWith('{"pid":') || '{"pid":'.startsWith(text)

function refuseIfHeld(path: string, claims: readonly Claim[]): void {
  for (const { by, path: claimed } of claims) {
    if (!by || !isRunning(by)) continue
    const isHere = canBeSeen(by)
    const remedy = isHere ? 'stop it first' : `stop it first; if it has ended, delete ${claimed}`
    const place = isHere || by.host !== thisProcess().host ? by.host : `${by.host}, in another container`
    throw new UnusableFile(path, `is in use by process ${by.pid} on ${place}`, `${remedy}, or name another file`)
  }
}
