import { crc32 } from 'node:zlib'
import type { Happened } from './happened.ts'

// A line of the log holds what became safe together, as a JSON object that begins with the checksum of what follows it:
// {"checksum":"9bd366ae","turn":17,"happened":[{"turnOf":"acme","steps":[…]}]}

const start = '{"checksum":"'
const sum = /^[0-9a-f]{8}$/

export interface Line {
  /** The number of the first thing that happened, counted since the file was made. */
  readonly turn: number
  readonly happened: readonly Happened[]
}

export function lineOf(line: Line): Buffer {
  const text = JSON.stringify(line).slice(1)
  return Buffer.from(`${start}${checksum(text)}",${text}\n`)
}

/** Undefined when it is not what was written. */
export function lineFrom(text: string): Line | undefined {
  const given = text.slice(start.length, start.length + 8)
  const rest = text.slice(start.length + 10)
  if (!text.startsWith(start) || !sum.test(given) || checksum(rest) !== given) return undefined
  return JSON.parse(`{${rest}`) as Line
}

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0')
