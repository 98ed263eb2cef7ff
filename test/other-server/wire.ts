import { gzipSync } from 'node:zlib'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Knobs } from './knobs.ts'
import type { Reply } from './replies.ts'

/** Writes an answer as the knobs say. */
export function writeReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  knobs: Knobs,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = encode(envelopeOf(reply, request, knobs), knobs)
  const isAsked = String(request.headers['accept-encoding']).includes('gzip')
  const isPacked = knobs.compression === 'always' || (knobs.compression === 'ifAsked' && isAsked)
  const bytes = isPacked ? gzipSync(body) : Buffer.from(body)
  const types = {
    none: 'application/json',
    lower: 'application/json; charset=utf-8',
    upper: 'Application/JSON;Charset="UTF-8"',
  }
  response.writeHead(reply.status, {
    ...headers,
    'content-type': types[knobs.charset],
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    ...(knobs.chunked ? {} : { 'content-length': bytes.length }),
  })
  if (!knobs.chunked) return void response.end(bytes)
  const middle = Math.floor(bytes.length / 2)
  response.write(bytes.subarray(0, middle))
  setImmediate(() => response.end(bytes.subarray(middle)))
}

function envelopeOf({ status, message, data, pagination }: Reply, { method }: IncomingMessage, knobs: Knobs): object {
  const isError = status >= 400
  const isBare = knobs.envelope === 'bare' && data !== undefined
  return {
    ...(isBare ? {} : { success: !isError, message }),
    ...(data === undefined ? {} : { data: knobs.extraFields ? addFields(data) : data }),
    ...(pagination ? { pagination } : {}),
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
  if (!knobs.escaped) return json
  return json.replace(/[^ -~\n]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function reverse(_name: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toReversed())
    : value
}

/** Times, which are kept in milliseconds, as they are shown. */
export function showTimes(value: unknown, form: Knobs['times']): unknown {
  if (Array.isArray(value)) return value.map((one) => showTimes(one, form))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      /^(created|updated)At$/.test(name) && typeof one === 'number' ? timeAs(form, one) : showTimes(one, form),
    ]),
  )
}

function timeAs(form: Knobs['times'], time: number): string {
  const iso = new Date(time).toISOString()
  const forms = {
    milliseconds: iso,
    microseconds: iso.replace('Z', '000Z'),
    seconds: iso.replace(/\.\d+/, ''),
    minutes: iso.replace(/:\d\d\.\d+/, ''),
    offset: new Date(time + 2 * 3_600_000).toISOString().replace('Z', '+02:00'),
  }
  return forms[form]
}
