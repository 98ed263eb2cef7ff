import type { ValidateFunction } from 'ajv/dist/2020.js'
import { once } from '../shared/once.ts'
import type { Document, Schema } from './document.ts'
import { complain, type Complaint, fieldOf, strayField, type Subject } from './explain.ts'
import { fieldsFor } from './fields.ts'
import { type Source, validatorsOf } from './validators.ts'

export type { Complaint } from './explain.ts'
export type { Source } from './validators.ts'

/** One sentence when the value is not as documented; `undefined` when it is. */
export type Check = (value: unknown) => string | undefined

/** What a value must look like. Nothing is compiled before it is first asked. */
export interface Shape {
  check: Check
  /** As `check`, and says which field it is about. */
  complaint: (value: unknown) => Complaint | undefined
  /** As `check`, and a field that is not documented is refused too. */
  closed: Check
  /** What is wrong with each field at fault, of a value that `closed` refuses. */
  faults: (value: unknown) => Complaint[]
  /** The fields that are not documented, such as `data.owner`, of a value that passes `check`. */
  unlisted: (value: unknown) => string[]
  /** The fields that are documented at the top; where a tag chooses a branch, those of the branch. */
  listed: (value: unknown) => ReadonlySet<string>
}

export type ShapeOf = (schema: Schema, source: Source, subject: Subject) => Shape

export function shapesOf(document: Document): ShapeOf {
  const validators = validatorsOf(document)

  return (schema, source, subject) => {
    const everyFault = once(() => validators.of(schema, source, 'thorough'))
    const listed = once(() => fieldsFor(document, schema))
    const complaint = createComplaint(() => validators.of(schema, source, 'open'), subject)
    const closed = createComplaint(() => validators.of(schema, source, 'closed'), subject)
    return {
      check: (value) => complaint(value)?.sentence,
      complaint,
      closed: (value) => closed(value)?.sentence,
      faults: (value) => complainOfEach(everyFault(), value, subject),
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

function complainOfEach(validate: ValidateFunction, value: unknown, subject: Subject): Complaint[] {
  validate(value)
  const faults = validate.errors ?? []
  const fields = new Set(faults.map(fieldOf))
  return [...fields].map((field) =>
    complain(
      faults.filter((fault) => fieldOf(fault) === field),
      subject,
    ),
  )
}
