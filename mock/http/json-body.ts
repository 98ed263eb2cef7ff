import { constants } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJson } from '../../shared/parse-json.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { isObject } from '../../spec/document.ts'
import { BadRequest, refuse } from '../core/refusals.ts'

const mebibyte = 1024 * 1024

/** The largest body in bytes. A body is read as one string, so `none` is V8's longest string. */
export const bodyLimit: ByChoice<'bodyLimit', number> = {
  oneMiB: mebibyte,
  tenMiB: 10 * mebibyte,
  none: constants.MAX_STRING_LENGTH,
}

export function tooLarge(assumed: Assumed): BadRequest {
  return new BadRequest(tooLargeSentences[assumed.bodyLimit], { assumption: 'bodyLimit', field: 'body' })
}

const tooLargeSentences: ByChoice<'bodyLimit', string> = {
  oneMiB: 'the body must not be larger than 1 MiB',
  tenMiB: 'the body must not be larger than 10 MiB',
  none: 'the body is larger than this server can hold',
}

/** Reads the JSON bodies of a server. */
export function readJsonBodies(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (request: FastifyRequest, text: string) => {
    const { headers, assumed } = request
    request.text = text
    if (text.length === 0) return undefined // a DELETE may have a Content-Type and no body
    refuseCompressed(headers)
    // Only a body that some choice refuses relies on the choice.
    const bytes = Number(headers['content-length'] ?? text.length)
    if (assumed && bytes > bodyLimit.oneMiB && bytes > bodyLimit[assumed.bodyLimit]) throw tooLarge(assumed)
    if (assumed && hasTooManyFields(text))
      refuse(`the body must not have more than ${mostFields} fields`, { limit: 'json', field: 'body' })
    const parsed = parseJson(text.startsWith('\ufeff') ? text.slice(1) : text)
    if (parsed === undefined) refuse('the body must be valid JSON', { limit: 'json', field: 'body' })
    if (text.length > parsedAtOnce) await setImmediate()
    return checkShape(parsed, 'the body')
  })
  app.removeContentTypeParser('text/plain')
}

export function refuseCompressed({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): void {
  if (encoding.toLowerCase() === 'identity') return
  refuse('a body must not be compressed; send it without Content-Encoding', {
    limit: 'contentType',
    field: 'Content-Encoding',
  })
}

/** The most fields of a body, at any depth. V8 works on an object of 100,000 fields for a tenth of a second or more. */
const mostFields = 10_000

/** Counts the ends of keys before the body is parsed. No shorter text has so many fields as `"a":0,`. */
function hasTooManyFields(text: string): boolean {
  if (text.length < mostFields * '"a":0,'.length) return false
  const ends = text.matchAll(/(?<!\\)"\s*:/g)
  for (let fields = 0; !ends.next().done;) if (++fields > mostFields) return true
  return false
}

/** After a longer text other requests are answered before the next step. */
const parsedAtOnce = 128 * 1024

/** How deep JSON may be nested. */
const deepest = 32

/** Refuses JSON that is nested too deep, and keys that would reach into prototypes: limits of the sandbox. */
export function checkShape<Value>(value: Value, what: string): Value {
  const ground = { limit: 'json', field: what === 'the body' ? 'body' : what } as const
  if (isDeeperThan(deepest, value)) refuse(`${what} must not be nested deeper than ${deepest} levels`, ground)
  if (reachesIntoPrototypes(value)) refuse(`${what} must not hold the keys __proto__ or constructor.prototype`, ground)
  return value
}

/** Whether a member passes. A loop, since `Object.entries` would make a list for every object of every body. */
function someMember(value: unknown, passes: (member: unknown, key: string) => boolean): boolean {
  if (Array.isArray(value)) return value.some((member) => passes(member, ''))
  if (isObject(value)) for (const key in value) if (passes(value[key], key)) return true
  return false
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  isObject(value) && (levels === 0 || someMember(value, (member) => isDeeperThan(levels - 1, member)))

const isHarmful = (key: string, value: unknown) =>
  key === '__proto__' || (key === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype'))

const reachesIntoPrototypes = (value: unknown): boolean =>
  someMember(value, (member, key) => isHarmful(key, member) || reachesIntoPrototypes(member))
