import type { Files } from './files.ts'
import { headLine, isMark, type Mark, markLine, newLogId } from './log-head.ts'
import { fieldsOf } from './log-line.ts'
import type { Log } from './logs.ts'

// A look at a log that the document does not go on in, to see whether anything would be lost with it.

/** False for a log that was begun and not used. */
export async function holdsTurns(log: Log, files: Files): Promise<boolean> {
  const unused = beginningOf(log)
  const start = await startOf(log, unused.length + 1, files)
  return start.length > unused.length || !beginsAlike(start, unused)
}

/** How much had happened at its end, as far as it says so. */
export async function reachOf(log: Log, files: Files): Promise<number> {
  const [, line = ''] = (await startOf(log, beginningOf(log).length, files)).toString('latin1').split('\n')
  const mark = Buffer.from(line)
  return isMark(mark) ? ((fieldsOf(mark)?.fields as Mark | undefined)?.answered ?? 0) : 0
}

/** As long as that of any log after so many turns. */
const beginningOf = ({ after }: Log) =>
  Buffer.concat([headLine({ log: newLogId(), turns: after }).bytes, markLine({ answered: after })])

async function startOf({ path }: Log, length: number, files: Files): Promise<Buffer> {
  const file = await files.open(path)
  if (!file) return Buffer.alloc(0)
  try {
    return await file.read(length)
  } finally {
    await file.close()
  }
}

/** As far as the checksum, which differs. */
function beginsAlike(one: Buffer, other: Buffer): boolean {
  const length = Math.min(one.length, '{"checksum":"'.length)
  return one.subarray(0, length).equals(other.subarray(0, length))
}
