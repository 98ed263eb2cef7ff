import { crc32 } from 'node:zlib'

// A line of a log is a JSON object that begins with the checksum of what follows it:
// {"checksum":"9bd366ae","after":"5f0c7127","turn":17,"happened":[{"turnOf":"acme","steps":[…]}]}

const start = '{"checksum":"'
const restAt = start.length + 8 + '",'.length

export interface Line {
  readonly bytes: Buffer
  readonly checksum: string
}

/** A line of these fields, which are the text of a JSON object without its first bracket. */
export function lineOf(fields: string): Line {
  const bytes = Buffer.from(`${start}00000000",${fields}\n`)
  const checksum = hexOf(crc32(bytes.subarray(restAt, -1)))
  bytes.write(checksum, start.length, 'latin1')
  return { bytes, checksum }
}

/** Undefined when it is not what was written. The line comes without its end. */
export function fieldsOf(line: Buffer): { readonly checksum: string; readonly fields: unknown } | undefined {
  const checksum = hexOf(crc32(line.subarray(restAt)))
  if (line.toString('latin1', 0, restAt) !== `${start}${checksum}",`) return undefined
  return { checksum, fields: JSON.parse(`{${line.toString('utf8', restAt)}`) as unknown }
}

export const hexOf = (sum: number) => sum.toString(16).padStart(8, '0')
