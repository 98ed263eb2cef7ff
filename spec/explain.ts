import type { ErrorObject } from 'ajv/dist/2020.js'
import { quoteUnlessPlain } from '../shared/text.ts'
import { closeTo } from './close-to.ts'

/** The words of a message: "the body must be …", "nickname is not a field of this request". */
export interface Subject {
  whole: string
  member: string
}

/** An error of Ajv with `verbose`. */
export type Fault = ErrorObject<string, Record<string, unknown>>

/** The error message for a value, and its field. */
export interface Complaint {
  readonly sentence: string
  /** Such as `attachments[0].mediaType`; empty for the whole value. */
  readonly field: string
  /** A required field is missing, a field is unlisted, or its value is invalid. */
  readonly kind: 'missing' | 'unlisted' | 'value'
}

export function complain(faults: readonly Fault[], subject: Subject): Complaint {
  const fault = decisiveOf(faults)
  return {
    sentence: explain(faults, subject),
    field: fault ? fieldOf(fault) : '',
    kind: fault ? kindOf(fault) : 'value',
  }
}

/** The fault of the branch that fits best. */
function decisiveOf(faults: readonly Fault[]): Fault | undefined {
  const fault = faults.at(-1)
  if (!fault || !joinsBranches(fault) || fault.params.passingSchemas) return fault
  const branches = faults.filter((one) => !joinsBranches(one))
  return branches.every(({ keyword }) => keyword === 'required') ? branches[0] : branches.toSorted(byLikelihood).at(-1)
}

function kindOf(fault: Fault): Complaint['kind'] {
  const { keyword, params } = fault
  if (strayField(fault) !== undefined) return 'unlisted'
  const isWithoutTag = keyword === 'discriminator' && params.tagValue === undefined
  return keyword === 'required' || isWithoutTag ? 'missing' : 'value'
}

/** One sentence that a person can act on. It names the field, and never repeats a value. */
export function explain(faults: readonly Fault[], subject: Subject): string {
  const fault = faults.at(-1)
  if (!fault) return `${subject.whole} is not as documented`
  if (joinsBranches(fault)) return explainBranches(fault, faults, subject)
  return `${nameOf(fault, subject)} ${demand(fault, subject)}`
}

/** The field at fault, such as `attachments[0].mediaType`; empty for the whole value. */
export function fieldOf(fault: Fault): string {
  const { keyword, instancePath, params } = fault
  const member = keyword === 'discriminator' ? params.tag : (params.missingProperty ?? strayField(fault))
  const names = instancePath.split('/').slice(1).map(unescape)
  return [...names, ...(typeof member === 'string' ? [member] : [])].reduce(join, '')
}

/** The field that no schema lists, when that is the fault. */
export function strayField({ params }: Fault): string | undefined {
  return (params.additionalProperty ?? params.unevaluatedProperty) as string | undefined
}

function nameOf(fault: Fault, { whole }: Subject): string {
  return fieldOf(fault) || whole
}

function joinsBranches({ keyword }: Fault): boolean {
  return keyword === 'oneOf' || keyword === 'anyOf' || keyword === 'if'
}

// Ajv says of each branch why it does not fit, and then that none does, or that several do.
function explainBranches(fault: Fault, faults: readonly Fault[], subject: Subject): string {
  const name = nameOf(fault, subject)
  if (fault.params.passingSchemas) return `${name} must fit only one of the documented forms`

  const branches = faults.filter((one) => !joinsBranches(one))
  const demands = unique(branches.map((branch) => demand(branch, subject)))
  const names = unique(branches.map((branch) => nameOf(branch, subject)))
  if (branches.every(({ keyword }) => keyword === 'required')) return `${names.join(' or ')} is required`
  if (names.every((other) => other === name) && demands.every((words) => words.startsWith('must be ')))
    return `${name} must be ${demands.map((words) => words.replace('must be ', '')).join(' or ')}`
  return explain(branches.toSorted(byLikelihood).slice(-1), subject)
}

// The branch with the right type and the deepest fault fits best.
function byLikelihood(one: Fault, other: Fault): number {
  return likelihood(one) - likelihood(other)
}

function likelihood({ keyword, instancePath }: Fault): number {
  return instancePath.split('/').length - (keyword === 'type' ? 0.5 : 0)
}

function demand(fault: Fault, { member }: Subject): string {
  const { keyword, params, parentSchema } = fault
  const { 'x-form': form, 'x-fields': listed = [] } = parentSchema as { 'x-form'?: string; 'x-fields'?: string[] }
  const stray = strayField(fault)
  if (stray !== undefined) return `is not ${member}${suggestion(stray, listed)}`
  if (form !== undefined && keyword !== 'type') return `must be ${form}`
  return demands[keyword]?.(params, fault) ?? 'is not as documented'
}

const demands: Record<string, (params: Fault['params'], fault: Fault) => string> = {
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

function typeInWords(type: unknown): string {
  return types[word(type)] ?? word(type)
}

function among(values: readonly unknown[]): string {
  const words = values.filter((value) => value !== '').map(word)
  return `${words.length > 1 ? 'one of ' : ''}${words.join(', ')}${words.length < values.length ? ', or empty' : ''}`
}

/** A value of the document, not of a caller. */
function word(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function suggestion(stray: string, listed: readonly string[]): string {
  const [meant] = listed.includes(stray) ? [] : closeTo(stray, listed) // it may be listed, in another branch
  return meant === undefined ? '' : ` (did you mean ${meant}?)`
}

function join(path: string, name: string): string {
  if (path === '') return quoteUnlessPlain(name)
  return /^\d{1,9}$/.test(name) ? `${path}[${name}]` : `${path}.${quoteUnlessPlain(name)}`
}

function unescape(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)]
}
