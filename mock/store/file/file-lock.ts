import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { codeOf, type Files, writeWhole } from './files.ts'
import { isRunning, type Process, thisProcess } from './running-process.ts'
import { UnusableFile } from './unusable-file.ts'

/** Somebody says that the file is theirs. */
interface Claim {
  readonly path: string
  readonly number: number
  /** Undefined when who claimed it was killed before saying who it is. */
  readonly by: Process | undefined
}

/**
 * Claims the file for this process, and answers how to let go of it. Claims are numbered. The next number can only be
 * created once, so that of several who come at the same time one is first. Who comes later looks again after its own
 * claim is there: so it sees every other, and steps back. A claim is left to lie when its process has ended.
 */
export async function lock(path: string, files: Files): Promise<() => Promise<void>> {
  const before = await claimsOn(path, files)
  refuseIfHeld(path, before)
  const mine = claimPath(path, 1 + Math.max(0, ...before.map(({ number }) => number)))
  if (!(await claimed(mine, files))) return lock(path, files)
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

const claimPath = (path: string, number: number) => `${path}.${number}.lock`

/** False when somebody else was faster. */
async function claimed(path: string, files: Files): Promise<boolean> {
  const file = await files.create(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  if (!file) return false
  try {
    await writeWhole(file, Buffer.from(JSON.stringify(thisProcess())), 0)
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
    const claim = join(folder, name)
    claims.push({ path: claim, number: Number(number), by: await holderOf(claim, files) })
  }
  return claims
}

/** Whoever is about to say who it is gets a moment for it. */
async function holderOf(claim: string, files: Files): Promise<Process | undefined> {
  for (let patience = 5; patience > 0; patience--) {
    const bytes = await files.read(claim)
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
  for (const { by, path: claim } of claims) {
    if (!by || !isRunning(by)) continue
    const remedy = by.host === thisProcess().host ? 'stop it first' : `stop it first; if it has ended, delete ${claim}`
    throw new UnusableFile(path, `is in use by process ${by.pid} on ${by.host}`, `${remedy}, or name another file`)
  }
}
