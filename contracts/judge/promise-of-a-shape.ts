import { rows } from '../../client/operations.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'

/** The promise that is broken when the document says this of a success; none when it is one about the envelope. */
export function promiseOfShape(operation: OperationId, complaint: string): PromiseId | undefined {
  if (/^(success|message|meta)\b/.test(complaint)) return undefined
  return rows[operation].shape.find(([pattern]) => pattern.test(complaint))?.[1]
}
