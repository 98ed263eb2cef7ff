import type { Complaint } from './explain.ts'
import { type PromiseEntry, type PromiseId, promises } from './promises.ts'
import type { OperationId } from './types.ts'

/** The requirement that a request with this fault violates, if any; a usual one if some servers could read the value. */
export function promiseOfFault(operation: OperationId, fault: Fault, body?: unknown): PromiseId | undefined {
  const field = fault.field.replaceAll(/\[\d+\]/g, '') // `attachments.mediaType` of `attachments[0].mediaType`
  const sent = (body ?? {}) as Fields
  const violated = refusalsFor[fault.kind].filter(
    ({ operations, fields, templateType = sent.templateType }) =>
      operations !== 'all' &&
      operations.includes(operation) &&
      templateType === sent.templateType &&
      (fields === undefined || fields.includes(field)),
  )
  const isReadable = /^[\d\s().-]+$/.test(String(sent[field]))
  return (isReadable ? violated.find(({ strength }) => strength === 'usual') : undefined)?.id ?? violated[0]?.id
}

type Fault = Pick<Complaint, 'kind' | 'field'>

type Fields = Readonly<Record<string, unknown>>

const requirementsOf = (kind: PromiseEntry['kind']) => promises.filter((entry) => entry.kind === kind)

const value = requirementsOf('value')

/** The requirements that a fault can violate, by its kind. */
const refusalsFor: Readonly<Record<Fault['kind'], readonly PromiseEntry[]>> = {
  missing: requirementsOf('missing'),
  unlisted: requirementsOf('unlisted'),
  type: value,
  value,
}
