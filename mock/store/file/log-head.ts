import { randomBytes } from 'node:crypto'
import { lineOf } from './log-line.ts'

// A log begins with two lines. The first says which log it is; the second is written anew, in its place, whenever
// something has become safe, and says how far. It is not synced: after a crash it may lag behind, but it never says too
// much. Without it a log that was cut would look like one that had ended there.

interface Head {
  /** The document, or the log before this one, names it, so that no other log is taken for it. */
  readonly log: string
  /** How much had happened before. */
  readonly turns: number
}

export interface Mark {
  /** How much has happened at least. */
  readonly answered: number
}

export const newLogId = () => randomBytes(8).toString('hex')

export const headLine = ({ log, turns }: Head) => lineOf(`"log":"${log}","turns":${turns}}`)

/** Of one length, whatever the number. */
export const markLine = ({ answered }: Mark) => lineOf(`"answered":${answered.toString().padStart(16)}}`).bytes

const markLength = markLine({ answered: 0 }).length

/** Also one that a power loss has left half written. The line comes without its end. */
export const isMark = (line: Buffer) =>
  line.length === markLength - 1 && line.toString('latin1').startsWith('","answered":', 21)

export function isHead(fields: unknown): fields is Head {
  const { log, turns } = fields as Partial<Head>
  return typeof log === 'string' && typeof turns === 'number'
}
