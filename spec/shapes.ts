import type { ValidateFunction } from 'ajv/dist/2020.js'
import { once } from '../shared/once.ts'
import type { Document, Schema } from './document.ts'
import { complain, type Complaint, type Fault, fieldOf, strayField, type Subject } from './explain.ts'
import { fieldsFor } from './fields.ts'
import { type Source, validatorOf } from './validators.ts'

export type { Complaint } from './explain.ts'
export type { Source } from './validators.ts'

/** One sentence when the value is not as documented; `undefined` when it is. */
export type Check = (value: unknown) => string | undefined

/** The checks of a schema. Each is compiled on first use. */
export interface Shape {
  check: Check
  /** As `check`, and says which field it is about. */
  complaint: (value: unknown) => Complaint | undefined
  /** As `check`, and a field that is not documented is refused too. */
  closed: Check
  /** A complaint for each faulty field of a value that `closed` refuses. */
  faults: (value: unknown, most?: number) => Complaint[]
  /** The fields that are not documented, such as `data.owner`, of a value that passes `check`. */
  unlisted: (value: unknown) => string[]
  /** The documented top-level fields; with a discriminator, the fields of the selected branch. */
  listed: (value: unknown) => ReadonlySet<string>
}

export type ShapeOf = (schema: Schema, source: Source, subject: Subject) => Shape

export function shapesOf(document: Document): ShapeOf {
  return (schema, source, subject) => {
    const everyFault = once(() => validatorOf(document, schema, source, 'thorough'))
    const listed = once(() => fieldsFor(document, schema))
    const complaint = createComplaint(() => validatorOf(document, schema, source, 'open'), subject)
    const closed = createComplaint(() => validatorOf(document, schema, source, 'closed'), subject)
    return {
      check: (value) => complaint(value)?.sentence,
      complaint,
      closed: (value) => closed(value)?.sentence,
      faults: (value, most) => complainOfEach(everyFault(), value, subject, most),
      unlisted: (value) => strays(everyFault(), value),
      listed: (value) => listed()(value),
    }
  }
}

function createComplaint(compile: () => ValidateFunction, subject: Subject): Shape['complaint'] {
  const compiled = once(compile)
  return (value) => {
    const validate = compiled()
    return validate(value) ? undefined : complain(validate.errors ?? [], subject)
  }
}

function strays(validate: ValidateFunction, value: unknown): string[] {
  validate(value)
  return (validate.errors ?? []).filter((fault) => strayField(fault) !== undefined).map(fieldOf)
}

function complainOfEach(validate: ValidateFunction, value: unknown, subject: Subject, most = Infinity): Complaint[] {
  validate(value)
  const byField = new Map<string, Fault[]>()
  for (const fault of validate.errors ?? []) {
    const field = fieldOf(fault)
    const faults = byField.get(field)
    if (faults) faults.push(fault)
    else if (byField.size < most) byField.set(field, [fault])
  }
  return [...byField.values()].map((faults) => complain(faults, subject))
}
