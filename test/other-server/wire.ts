import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { randomInt, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Knobs } from './knobs.ts'
import type { Reply } from './replies.ts'

/** A request as it came. */
export interface Incoming {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** An answer as it is sent. */
export interface Written {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | string[]>>
  /** The body; in several parts when it is chunked. */
  readonly parts: readonly Buffer[]
}

/** An answer as the knobs say. */
export function writeReply(
  { method, headers: { 'accept-encoding': accepted } }: Incoming,
  reply: Reply,
  knobs: Knobs,
  headers: Readonly<Record<string, string>> = {},
): Written {
  const body = encode(envelopeOf(reply, method, knobs), knobs)
  const { encoding, pack } =
    packings[knobs.compression === 'ifAsked' && !String(accepted).includes('gzip') ? 'never' : knobs.compression]
  const bytes = pack(body)
  const isProblem = reply.status >= 400 && knobs.contentTypeOfErrors === 'problem'
  return {
    status: reply.status,
    headers: {
      ...headers,
      ...(knobs.countsRequests ? countingHeaders() : {}),
      ...headersOfTheWire(knobs),
      'content-type': isProblem ? 'application/problem+json' : contentTypes[knobs.charset],
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      ...(knobs.keepAlive ? {} : { connection: 'close' }),
      ...(knobs.chunked ? {} : { 'content-length': bytes.length }),
    },
    parts: cut(bytes, knobs.chunked ? Math.max(knobs.pieces, 2) : knobs.pieces),
  }
}

function cut(bytes: Buffer, pieces: number): Buffer[] {
  const size = Math.ceil(bytes.length / pieces)
  return Array.from({ length: pieces }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

function headersOfTheWire({ cookies, longestHeader, caches, dateAhead, trailers }: Knobs): Written['headers'] {
  return {
    ...(cookies > 0 ? { 'set-cookie': Array.from({ length: cookies }, (_, index) => `c${index}=1; Path=/`) } : {}),
    ...(longestHeader > 0 ? { 'x-trace': 'a'.repeat(longestHeader) } : {}),
    ...(caches ? { etag: `"${randomUUID()}"`, 'cache-control': 'private, max-age=60', vary: '*', age: '7' } : {}),
    ...(dateAhead === 0 ? {} : { date: new Date(Date.now() + dateAhead).toUTCString() }),
    ...(trailers ? { trailer: 'x-checksum' } : {}),
  }
}

const countingHeaders = () => ({
  'x-ratelimit-limit': '250',
  'x-ratelimit-remaining': String(randomInt(250)),
  'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 60),
  'x-request-id': randomUUID(),
})

interface Packing {
  readonly encoding?: string
  readonly pack: (text: string) => Buffer
}

const gzip: Packing = { encoding: 'gzip', pack: (text) => gzipSync(text) }

const packings: Readonly<Record<Knobs['compression'], Packing>> = {
  never: { pack: (text) => Buffer.from(text) },
  ifAsked: gzip,
  always: gzip,
  brotli: { encoding: 'br', pack: (text) => brotliCompressSync(text) },
  deflate: { encoding: 'deflate', pack: (text) => deflateSync(text) },
  rawDeflate: { encoding: 'deflate', pack: (text) => deflateRawSync(text) },
  twice: { encoding: 'deflate, gzip', pack: (text) => gzipSync(deflateSync(text)) },
}

const contentTypes = {
  none: 'application/json',
  lower: 'application/json; charset=utf-8',
  upper: 'Application/JSON;Charset="UTF-8"',
}

function envelopeOf({ status, message, data, pagination }: Reply, method: string, knobs: Knobs): object {
  const isError = status >= 400
  const { envelope } = knobs
  const isBare = envelope === 'bare' && data !== undefined
  const lacksOne = data !== undefined && !isError
  return {
    ...(isBare || (lacksOne && envelope === 'noSuccess') ? {} : { success: !isError }),
    ...(isBare || (lacksOne && envelope === 'noMessage') ? {} : { message }),
    ...(envelope === 'nulls' ? { data: null, meta: null, ...(isError ? {} : { pagination: null }) } : {}),
    ...(data === undefined ? {} : { data: knobs.extraFields ? addFields(data) : data }),
    ...(pagination ? { pagination: knobs.extraPagination ? { ...pagination, nextPage: 2, from: 0 } : pagination } : {}),
    ...(knobs.meta ? { meta: { version: 1 } } : {}),
    ...(knobs.extraEnvelope ? { requestId: 'r-1', took: 1 } : {}),
    ...(knobs.extraInErrors && isError
      ? { code: `E${status}`, method, errors: [{ field: 'name', why: message }] }
      : {}),
  }
}

const addFields = (data: object): object =>
  Array.isArray(data) ? data.map((one: object) => addFields(one)) : { ...data, __v: 0, owner: 'somebody', tags: [] }

function encode(body: object, knobs: Knobs): string {
  const json = JSON.stringify(body, knobs.fieldOrder === 'reversed' ? reverse : undefined, knobs.pretty ? 2 : undefined)
  const text = knobs.endsWithNewline ? `${json}\n` : json
  return wrap(knobs.escaped ? escape(text) : text, knobs)
}

const wrap = (text: string, { around }: Knobs) =>
  ({ nothing: text, spaces: `\r\n \t${text} \n`, byteOrderMark: `\uFEFF${text}` })[around]

function escape(text: string): string {
  return text.replace(/[^ -~\n]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function reverse(_name: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toReversed())
    : value
}

/** Times, which are kept in milliseconds, as they are shown by a clock that may be ahead. */
export function showTimes(value: unknown, form: Knobs['times'], ahead = 0): unknown {
  if (Array.isArray(value)) return value.map((one) => showTimes(one, form, ahead))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      /^(created|updated)At$/.test(name) && typeof one === 'number'
        ? timeAs(form, one + ahead)
        : showTimes(one, form, ahead),
    ]),
  )
}

function timeAs(form: Knobs['times'], time: number): string {
  const iso = new Date(time).toISOString()
  const forms = {
    milliseconds: iso,
    microseconds: iso.replace('Z', '000Z'),
    nanoseconds: iso.replace('Z', '123456Z'),
    zeroOffset: iso.replace('Z', '+00:00'),
    seconds: iso.replace(/\.\d+/, ''),
    minutes: iso.replace(/:\d\d\.\d+/, ''),
    basicOffset: iso.replace('Z', '+0000'),
    noZone: iso.replace('Z', ''),
    farEast: withOffset(time, 13.75, '+13:45'),
    farWest: withOffset(time, -9.5, '-09:30'),
    offset: withOffset(time, 2, '+02:00'),
  }
  return forms[form]
}

const withOffset = (time: number, hours: number, offset: string) =>
  new Date(time + hours * 3_600_000).toISOString().replace('Z', offset)
