import { constants } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { finished } from 'node:stream'
import { setImmediate } from 'node:timers' // a test may replace the global one
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Awaitable } from '../../lib/async.ts'
import { exceededLimit, isObject, type JsonLimits, parseMeasured } from '../../lib/json.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { BadRequest, refuse } from '../core/refusals.ts'
import { mebibyte, type MemoryBudget, NoMemoryFree } from '../store/retention.ts'

/** The largest body in bytes. A body is read as one string, so `none` is V8's longest string. */
export const bodyLimit: ByChoice<'bodyLimit', number> = {
  oneMiB: mebibyte,
  tenMiB: 10 * mebibyte,
  hundredKiB: 100 * 1024,
  none: constants.MAX_STRING_LENGTH,
}

export function tooLarge(assumed: Assumed): BadRequest {
  return new BadRequest(tooLargeSentences[assumed.bodyLimit], { assumption: 'bodyLimit', field: 'body' })
}

const tooLargeSentences: ByChoice<'bodyLimit', string> = {
  oneMiB: 'the body must not be larger than 1 MiB',
  tenMiB: 'the body must not be larger than 10 MiB',
  hundredKiB: 'the body must not be larger than 100 KiB',
  none: 'the body is larger than this server can hold',
}

/** A shorter body takes no more than the headers that Node reads of each request. */
export const shortBody = 16 * 1024

/** Whether a body may be longer than that. */
export const mayBeLong = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > shortBody

/** The text of a body, and its values. */
export const timesOfBody = 2

/** The memory for a body until it is answered: so many times its own bytes. */
export function memoryFor({ headers, routeOptions }: FastifyRequest, times: number): number {
  const { 'content-length': length = Infinity } = headers
  return Math.min(Number(length), routeOptions.bodyLimit) * times
}

/** Memory until a response has ended. */
export class HeldMemory {
  readonly #memory: MemoryBudget
  readonly #use: 'requests' | 'answers'
  #bytes = 0
  #isOver = false

  constructor(memory: MemoryBudget, use: 'requests' | 'answers', { raw }: FastifyReply) {
    this.#memory = memory
    this.#use = use
    finished(raw, () => {
      this.#isOver = true
      memory.give(use, this.#bytes)
    })
  }

  /** False when none is free. */
  take(bytes: number): boolean {
    const isTaken = !this.#isOver && this.#memory.take(this.#use, bytes)
    if (isTaken) this.#bytes += bytes
    return isTaken
  }

  hold(bytes: number): void {
    if (!this.take(bytes)) throw new NoMemoryFree()
  }
}

/** In milliseconds. */
const longestUnread = 1_000

/**
 * The text of a JSON body that no parser has read, since the request was answered on arrival; undefined when it is too long, or
 * does not come soon.
 */
export async function readUnread(
  request: FastifyRequest,
  reply: FastifyReply,
  memory: MemoryBudget,
): Promise<string | undefined> {
  const { raw, headers, text } = request
  if (text !== undefined || raw.readableDidRead || !headers['content-type']?.startsWith('application/json')) return text
  const most = request.routeOptions.bodyLimit
  if (Number(headers['content-length'] ?? 0) > most) return undefined
  if (mayBeLong(request) && !new HeldMemory(memory, 'requests', reply).take(memoryFor(request, 1))) return undefined
  return new Promise((resolve) => {
    let sent = ''
    const end = (whole?: string) => {
      clearTimeout(timer)
      raw.off('data', add)
      resolve(whole)
    }
    const add = (part: string) => {
      sent += part
      if (sent.length > most) end()
    }
    const timer = setTimeout(end, longestUnread)
    raw.setEncoding('utf8').on('data', add)
    finished(raw, { writable: false }, (error) => end(error ? undefined : sent))
  })
}

/** Returns undefined for a text that is not JSON. */
type ReadBody = (json: string, request: FastifyRequest) => Awaitable<unknown>

/** Reads the JSON bodies of a server, by default within the limits of the service. */
export function readJsonBodies(app: FastifyInstance, read: ReadBody = readAtOnce): void {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    request.text = text
    try {
      checkLength(text, request)
      const body = text.length === 0 ? undefined : read(text.startsWith('\ufeff') ? text.slice(1) : text, request)
      if (body instanceof Promise) body.then((late) => deliver(late, text, done), done)
      else deliver(body, text, done)
    } catch (error) {
      done(error as Error)
    }
  })
  app.removeContentTypeParser('text/plain')
}

const readAtOnce: ReadBody = (json) => readJson(json, 'the body')

function checkLength(text: string, { headers, assumed }: FastifyRequest): void {
  if (text.length === 0) return
  refuseCompressed(headers)
  // Only a body that some choice refuses relies on the choice.
  const bytes = Number(headers['content-length'] ?? text.length)
  if (assumed && bytes > bodyLimit.hundredKiB && bytes > bodyLimit[assumed.bodyLimit]) throw tooLarge(assumed)
}

type Done = (error: Error | null, body?: unknown) => void

function deliver(body: unknown, text: string, done: Done): void {
  if (text.length === 0)
    done(null, undefined) // a DELETE may have a Content-Type and no body
  else if (body === undefined) done(notJson())
  else if (text.length > parsedAtOnce) setImmediate(done, null, body)
  else done(null, body)
}

const notJson = () => new BadRequest('the body must be valid JSON', { limit: 'json', field: 'body' })

export function refuseCompressed({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): void {
  if (encoding.toLowerCase() === 'identity') return
  refuse('a body must not be compressed; send it without Content-Encoding', {
    limit: 'contentType',
    field: 'Content-Encoding',
  })
}

/** After a longer text other requests are answered before the next step. */
const parsedAtOnce = 128 * 1024

/** V8 works on an object of 100,000 fields for a tenth of a second or more. */
export const limitsOfBody: JsonLimits = { fields: 10_000, values: 50_000, levels: 32 }

/** Parses JSON within limits of the sandbox; `undefined` when the text is not JSON. */
export function readJson(text: string, what: string, limits = limitsOfBody): unknown {
  const exceeded = exceededLimit(text, limits)
  if (exceeded) refuseExceeded(what, exceeded, limits)
  const value = parseMeasured(text)
  if (mayReachIntoPrototypes(text)) checkKeys(value, what)
  return value
}

export function refuseExceeded(what: string, exceeded: keyof JsonLimits, limits: JsonLimits): never {
  refuse(`${what} must not ${tooMuch[exceeded](limits[exceeded])}`, groundOf(what))
}

const groundOf = (what: string) => ({ limit: 'json', field: what === 'the body' ? 'body' : what }) as const

const tooMuch: Readonly<Record<keyof JsonLimits, (most: number) => string>> = {
  fields: (most) => `have more than ${most} fields`,
  values: (most) => `have more than ${most} values`,
  levels: (most) => `be nested deeper than ${most} levels`,
}

/** A key may be written with escapes. */
export const mayReachIntoPrototypes = (text: string) =>
  text.includes('__proto__') || text.includes('constructor') || text.includes('\\u')

/** Refuses keys that would reach into prototypes, a limit of the sandbox. */
export function checkKeys(value: unknown, what: string): void {
  if (reachesIntoPrototypes(value)) refuseKeys(what)
}

export function refuseKeys(what: string): never {
  refuse(`${what} must not hold the keys __proto__ or constructor.prototype`, groundOf(what))
}

/** A loop, since `Object.entries` would make a list for every object of every body. */
function reachesIntoPrototypes(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(reachesIntoPrototypes)
  if (isObject(value))
    for (const key in value) if (isHarmful(key, value[key]) || reachesIntoPrototypes(value[key])) return true
  return false
}

export const isHarmful = (key: string, value: unknown) =>
  key === '__proto__' || (key === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype'))
