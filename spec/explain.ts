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

/** A rule for a value, such as `must be` and `a number`, or a fault, such as `is` and `required`. */
export interface Demand {
  readonly verb: 'must be' | 'must' | 'is' | 'has'
  readonly rest: string
}

/** The error message for a value, and its field. */
export interface Complaint {
  readonly sentence: string
  /** The parts of the sentence: the field, or several that may be missing, or the whole; and the demand. */
  readonly about: string
  readonly demand: Demand
  /** Such as `attachments[0].mediaType`; empty for the whole value. */
  readonly field: string
  /** A required field is missing, a field is unlisted, or its value is of another type or invalid. */
  readonly kind: 'missing' | 'unlisted' | 'type' | 'value'
}

export function complain(faults: readonly SchemaFault[], subject: Subject): Complaint {
  const fault = decisiveOf(faults)
  const [about, demand] = fault ? explain(fault, faults, subject) : [subject.whole, unlike]
  const sentence = `${about} ${demand.verb} ${demand.rest}`
  return { sentence, about, demand, field: fault ? fieldOf(fault) : '', kind: fault ? kindOf(fault) : 'value' }
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

/** The parts of one sentence that a person can act on. It names the field, and never repeats a value. */
function explain(
  fault: SchemaFault,
  faults: readonly SchemaFault[],
  subject: Subject,
): readonly [about: string, demand: Demand] {
  const nameOf = (one: SchemaFault) => fieldOf(one) || subject.whole
  if (joinsBranches(fault)) return [nameOf(fault), must('fit only one of the documented forms')]
  const last = faults.at(-1)
  if (last && joinsBranches(last)) {
    const branches = faults.filter((one) => !joinsBranches(one))
    const names = unique(branches.map(nameOf))
    if (branches.every(isMissing)) return [names.join(' or '), required]
    const all = branches.map((branch) => demandOf(branch, subject))
    if (names.every((name) => name === nameOf(last)) && all.every(({ verb }) => verb === 'must be'))
      return [nameOf(last), mustBe(unique(all.map(({ rest }) => rest)).join(' or '))]
  }
  return [nameOf(fault), demandOf(fault, subject)]
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

function demandOf(fault: SchemaFault, { member }: Subject): Demand {
  const { keyword, params, parentSchema } = fault
  const { 'x-form': form, 'x-fields': listed = [] } = parentSchema as { 'x-form'?: string; 'x-fields'?: string[] }
  const unlisted = unlistedField(fault)
  if (unlisted !== undefined) return is(`not ${member}${suggestion(unlisted, listed)}`)
  if (form !== undefined && keyword !== 'type') return mustBe(form)
  return demands[keyword]?.(params, fault) ?? unlike
}

const must = (rest: string): Demand => ({ verb: 'must', rest })
const mustBe = (rest: string): Demand => ({ verb: 'must be', rest })
const is = (rest: string): Demand => ({ verb: 'is', rest })
const unlike = is('not as documented')
const required = is('required')
const notEmpty = must('not be empty')

const demands: Record<string, (params: SchemaFault['params'], fault: SchemaFault) => Demand> = {
  required: () => required,
  type: ({ type }) => mustBe([type].flat().map(typeInWords).join(' or ')),
  enum: ({ allowedValues }) => mustBe(among(allowedValues as unknown[])),
  const: ({ allowedValue }) => mustBe(word(allowedValue)),
  discriminator: (_, { parentSchema }) => mustBe(among(parentSchema?.['x-tags'] as unknown[])),
  format: ({ format }) => mustBe(formats[word(format)] ?? `a valid ${word(format)}`),
  pattern: ({ pattern }) => must(`match ${word(pattern)}`),
  minimum: ({ limit }) => mustBe(`at least ${word(limit)}`),
  maximum: ({ limit }) => mustBe(`at most ${word(limit)}`),
  minLength: ({ limit }) => (limit === 1 ? notEmpty : must(`have at least ${word(limit)} characters`)),
  maxLength: ({ limit }) => must(`have at most ${word(limit)} characters`),
  minItems: ({ limit }) => (limit === 1 ? notEmpty : must(`have at least ${word(limit)} items`)),
  maxItems: ({ limit }) => must(`have at most ${word(limit)} items`),
  minProperties: ({ limit }) => (limit === 1 ? notEmpty : must(`have at least ${word(limit)} fields`)),
  not: (_, { schema }) => mustNot(schema as Forbidden),
}

interface Forbidden {
  const?: unknown
  enum?: unknown[]
  required?: string[]
}

function mustNot({ const: value, enum: values = [value], required, ...others }: Forbidden): Demand {
  if (required) return must(`not have ${required.join(' and ')}`)
  if (values[0] !== undefined) return must(`not be ${among(values)}`)
  return Object.keys(others).length === 0 ? must('not be given') : { verb: 'has', rest: 'a form that is not accepted' }
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
