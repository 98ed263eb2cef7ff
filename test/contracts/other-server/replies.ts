import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { IncomingHttpHeaders } from 'node:http'
import type { Switches } from './switches.ts'
import type { Fields, Stored, Team } from './team.ts'

/** A request that was understood, as an operation gets it. */
export interface Given {
  readonly team: Team
  readonly caller: { readonly user: string | undefined; readonly role: 'admin' | 'agent' }
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly body: unknown
  /** Its Idempotency-Key. */
  readonly key?: string | undefined
  /** The body was a form, with these files. */
  readonly form: { readonly files: readonly string[]; readonly bytes: number } | undefined
  readonly switches: Switches
}

export interface Reply {
  readonly status: number
  readonly message: string
  readonly data?: Fields | readonly Fields[]
  readonly pagination?: Fields
}

export type Operation = (given: Given) => Reply

export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function refuse(switches: Switches, status = 400): never {
  throw new Refusal(status, status === 404 ? switches.text404 : switches.text400)
}

export const refuseUnless = (isFine: boolean, switches: Switches, status = 400): void => {
  if (!isFine) refuse(switches, status)
}

/** The record that the path names. */
export function recordAt({ team, path, switches }: Given, kind: Parameters<Team['shelf']>[0], lag = 0): Stored {
  return team.shelf(kind).get(path[0] ?? '', lag) ?? refuse(switches, 404)
}

/** A delete of an unknown id may succeed. */
export function recordToDelete(given: Given, kind: Parameters<Team['shelf']>[0]): Stored | undefined {
  const record = given.team.shelf(kind).get(given.path[0] ?? '')
  return record ?? (given.switches.deleteOfUnknown === 200 ? undefined : refuse(given.switches, 404))
}

/** Fields that cannot be an empty text. */
const numbers: readonly string[] = ['amount', 'unitCost', 'unitPrice', 'employeeCount', 'annualRevenue']

/** Fields that lack a value as the server shows that. */
export function showLacking(fields: Fields, names: readonly string[], { lacking }: Switches): Fields {
  const shown = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  if (lacking === 'absent') return shown
  const lack = lacking === 'null' ? null : ''
  const texts = lacking === 'null' ? names : names.filter((name) => !numbers.includes(name))
  return { ...Object.fromEntries(texts.map((name) => [name, lack])), ...shown }
}

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

/** An answer as the switches say. */
export function writeReply(
  { headers: { 'accept-encoding': accepted } }: Incoming,
  reply: Reply,
  switches: Switches,
  headers: Readonly<Record<string, string>> = {},
): Written {
  const body = JSON.stringify(envelopeOf(reply, switches))
  const { encoding, pack } =
    packings[switches.compression === 'ifAsked' && !String(accepted).includes('gzip') ? 'never' : switches.compression]
  const bytes = pack(body)
  return {
    status: reply.status,
    headers: {
      ...headers,
      'content-type': contentTypes[switches.charset],
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      ...(switches.keepAlive ? {} : { connection: 'close' }),
      ...(switches.chunked ? {} : { 'content-length': bytes.length }),
    },
    parts: switches.chunked ? [bytes.subarray(0, 9), bytes.subarray(9)] : [bytes],
  }
}

interface Packing {
  readonly encoding?: string
  readonly pack: (text: string) => Buffer
}

const gzip: Packing = { encoding: 'gzip', pack: (text) => gzipSync(text) }

const packings: Readonly<Record<Switches['compression'], Packing>> = {
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

function envelopeOf({ status, message, data, pagination }: Reply, switches: Switches): object {
  const isError = status >= 400
  const { envelope } = switches
  const isBare = envelope === 'bare' && data !== undefined
  const lacksOne = data !== undefined && !isError
  return {
    ...(isBare || (lacksOne && envelope === 'noSuccess') ? {} : { success: !isError }),
    ...(isBare || (lacksOne && envelope === 'noMessage') ? {} : { message }),
    ...(envelope === 'nulls' ? { data: null, meta: null, ...(isError ? {} : { pagination: null }) } : {}),
    ...(data === undefined ? {} : { data: switches.extraFields ? addFields(data) : data }),
    ...(pagination ? { pagination } : {}),
    ...(switches.meta ? { meta: { version: 1 } } : {}),
    ...(switches.extraEnvelope ? { requestId: 'r-1', took: 1 } : {}),
  }
}

const addFields = (data: object): object =>
  Array.isArray(data) ? data.map((one: object) => addFields(one)) : { ...data, __v: 0, owner: 'somebody', tags: [] }

/** Formats the times of a reply, which the records store in milliseconds. */
export function showTimes(value: unknown, form: Switches['times']): unknown {
  if (Array.isArray(value)) return value.map((one) => showTimes(one, form))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      /^(created|updated)At$/.test(name) && typeof one === 'number' ? timeAs(form, one) : showTimes(one, form),
    ]),
  )
}

function timeAs(form: Switches['times'], time: number): string {
  const iso = new Date(time).toISOString()
  const forms = {
    milliseconds: iso,
    microseconds: iso.replace('Z', '000Z'),
    seconds: iso.replace(/\.\d+/, ''),
    offset: new Date(time + 2 * 3_600_000).toISOString().replace('Z', '+02:00'),
  }
  return forms[form]
}
