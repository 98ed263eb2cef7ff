import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { Unanswered } from './transport.ts'

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some servers leave out the header of zlib, which begins with an 8.
  deflate: (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync(bytes) : inflateRawSync(bytes)),
  br: brotliDecompressSync,
}

/** The text of a body, which a server and a proxy before it may each compress, even when not asked to. */
export function decodeBody(bytes: Buffer, encoding: string | string[] | undefined): string {
  if (bytes.length === 0) return ''
  const names = String(encoding ?? '')
    .toLowerCase()
    .split(',')
    .reverse()
  try {
    return names.reduce((packed, name) => decoders[name.trim()]?.(packed) ?? packed, bytes).toString()
  } catch {
    throw new Unanswered(`the answer is not ${String(encoding)}, as it says`, true)
  }
}
