import { quoteUnlessPlain } from '../../shared/printable.ts'
import { UnreadableChoice } from '../choices.ts'
import { closeTo } from '../close-to.ts'
import { operations } from '../operations.ts'
import type { OperationId } from '../types.ts'
import { isDocumented, type RecordName, recordNames } from './records.ts'
import {
  countedHeaders,
  faultsOfField,
  type FieldTypes,
  fieldTypes,
  headerNames,
  type IdForm,
  idFormOf,
  isFieldName,
  isOneLine,
  longestText,
  offsetForm,
  precisions,
  type TimeForm,
  type Voice,
} from './voice.ts'

/** Reads the voice of a profile. Throws UnreadableChoice with a sentence that names what is wrong, from `voice` on. */
export function readVoice(value: unknown): Voice {
  return read(value, 'voice', (part, path, name) => readerOf(name, path)(part, path, name))
}

type Read<Value> = (value: unknown, path: string, name: string) => Value

const parts: { readonly [Part in keyof Voice]-?: Read<Voice[Part]> } = {
  messages: (value, path) => read(value, path, readMessages),
  badField: (value, path) => read(value, path, readBadField),
  ids: (value, path) => read(value, path, readIdForm),
  times: readTimes,
  fields: (value, path) => read(value, path, readFieldsOf),
  meta: (value, path) => readFieldTypes(value, path),
  headers: (value, path) => read(value, path, readHeader),
}

function readerOf(name: string, path: string): Read<unknown> {
  checkName(name, Object.keys(parts), 'part of a voice', path)
  return parts[name as keyof Voice]
}

/** The members of an object, each as its reader returns it. */
function read<Value>(value: unknown, path: string, member: Read<Value>): Readonly<Record<string, Value>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return complain(path, 'must be an object')
  const entries = Object.entries(value).map(([name, one]): [string, Value] => [
    name,
    member(one, `${path}.${quoteUnlessPlain(name)}`, name),
  ])
  return Object.fromEntries(entries)
}

function readMessages(value: unknown, path: string, name: string): Readonly<Record<string, string>> {
  checkName(name, Object.keys(operations), 'operation', path)
  const statuses = operations[name as OperationId].statuses.map(String)
  return read(value, path, (text, where, status) => {
    checkName(status, statuses, 'documented status of the operation', where)
    return readText(text, where)
  })
}

function readBadField(value: unknown, path: string, name: string): string {
  checkName(name, faultsOfField, 'fault of a field', path)
  const text = readText(value, path)
  return text.includes('{field}') ? text : complain(path, 'must name the field, as {field}')
}

function readText(value: unknown, path: string): string {
  return typeof value === 'string' && isOneLine(value)
    ? value
    : complain(path, `must be a text of one line, of 1 to ${longestText} characters`)
}

function readIdForm(value: unknown, path: string, name: string): IdForm {
  checkName(name, recordNames, 'kind of records', path)
  const form = typeof value === 'string' ? idFormOf(value) : undefined
  return form ?? complain(path, 'must be a form of ids, such as {uuid}, {hex:24}, {digits:9} or con_{lowercase:16}')
}

function readTimes(value: unknown, path: string): TimeForm {
  const { precision = 'milliseconds', offset = 'Z' } = read(value, path, (one, where, name) => {
    checkName(name, ['precision', 'offset'], 'part of the form of times', where)
    const isKnown = name === 'offset' ? isOffset(one) : isPrecision(one)
    if (isKnown) return one
    return complain(
      where,
      name === 'offset' ? 'must be Z or such as +02:00' : `must be one of ${precisions.join(', ')}`,
    )
  })
  return { precision, offset } as TimeForm
}

const isPrecision = (value: unknown) => precisions.some((known) => known === value)
const isOffset = (value: unknown) => typeof value === 'string' && offsetForm.test(value)

function readFieldsOf(value: unknown, path: string, name: string): FieldTypes {
  checkName(name, recordNames, 'kind of records', path)
  return readFieldTypes(value, path, name as RecordName)
}

function readFieldTypes(value: unknown, path: string, of?: RecordName): FieldTypes {
  const types = read(value, path, (type, where, name) => {
    if (!isFieldName(name)) complain(where, 'has no name that a field can have')
    if (of !== undefined && isDocumented(of, name))
      complain(where, 'is a field of the specification, and stays as it is')
    return fieldTypes.find((known) => known === type) ?? complain(where, `must be one of ${fieldTypes.join(', ')}`)
  })
  return Object.keys(types).length <= mostFields ? types : complain(path, `must have at most ${mostFields} fields`)
}

const mostFields = 100

function readHeader(value: unknown, path: string, name: string): string {
  if (!headerNames.test(name)) complain(path, 'is no header of a rate limit, and does not name a request')
  const text = typeof value === 'number' ? String(value) : value
  const isFine = typeof text === 'string' && (/^\d{1,9}$/.test(text) || isCounted(text) || idFormOf(text))
  if (isFine) return text
  return complain(path, `must be a number, ${countedHeaders.join(', ')} or a form of ids such as {uuid}`)
}

const isCounted = (text: string) => countedHeaders.some((known) => known === text)

function checkName(name: string, known: readonly string[], what: string, path: string): void {
  if (known.includes(name)) return
  const [meant] = closeTo(name, known)
  complain(path, `names no ${what}${meant === undefined ? '' : `; did you mean ${meant}?`}`)
}

function complain(path: string, what: string): never {
  throw new UnreadableChoice(`${path} ${what}${what.endsWith('?') ? '' : '.'}`)
}
