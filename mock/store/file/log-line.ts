import { crc32 } from 'node:zlib'
import type { Happened } from './happened.ts'

// A line of the log is a JSON object that begins with the checksum of what follows it:
// {"checksum":"9bd366ae","turn":17,"turnOf":"acme","steps":[…]}

const start = '{"checksum":"'
const sum = /^[0-9a-f]{8}$/

export function lineOf(turn: number, happened: Happened): string {
  const text = JSON.stringify({ turn, ...happened }).slice(1)
  return `${start}${checksum(text)}",${text}\n`
}

export interface Line {
  readonly turn: number
  readonly happened: Happened
}

/** Undefined when it is not what was written. */
export function lineFrom(text: string): Line | undefined {
  const given = text.slice(start.length, start.length + 8)
  const rest = text.slice(start.length + 10)
  if (!text.startsWith(start) || !sum.test(given) || checksum(rest) !== given) return undefined
  const { turn, ...happened } = JSON.parse(`{${rest}`) as Happened & { turn: number }
  return { turn, happened }
}

export const checksum = (text: string | Buffer) => crc32(text).toString(16).padStart(8, '0')
