import type { ErrorObject } from 'ajv/dist/2020.js'
import { quoteUnlessPlain } from '../lib/text.ts'
import { closeTo } from './close-to.ts'

/** The words of a message: "the body must be …", "nickname is not a field of this request". */
export interface Subject {
  whole: string
  member: string
}

/** An error of Ajv with `verbose`. */
export type SchemaFault = ErrorObject<string, Record<string, unknown>>

/** The error message for a value, and its field. */
export interface Complaint {
  readonly sentence: string
  /** Such as `attachments[0].mediaType`; empty for the whole value. */
  readonly field: string
  /** A required field is missing, a field is unlisted, or its value is of another type or invalid. */
  readonly kind: 'missing' | 'unlisted' | 'type' | 'value'
}

export function complain(faults: readonly SchemaFault[], subject: Subject): Complaint {
  const fault = decisiveOf(faults)
  if (!fault) return { sentence: `${subject.whole} is not as documented`, field: '', kind: 'value' }
  return { sentence: explain(fault, faults, subject), field: fieldOf(fault), kind: kindOf(fault) }
}

/** The last fault, or the fault of the best branch: Ajv reports each branch, and then that none fits. */
function decisiveOf(faults: readonly SchemaFault[]): SchemaFault | undefined {
  const fault = faults.at(-1)
  if (!fault || !joinsBranches(fault) || fault.params.passingSchemas) return fault
  const branches = faults.filter((one) => !joinsBranches(one))
  return branches.every(isMissing) ? branches[0] : branches.toSorted(byLikelihood).at(-1)
}

const joinsBranches = ({ keyword }: SchemaFault) => keyword === 'oneOf' || keyword === 'anyOf' || keyword === 'if'

const isMissing = ({ keyword }: SchemaFault) => keyword === 'required'

// The branch with the right type and the deepest fault fits best.
const byLikelihood = (one: SchemaFault, other: SchemaFault) => likelihood(one) - likelihood(other)

const likelihood = ({ keyword, instancePath }: SchemaFault) =>
  instancePath.split('/').length - (keyword === 'type' ? 0.5 : 0)

function kindOf(fault: SchemaFault): Complaint['kind'] {
  const { keyword, params } = fault
  if (unlistedField(fault) !== undefined) return 'unlisted'
  if (isMissing(fault) || (keyword === 'discriminator' && params.tagValue === undefined)) return 'missing'
  return keyword === 'type' ? 'type' : 'value'
}

/** One sentence that a person can act on. It names the field, and never repeats a value. */
function explain(fault: SchemaFault, faults: readonly SchemaFault[], subject: Subject): string {
  const nameOf = (one: SchemaFault) => fieldOf(one) || subject.whole
  if (joinsBranches(fault)) return `${nameOf(fault)} must fit only one of the documented forms`
  const last = faults.at(-1)
  if (last && joinsBranches(last)) {
    const branches = faults.filter((one) => !joinsBranches(one))
    const names = unique(branches.map(nameOf))
    if (branches.every(isMissing)) return `${names.join(' or ')} is required`
    const demands = unique(branches.map((branch) => demand(branch, subject)))
    if (names.every((name) => name === nameOf(last)) && demands.every((words) => words.startsWith('must be ')))
      return `${nameOf(last)} must be ${demands.map((words) => words.replace('must be ', '')).join(' or ')}`
  }
  return `${nameOf(fault)} ${demand(fault, subject)}`
}

/** The field at fault, such as `attachments[0].mediaType`; empty for the whole value. */
export function fieldOf(fault: SchemaFault): string {
  const { keyword, instancePath, params } = fault
  const member = keyword === 'discriminator' ? params.tag : (params.missingProperty ?? unlistedField(fault))
  const names = instancePath.split('/').slice(1).map(unescape)
  return [...names, ...(typeof member === 'string' ? [member] : [])].reduce(join, '')
}

/** The field that no schema lists, when that is the fault. */
export function unlistedField({ params }: SchemaFault): string | undefined {
  return (params.additionalProperty ?? params.unevaluatedProperty) as string | undefined
}

function demand(fault: SchemaFault, { member }: Subject): string {
  const { keyword, params, parentSchema } = fault
  const { 'x-form': form, 'x-fields': listed = [] } = parentSchema as { 'x-form'?: string; 'x-fields'?: string[] }
  const unlisted = unlistedField(fault)
  if (unlisted !== undefined) return `is not ${member}${suggestion(unlisted, listed)}`
  if (form !== undefined && keyword !== 'type') return `must be ${form}`
  return demands[keyword]?.(params, fault) ?? 'is not as documented'
}

const demands: Record<string, (params: SchemaFault['params'], fault: SchemaFault) => string> = {
  required: () => 'is required',
  type: ({ type }) => `must be ${[type].flat().map(typeInWords).join(' or ')}`,
  enum: ({ allowedValues }) => `must be ${among(allowedValues as unknown[])}`,
  const: ({ allowedValue }) => `must be ${word(allowedValue)}`,
  discriminator: (_, { parentSchema }) => `must be ${among(parentSchema?.['x-tags'] as unknown[])}`,
  format: ({ format }) => `must be ${formats[word(format)] ?? `a valid ${word(format)}`}`,
  pattern: ({ pattern }) => `must match ${word(pattern)}`,
  minimum: ({ limit }) => `must be at least ${word(limit)}`,
  maximum: ({ limit }) => `must be at most ${word(limit)}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${word(limit)} characters`),
  maxLength: ({ limit }) => `must have at most ${word(limit)} characters`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${word(limit)} items`),
  maxItems: ({ limit }) => `must have at most ${word(limit)} items`,
  minProperties: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${word(limit)} fields`),
  not: (_, { schema }) => mustNot(schema as Forbidden),
}

interface Forbidden {
  const?: unknown
  enum?: unknown[]
  required?: string[]
}

function mustNot({ const: value, enum: values = [value], required, ...others }: Forbidden): string {
  if (required) return `must not have ${required.join(' and ')}`
  if (values[0] !== undefined) return `must not be ${among(values)}`
  return Object.keys(others).length === 0 ? 'must not be given' : 'has a form that is not accepted'
}

const types: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'a JSON array',
}

const formats: Record<string, string> = {
  email: 'an e-mail address, such as ada@example.com',
  'date-time': 'an ISO 8601 timestamp, such as 2026-03-01T09:30:00.000Z',
  date: 'an ISO 8601 date, such as 2026-03-01',
  uri: 'a URI, such as https://files.example.com/plan.pdf',
}

const typeInWords = (type: unknown) => types[word(type)] ?? word(type)

function among(values: readonly unknown[]): string {
  const words = values.filter((value) => value !== '').map(word)
  return `${words.length > 1 ? 'one of ' : ''}${words.join(', ')}${words.length < values.length ? ', or empty' : ''}`
}

/** A value of the document, not of a caller. */
const word = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function suggestion(unlisted: string, listed: readonly string[]): string {
  const [meant] = listed.includes(unlisted) ? [] : closeTo(unlisted, listed) // it may be listed, in another branch
  return meant === undefined ? '' : ` (did you mean ${meant}?)`
}

function join(path: string, name: string): string {
  if (path === '') return quoteUnlessPlain(name)
  return /^\d{1,9}$/.test(name) ? `${path}[${name}]` : `${path}.${quoteUnlessPlain(name)}`
}

const unescape = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')

const unique = (words: readonly string[]) => [...new Set(words)]
