import { controlDocument } from '../../control/document.ts'
import { queryFrom } from '../../control/options.ts'
import type { ControlId } from '../../control/types.ts'
import { once } from '../../shared/once.ts'
import { quoteUnlessPlain } from '../../shared/printable.ts'
import { type Described, describedOperations, type Parameter, type Schema } from '../../spec/document.ts'
import { explain, type Fault, fieldOf, strayField } from '../../spec/explain.ts'
import { type Validate, validatorsOf } from '../../spec/validators.ts'
import { NotFound, refuse } from './refusals.ts'

// The one check of what the control plane is asked, whether over HTTP or in process.

/** Refuses a body that is not as the document says, with one sentence. A body that may be left out is empty then. */
export function checkBody(id: ControlId, body: unknown = {}): void {
  check(bodyValidator(id), body, 'the body')
}

/** Refuses a query likewise. It arrives as text, and what it holds is turned into what the document says, in place. */
export function checkQuery(id: ControlId, query: unknown): void {
  check(queryValidator(id), query, 'the query')
}

/** The same for options in process, of which it returns a copy. */
export function readQuery<Query>(id: ControlId, options: Query): Query {
  const query = queryFrom(options)
  checkQuery(id, query)
  return query
}

/** What stands in a path is a text; nothing has another name. */
export function checkNames(...names: readonly unknown[]): void {
  if (names.some((name) => typeof name !== 'string')) throw new NotFound()
}

export function bodyValidator(id: ControlId): Validate {
  const schema = describedAs(id).requestBody?.content['application/json']?.schema ?? nothing
  return validatorsOf(controlDocument()).of(schema, 'json', 'open')
}

export function queryValidator(id: ControlId): Validate {
  return validatorsOf(controlDocument()).of(querySchema(describedAs(id).parameters), 'text', 'open')
}

const nothing: Schema = { type: 'object', additionalProperties: false }

function querySchema(parameters: readonly Parameter[]): Schema {
  const here = parameters.filter((parameter) => parameter.in === 'query')
  const listed = here.filter(({ schema }) => schema.additionalProperties === undefined)
  return {
    type: 'object',
    additionalProperties: listed.length < here.length, // one parameter stands for any others
    properties: Object.fromEntries(listed.map(({ name, schema }) => [name, schema])),
    required: here.filter(({ required }) => required).map(({ name }) => name),
  }
}

const described = once(() => new Map(describedOperations(controlDocument()).map((one) => [one.operationId, one])))

function describedAs(id: ControlId): Described {
  const found = described().get(id)
  if (!found) throw new Error(`${id} is not an operation of the control plane`)
  return found
}

function check(validate: Validate, value: unknown, whole: string): void {
  if (!validate(value)) refuse(sentenceFor((validate.errors ?? []) as Fault[], whole))
}

/** As for the service, and a field that is not listed is answered with those that are. */
function sentenceFor(faults: readonly Fault[], whole: string): string {
  const fault = faults.at(-1)
  if (!fault) return `${whole} is not as documented`
  const { 'x-form': form, 'x-fields': listed = [] } = fault.parentSchema as { 'x-form'?: string; 'x-fields'?: string[] }
  const stray = strayField(fault)
  if (stray !== undefined) {
    const takes = listed.length > 0 ? listed.join(', ') : 'none'
    return `${quoteUnlessPlain(stray)} is not a field of this request, which takes ${takes}`
  }
  if (form !== undefined) return `${fieldOf(fault)} must be ${form}`
  return explain(faults, { whole, member: 'a field of this request' })
}
