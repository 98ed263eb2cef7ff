import { setImmediate } from 'node:timers'
import type { FastifyInstance } from 'fastify'
import { BadRequest } from '../core/refusals.ts'
import { checkSize } from './body-limit.ts'

const deepest = 32
const long = 256 * 1024

/** Reads JSON bodies: refuses those that are nested too deep, and keys that would reach into prototypes. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    // A DELETE may have a Content-Type and no body.
    if (text.length === 0) {
      done(null, undefined)
      return
    }
    if (isTooDeep(text)) throw new BadRequest(`the body must not be nested deeper than ${deepest} levels`)
    if (request.assumed) checkSize(Number(request.headers['content-length'] ?? text.length), request.assumed)
    void parse(request, text, (error, body) => {
      const why = error && whyUnread(text)
      if (text.length < long) done(why, body)
      else setImmediate(done, why, body) // parsing took long: let other requests run first
    })
  })
  app.removeContentTypeParser('text/plain')
}

function whyUnread(text: string): BadRequest {
  return new BadRequest(
    isJson(text) ? 'the body must not hold the keys __proto__ or constructor.prototype' : 'the body must be valid JSON',
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Counts brackets outside of strings, without parsing. */
export function isTooDeep(json: string): boolean {
  if (opens(json) <= deepest) return false
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === quote) at = endOfString(json, at)
    else if (character === openBrace || character === openBracket) depth++
    else if (character === closeBrace || character === closeBracket) depth--
    if (depth > deepest) return true
  }
  return false
}

/** Opening brackets, also those within strings: a quick upper bound that settles most bodies. */
function opens(json: string): number {
  let found = 0
  for (const bracket of '{[') {
    for (let at = json.indexOf(bracket); at >= 0 && found <= deepest; at = json.indexOf(bracket, at + 1)) found++
  }
  return found
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
