import { setTimeout } from 'node:timers/promises'
import { parseJson } from '../../../lib/json.ts'
import { canBeSeen, isRunning, type Process, thisProcess } from '../../../lib/running-process.ts'
import { type Files, UnusableFile } from './files.ts'

/** Locks the file for this process. A second file holds the process id. Returns a function that unlocks it. */
export async function lock(path: string, files: Files): Promise<() => Promise<void>> {
  const lockFile = `${path}.lock`
  if (!(await create(lockFile, files))) {
    await refuseIfHeld(path, lockFile, files)
    await replaceStale(path, lockFile, files)
  }
  return () => files.remove(lockFile)
}

/** One process at a time, since it would remove the lock of another that was faster. */
async function replaceStale(path: string, lockFile: string, files: Files): Promise<void> {
  const guard = `${path}.stale.lock`
  const isBeingOpened = (remedy: string) =>
    new UnusableFile(path, 'is being opened by another process', `${remedy}, or name another file`)
  if (!(await create(guard, files))) throw isBeingOpened(`try again; if there is no such process, delete ${guard}`)
  try {
    await refuseIfHeld(path, lockFile, files)
    await files.remove(lockFile)
    if (!(await create(lockFile, files))) throw isBeingOpened('stop it first')
  } finally {
    await files.remove(guard)
  }
}

/** False when there is one already. */
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

async function refuseIfHeld(path: string, lockFile: string, files: Files): Promise<void> {
  const holder = await holderOf(lockFile, files)
  if (!holder || !isRunning(holder)) return
  const remedy = canBeSeen(holder) ? 'stop it first' : `stop it first; if it has ended, delete ${lockFile}`
  throw new UnusableFile(
    path,
    `is in use by process ${holder.pid} on ${holder.host}`,
    `${remedy}, or name another file`,
  )
}

/** Waits a moment for a process that has created its lock and not yet written it. */
async function holderOf(lockFile: string, files: Files): Promise<Process | undefined> {
  for (let tries = 5; tries > 0; tries--) {
    const file = await files.open(lockFile)
    if (!file) return undefined
    const text = (await file.read(4096).finally(() => file.close())).toString()
    const { pid, host } = (parseJson(text) ?? {}) as Partial<Process>
    if (Number.isSafeInteger(pid) && typeof host === 'string') return parseJson(text) as Process
    await setTimeout(20)
  }
  return undefined
}
