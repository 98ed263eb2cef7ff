import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
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
  readonly headers: Readonly<Record<string, string | number>>
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
  const middle = Math.floor(bytes.length / 2)
  return {
    status: reply.status,
    headers: {
      ...headers,
      ...(knobs.countsRequests ? countingHeaders() : {}),
      'content-type': contentTypes[knobs.charset],
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      ...(knobs.keepAlive ? {} : { connection: 'close' }),
      ...(knobs.chunked ? {} : { 'content-length': bytes.length }),
    },
    parts: knobs.chunked ? [bytes.subarray(0, middle), bytes.subarray(middle)] : [bytes],
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
  if (!knobs.escaped) return text
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
    offset: new Date(time + 2 * 3_600_000).toISOString().replace('Z', '+02:00'),
  }
  return forms[form]
}
