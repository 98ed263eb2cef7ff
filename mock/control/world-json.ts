import {
  closingBrace,
  closingBracket,
  colon,
  comma,
  endOfString,
  type JsonLimits,
  openingBrace,
  openingBracket,
  quote,
} from '../../lib/json.ts'
import { newPause, type Pause, stepsInARow } from '../../lib/pause.ts'
import {
  checkKeys,
  isHarmful,
  limitsOfBody,
  mayReachIntoPrototypes,
  readJson,
  refuseExceeded,
  refuseKeys,
} from '../http/json-body.ts'

/**
 * Of a request with a world. The limit of fields is for one object. A body of the service has up to five levels more in a
 * world, and another if the world is the `from` of a team.
 */
const mostOfWorld: JsonLimits = { fields: limitsOfBody.fields, values: 2_000_000, levels: limitsOfBody.levels + 6 }

/** A longer text is parsed in parts. No shorter one has an object of so many different fields. */
const parsedAtOnce = 64 * 1024

/** Parses the JSON of a world in steps, and lets others run in between; `undefined` when the text is not JSON. */
export async function readJsonOfWorld(text: string): Promise<unknown> {
  if (text.length <= parsedAtOnce) return readJson(text, 'the body', mostOfWorld)
  try {
    return await parseInSteps(text, newPause())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function parseInSteps(text: string, pause: Pause): Promise<unknown> {
  const trimmed = trimJson(text)
  const members = trimmed.slice(1, -1)
  if (trimmed.length <= parsedAtOnce || trimmed.startsWith('"') || trimJson(members) === '') return parseAtOnce(trimmed)
  const isList = trimmed.startsWith('[') && trimmed.endsWith(']')
  if (!isList && !(trimmed.startsWith('{') && trimmed.endsWith('}'))) throw new SyntaxError('a bracket is missing')
  const [list, fields]: [unknown[], [string, unknown][]] = [[], []]
  for (const part of partsOf(members)) {
    await pause(stepsInARow)
    if (part === undefined) continue
    if (trimJson(part) === '') throw new SyntaxError('nothing is between two commas')
    if (isList) list.push(...(await itemsIn(part, pause)))
    else fields.push(...(await fieldsIn(part, pause)))
    if (fields.length > mostOfWorld.fields) refuseExceeded('an object of the body', 'fields', mostOfWorld)
  }
  return isList ? list : Object.fromEntries(fields)
}

const itemsIn = async (part: string, pause: Pause) =>
  part.length > parsedAtOnce ? [await parseInSteps(part, pause)] : (parseAtOnce(`[${part}]`) as unknown[])

async function fieldsIn(part: string, pause: Pause): Promise<[name: string, value: unknown][]> {
  if (part.length <= parsedAtOnce) return Object.entries(parseAtOnce(`{${part}}`) as object)
  const [nameInJson, valueInJson] = nameAndValueOf(part)
  const value = await parseInSteps(valueInJson, pause)
  const name = JSON.parse(nameInJson) as string
  if (isHarmful(name, value)) refuseKeys('the body')
  return [[name, value]]
}

function parseAtOnce(text: string): unknown {
  const value = JSON.parse(text) as unknown
  if (mayReachIntoPrototypes(text)) checkKeys(value, 'the body')
  return value
}

/**
 * Cuts the inside of a JSON list or object at its commas: each part has as many members as can be parsed
 * at once, or one longer member. Yields `undefined` within a much longer member, so that others can run. Refuses too
 * many members. The parser of the parts refuses a part that is not JSON.
 */
function* partsOf(members: string): Generator<string | undefined> {
  let [start, last] = [0, 0] // of the part, and of its last member
  let [values, levels, scanned] = [1, 1, 0]
  for (let at = 0; at <= members.length; at++) {
    const unit = at === members.length ? comma : members.charCodeAt(at)
    if (unit === quote) at = endOfString(members, at + 1)
    else if (unit === openingBracket || unit === openingBrace) {
      values++
      if (++levels > mostOfWorld.levels) refuseExceeded('the body', 'levels', mostOfWorld)
    } else if (unit === closingBracket || unit === closingBrace) levels--
    if (unit !== comma) continue
    if (++values > mostOfWorld.values) refuseExceeded('the body', 'values', mostOfWorld)
    if (at - scanned > parsedAtOnce) {
      scanned = at
      yield undefined
    }
    if (levels > 1) continue
    if (at - start > parsedAtOnce && last > start) {
      yield members.slice(start, last - 1)
      start = last
    }
    last = at + 1
    if (at - start <= parsedAtOnce) continue
    yield members.slice(start, at)
    start = last
  }
  if (start <= members.length) yield members.slice(start)
}

/** A member of an object as the JSON of its name and of its value. */
function nameAndValueOf(member: string): [name: string, value: string] {
  const trimmed = trimJson(member)
  const end = endOfString(trimmed, 1) + 1
  const value = trimJson(trimmed.slice(end))
  if (value.charCodeAt(0) !== colon) throw new SyntaxError('a name is not followed by a colon')
  return [trimmed.slice(0, end), value.slice(1)]
}

/** Unlike `trim`, it leaves the spaces that JSON does not allow. */
function trimJson(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isSpace(text.charCodeAt(from))) from++
  while (from < to && isSpace(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

const isSpace = (unit: number) => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09
