import { readFileSync, statSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import { fileError, mostOfFile } from '../../lib/files.ts'
import { exceededLimit, parseMeasured } from '../../lib/json.ts'
import { pluralize } from '../../lib/text.ts'
import { fieldsOf, type Fields } from '../client/answer.ts'
import { CannotRun } from '../client/errors.ts'
import type { Incoming } from '../client/transport.ts'
import type { Observe } from './proxy.ts'
import { type BodyText, credentialHeaders, isDocumented, type PassingRequest, textOf } from '../judge/parse-request.ts'

// HAR, the format in which browsers, Playwright, mitmproxy, Charles and k6 write recorded traffic.

/** A recorded request with its response, or the reason why it has none. */
export interface Recorded {
  readonly request: PassingRequest
  readonly endedAt: number
  readonly outcome: (Omit<Incoming, 'text'> & BodyText) | { readonly noAnswer: string }
}

export interface Archive {
  /** The server of the requests, with the prefix of its paths. */
  readonly origin: string
  readonly exchanges: readonly Recorded[]
  /** The number of requests to other servers. */
  readonly others: number
}

const mebibyte = 1024 * 1024

/** The longest file that is read, in bytes: it is parsed as a whole. */
const longestArchive = Math.min(256, Math.floor(getHeapStatistics().heap_size_limit / 8 / mebibyte)) * mebibyte

/** Reads the requests of an archive to one server: the named one, or the only one with a request to an operation. */
export function readArchive(path: string, server?: string): Archive {
  const entries = entriesOf(path)
  const origin = server?.replace(/\/$/, '') ?? serverOf(entries, path)
  const toServer = entries.filter(({ url }) => isBelow(url, origin))
  if (toServer.length === 0)
    throw new NothingToJudge(
      `The archive ${path} has no request to ${origin}${asked(entries)}; name its server with --to.`,
      { option: 'from' },
    )
  const hidesCredentials = !toServer.some(({ request }) => credentialHeaders.some((name) => headersOf(request)[name]))
  const exchanges = toServer.map((entry) => readEntry(entry, origin, hidesCredentials))
  return { origin, exchanges, others: entries.length - toServer.length }
}

/** Shows each request and each response to an observer, at its place in time. */
export function replay(exchanges: readonly Recorded[], observe: Observe): void {
  const steps = exchanges.flatMap(({ request, endedAt, outcome }) => {
    let observed: ReturnType<Observe>
    const begin = () => {
      observed = observe(request)
    }
    const end = () => ('noAnswer' in outcome ? observed.onNoAnswer(outcome.noAnswer) : observed.onResponse(outcome))
    return [
      { at: request.at, run: begin },
      { at: endedAt, run: end },
    ]
  })
  for (const { run } of steps.toSorted((one, other) => one.at - other.at)) run()
}

interface ArchiveEntry {
  readonly url: URL
  readonly request: Fields
  readonly entry: Fields
}

function entriesOf(path: string): ArchiveEntry[] {
  const text = readText(path)
  if (exceededLimit(text, mostOfFile))
    throw cannotRead(`The archive ${path} has too many values: record fewer requests.`)
  const { entries } = fieldsOf(fieldsOf(parseMeasured(text)).log)
  if (!Array.isArray(entries))
    throw cannotRead(`${path} is no HAR archive: it must be JSON with log.entries. Is it truncated or compressed?`)
  return entries.map((entry: unknown, at) => {
    const { request, response } = fieldsOf(entry)
    const { url, method } = fieldsOf(request)
    const isWhole = typeof method === 'string' && typeof url === 'string' && URL.canParse(url)
    if (!isWhole || typeof response !== 'object')
      throw cannotRead(`${path} is no HAR archive: log.entries[${at}] must have a request with a URL, and a response.`)
    return { url: new URL(url), request: fieldsOf(request), entry: fieldsOf(entry) }
  })
}

function readText(path: string): string {
  try {
    const { size } = statSync(path)
    if (size > longestArchive)
      throw cannotRead(
        `The archive ${path} is longer than ${longestArchive / mebibyte} MiB: record fewer requests, or split it.`,
      )
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof CannotRun) throw error
    throw cannotRead(`${fileError(`The archive ${path}`, 'read', error)}.`)
  }
}

/** The archive has no request of the API. */
export class NothingToJudge extends CannotRun {}

const cannotRead = (sentence: string) => new CannotRun(sentence, { option: 'from' })

/** The server that has requests to operations of the API. */
function serverOf(entries: readonly ArchiveEntry[], path: string): string {
  const servers = new Set(
    entries.flatMap(({ url, request }) => {
      const [, prefix, rest] = /^(.*?)(\/api\/.*)$/.exec(url.pathname) ?? []
      return rest !== undefined && isDocumented(String(request.method), rest) ? [url.origin + (prefix ?? '')] : []
    }),
  )
  const [only, ...others] = servers
  if (only !== undefined && others.length === 0) return only
  const what = only === undefined ? 'no request to an operation of the API' : 'requests to several servers'
  const sentence = `The archive ${path} has ${what}${asked(entries)}; name the server with --to.`
  throw only === undefined ? new NothingToJudge(sentence, { option: 'from' }) : cannotRead(sentence)
}

/** Such as ` (its requests are to https://a.example and 2 other servers)`. */
function asked(entries: readonly ArchiveEntry[]): string {
  const [first, ...others] = new Set(entries.map(({ url }) => url.origin))
  if (first === undefined) return ' (it is empty)'
  const rest = others.length === 0 ? '' : ` and ${pluralize(others.length, 'other server')}`
  return ` (its requests are to ${first}${rest})`
}

const isBelow = (url: URL, origin: string) => `${url.origin}${url.pathname}`.startsWith(`${origin}/`)

function readEntry({ url, request, entry }: ArchiveEntry, origin: string, hidesCredentials: boolean): Recorded {
  const startedAt = Date.parse(String(entry.startedDateTime)) || 0
  const { postData, bodySize } = request
  const { text, mimeType } = fieldsOf(postData)
  const headers = { ...(typeof mimeType === 'string' && { 'content-type': mimeType }), ...headersOf(request) }
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '')
  const isLost = isJson && typeof text !== 'string' && Number(bodySize) > 0
  return {
    request: {
      method: String(request.method).toUpperCase(),
      url: (url.origin + url.pathname).slice(origin.length) + url.search,
      headers,
      bytes: isJson && typeof text === 'string' ? Buffer.from(text) : undefined,
      at: startedAt,
      hidesCredentials,
      ...(isLost && { unread: 'missing' }),
    },
    endedAt: startedAt + Math.max(Number(entry.time) || 0, 0),
    outcome: outcomeOf(fieldsOf(entry.response)),
  }
}

function outcomeOf(response: Fields): Recorded['outcome'] {
  const { status, content, _error: error } = response
  if (typeof status !== 'number' || status <= 0)
    return { noAnswer: typeof error === 'string' ? error : 'the archive has no response' }
  return { status, headers: headersOf(response), ...bodyOf(fieldsOf(content)) }
}

/** An archive has bodies as they are once they are decompressed. */
function bodyOf({ text, encoding, size }: Fields): BodyText {
  if (typeof text !== 'string') return Number(size) > 0 ? { unread: 'missing' } : { text: '' }
  return textOf(Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8'), undefined)
}

function headersOf({ headers }: Fields): Record<string, string> {
  const pairs = (Array.isArray(headers) ? headers : []).map(fieldsOf)
  const written = pairs.map(({ name, value }) => [String(name).toLowerCase(), String(value)] as const)
  return Object.fromEntries(written.filter(([name]) => name !== 'content-encoding'))
}
