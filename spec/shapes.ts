import type { ValidateFunction } from 'ajv/dist/2020.js'
import { once } from '../lib/async.ts'
import {
  document as published,
  type Document,
  fieldsOf,
  resolve,
  type Schema,
  type Source,
  tagsOf,
} from './document.ts'
import { complain, type Complaint, type SchemaFault, fieldOf, type Subject } from './explain.ts'
import { compilerFor, type Openness } from './validators.ts'
import { isObject } from '../lib/json.ts'

export type { Complaint } from './explain.ts'

/** The checks of a schema. Each is compiled on first use. */
export interface Shape {
  /** One sentence when the value is not as documented; `undefined` when it is. */
  check: (value: unknown) => string | undefined
  /** The fault of that sentence. */
  first: (value: unknown) => Complaint | undefined
  /** The fault to report to a client, as a sentence with its field: a wrong type comes before a missing field. */
  complaint: (value: unknown) => Complaint | undefined
  /** A complaint for each faulty field; a field that is not documented is a fault too. */
  faults: (value: unknown, most?: number) => Complaint[]
  /** The documented top-level fields; with a discriminator, the fields of the selected branch. */
  listed: (value: unknown) => ReadonlySet<string>
}

export type ShapeOf = (schema: Schema, source: Source, subject: Subject) => Shape

export function shapesOf(document: Document): ShapeOf {
  const compilers = new Map<string, (schema: Schema) => ValidateFunction>()
  const compile = (schema: Schema, source: Source, openness: Openness) => {
    const name = `${source} ${openness}`
    const compiler = compilers.get(name) ?? compilerFor(document, source, openness)
    compilers.set(name, compiler)
    return compiler(schema)
  }
  return (schema, source, subject) => {
    const open = once(() => compile(schema, source, 'open'))
    const closed = once(() => compile(schema, source, 'closed'))
    const listed = once(() => fieldsFor(document, schema, source))
    const faults: Shape['faults'] = (value, most) =>
      closed()(value) ? [] : complainOfEach(closed().errors ?? [], subject, most)
    const first: Shape['first'] = (value) => (open()(value) ? undefined : complain(open().errors ?? [], subject))
    const complaint: Shape['complaint'] = (value) => {
      const found = first(value)
      if (found?.kind !== 'missing') return found
      // Unless the field of the wrong type should contain the missing field.
      const isOther = ({ kind, field }: Complaint) => kind === 'type' && !found.field.startsWith(`${field}.`)
      return faults(value).find(isOther) ?? found
    }
    return {
      check: (value) => first(value)?.sentence,
      first,
      complaint,
      faults,
      listed: (value) => listed()(value),
    }
  }
}

/** The fields listed for a value; with a discriminator, the fields of the selected branch. */
function fieldsFor(document: Document, schema: Schema, source: Source): (value: unknown) => ReadonlySet<string> {
  const { discriminator, oneOf = [], ...common } = resolve(document, schema)
  const all = new Set(fieldsOf(document, schema, source))
  if (!discriminator) return () => all

  const tag = discriminator.propertyName
  const byTag = new Map(
    oneOf.flatMap((branch) => {
      const fields = new Set([common, branch].flatMap((part) => fieldsOf(document, part, source)))
      return tagsOf(document, branch, tag).map((value) => [value, fields] as const)
    }),
  )
  return (value) => (isObject(value) ? byTag.get(value[tag]) : undefined) ?? all
}

/** The shapes of the published document. */
export const shapeOf = shapesOf(published)

function complainOfEach(faults: readonly SchemaFault[], subject: Subject, most = Infinity): Complaint[] {
  const byField = new Map<string, SchemaFault[]>()
  for (const fault of faults) {
    const field = fieldOf(fault)
    const ofField = byField.get(field)
    if (ofField) ofField.push(fault)
    else if (byField.size < most) byField.set(field, [fault])
  }
  return [...byField.values()].map((ofField) => complain(ofField, subject))
}
