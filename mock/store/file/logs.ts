import { basename, dirname } from 'node:path'
import type { Document } from './document.ts'
import type { Files } from './files.ts'
import type { KeptWorld } from './kept-world.ts'
import { LogReader, type ReadLog } from './read-log.ts'
import { holdsTurns, reachOf } from './unread-log.ts'
import { UnusableFile } from './unusable-file.ts'

/** Holds what happened after a document was written, up to where the next log begins. */
export interface Log {
  readonly path: string
  /** How much had happened before. */
  readonly after: number
}

export const logAfter = (turns: number, path: string): Log => ({ path: `${path}.${turns}.log`, after: turns })

/** In the order in which they were written. Refuses what bears the name of one and is not a regular file. */
export async function logsOf(path: string, files: Files): Promise<readonly Log[]> {
  const prefix = `${basename(path)}.`
  const names = (await files.list(dirname(path))).filter((name) => name.startsWith(prefix))
  const numbers = names.map((name) => /^(0|[1-9]\d*)\.log$/.exec(name.slice(prefix.length))?.[1])
  const turns = numbers.filter((number) => number !== undefined)
  const logs = turns.map((after) => ({ path: `${path}.${after}.log`, after: Number(after) }))
  logs.sort((one, other) => one.after - other.after)
  for (const log of logs) await files.stampOf(log.path)
  return logs
}

/** A log that was read. */
export interface KnownLog extends ReadLog {
  readonly path: string
}

/**
 * Applies the logs of a document to its world, one after another, and answers the last. Refuses a log that holds anything
 * and is none of them, since what it holds would be lost. Undefined when the document has no log.
 */
export async function replay(
  { document, path }: { document: Document; path: string },
  kept: KeptWorld,
  files: Files,
  pieceSize: number,
): Promise<KnownLog | undefined> {
  const { turns, closed, log: id } = document
  const logs = await logsOf(path, files)
  const read: KnownLog[] = []
  for (let next = closed ? undefined : (id ?? ''); next !== undefined; next = read.at(-1)?.goesOnIn) {
    const log = logs.find(({ after }) => after === kept.turns) ?? refuseMissing(path, logAfter(kept.turns, path))
    read.push({ path: log.path, ...(await new LogReader(log.path, next, kept).read(files, pieceSize)) })
  }
  for (const log of logs) {
    if (read.some((one) => one.path === log.path)) continue
    const isOld = log.after < turns && (await reachOf(log, files)) <= turns
    if (!isOld && (await holdsTurns(log, files))) refuseOther(log, kept.turns, closed)
  }
  return read.at(-1)
}

function refuseMissing(path: string, log: Log): never {
  throw new UnusableFile(
    path,
    `goes on in ${log.path}, which is missing`,
    'put it back, or set closed to true and the checksum to null to go on without it',
  )
}

function refuseOther({ path, after }: Log, turns: number, closed: boolean): never {
  throw new UnusableFile(
    path,
    `goes on after turn ${after}, but what comes before it ends with turn ${turns}${closed ? ', and was closed' : ''}`,
    'put back what is missing, or move this log away to go on without it',
  )
}

/** A log that holds nothing is fine: that of a new document is made before it. */
export async function refuseLogWithoutDocument(path: string, files: Files): Promise<void> {
  for (const log of await logsOf(path, files)) {
    if (!(await holdsTurns(log, files))) continue
    throw new UnusableFile(
      path,
      `is missing, but its log ${log.path} is there`,
      'put it back, or move the log away too',
    )
  }
}
