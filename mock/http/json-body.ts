import { constants } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers'
import type { FastifyInstance } from 'fastify'
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

const smallest = Math.min(...Object.values(bodyLimit))

/** A body that every choice accepts does not rely on the choice. */
function checkSize(bytes: number, assumed: Assumed): void {
  if (bytes > smallest && bytes > bodyLimit[assumed.bodyLimit]) throw tooLarge(assumed)
}

export function tooLarge(assumed: Assumed): BadRequest {
  return new BadRequest(tooLargeSentences[assumed.bodyLimit], { assumption: 'bodyLimit', field: 'body' })
}

const tooLargeSentences: ByChoice<'bodyLimit', string> = {
  oneMiB: 'the body must not be larger than 1 MiB',
  tenMiB: 'the body must not be larger than 10 MiB',
  none: 'the body is larger than this server can hold',
}

/** How deep a body may be nested. */
const deepest: ByChoice<'unusualJson', number> = { refused: 32, accepted: 500 }

/** A body that every choice accepts does not rely on the choice. */
const usualDepth = Math.min(...Object.values(deepest))

/** The length of a text that takes a while to parse. */
const long = 256 * 1024

/** Reads the JSON bodies of a server. */
export function readJsonBodies(app: FastifyInstance): void {
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    const { headers, assumed } = request
    request.text = text
    const body = readJson(text, headers, assumed)
    if (text.length < long) done(null, body)
    else setImmediate(done, null, body) // lets other requests run after a long parse
  })
  app.removeContentTypeParser('text/plain')
}

/** Parses a body. Deep nesting and keys that would reach into prototypes are subject to an assumption. */
function readJson(text: string, headers: IncomingHttpHeaders, assumed: Assumed | undefined): unknown {
  if (text.length === 0) return undefined // a DELETE may have a Content-Type and no body
  checkDepth(text, 'the body', assumed)
  if (assumed) checkSize(Number(headers['content-length'] ?? text.length), assumed)
  const body = checkKeys(parse(text), text, 'the body', assumed)
  if (assumed && hasLongList(body)) longLists[assumed.longLists]()
  return body
}

export function checkDepth(text: string, what: string, assumed: Assumed | undefined): void {
  if (!isDeeperThan(usualDepth, text)) return
  const levels = deepest[assumed?.unusualJson ?? 'refused']
  if (isDeeperThan(levels, text)) {
    refuse(`${what} must not be nested deeper than ${levels} levels`, {
      assumption: 'unusualJson',
      field: fieldOf(what),
    })
  }
}

const fieldOf = (what: string) => (what === 'the body' ? 'body' : what)

/** Refuses or drops the keys that would reach into prototypes. */
export function checkKeys(value: unknown, text: string, what: string, assumed: Assumed | undefined): unknown {
  if (!mayReachIntoPrototypes.test(text) || !reachesIntoPrototypes(value)) return value
  return keysIntoPrototypes[assumed?.unusualJson ?? 'refused'](value, what)
}

const keysIntoPrototypes: ByChoice<'unusualJson', (value: unknown, what: string) => unknown> = {
  refused: (_value, what) =>
    refuse(`${what} must not hold the keys __proto__ or constructor.prototype`, {
      assumption: 'unusualJson',
      field: fieldOf(what),
    }),
  accepted: withoutHarmfulKeys,
}

const isHarmful = (key: string, value: unknown) =>
  key === '__proto__' || (key === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype'))

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(byteOrderMark, ''))
  } catch {
    return refuse('the body must be valid JSON', { limit: 'json', field: 'body' })
  }
}

const byteOrderMark = /^\ufeff/

/** An escape sequence can encode any letter of a key. */
const mayReachIntoPrototypes = /__proto__|constructor|\\u/

function reachesIntoPrototypes(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(reachesIntoPrototypes)
  if (!isObject(value)) return false
  for (const key in value) if (isHarmful(key, value[key]) || reachesIntoPrototypes(value[key])) return true
  return false
}

/** Changes the value in place: parsing the text again with a reviver takes ten times as long. */
function withoutHarmfulKeys(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(withoutHarmfulKeys)
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (isHarmful(key, member)) Reflect.deleteProperty(value, key)
      else withoutHarmfulKeys(member)
    }
  }
  return value
}

const longestList = 1_000

function hasLongList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return members.length > longestList || members.some(hasLongList)
}

const longLists: ByChoice<'longLists', () => void> = {
  refused: () =>
    refuse(`a list in the body must not have more than ${longestList} items, nor an object as many fields`, {
      assumption: 'longLists',
    }),
  accepted: () => undefined,
}

/** Counts brackets outside of strings, without parsing. */
function isDeeperThan(levels: number, json: string): boolean {
  if (!opensMoreThan(levels, json)) return false
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === quote) at = endOfString(json, at)
    else if (character === openBrace || character === openBracket) depth++
    else if (character === closeBrace || character === closeBracket) depth--
    if (depth > levels) return true
  }
  return false
}

/** Opening brackets, also those within strings: a quick upper bound that settles most bodies. */
function opensMoreThan(levels: number, json: string): boolean {
  let found = 0
  for (const bracket of '{[') {
    for (let at = json.indexOf(bracket); at >= 0 && found <= levels; at = json.indexOf(bracket, at + 1)) found++
  }
  return found > levels
}

const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const openBrace = '{'.charCodeAt(0)
const closeBrace = '}'.charCodeAt(0)
const openBracket = '['.charCodeAt(0)
const closeBracket = ']'.charCodeAt(0)

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1
  while (json.charCodeAt(before) === backslash) before--
  return (at - before) % 2 === 0
}
