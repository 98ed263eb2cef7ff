import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { Unanswered } from './transport.ts'

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some servers leave out the header of zlib, which begins with an 8.
  deflate: (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync(bytes) : inflateRawSync(bytes)),
  br: brotliDecompressSync,
}

/** The text of a body, which a server or a proxy before it may compress even if nobody asked. */
export function decodeBody(bytes: Buffer, encoding: string | string[] | undefined): string {
  const decode =
    decoders[
      String(encoding ?? '')
        .trim()
        .toLowerCase()
    ]
  if (!decode || bytes.length === 0) return bytes.toString()
  try {
    return decode(bytes).toString()
  } catch {
    throw new Unanswered(`the answer is not ${String(encoding)}, as it says`, true)
  }
}
