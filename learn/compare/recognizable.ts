import { rows } from '../../client/operations/index.ts'
import type { OperationId } from '../../spec/types.ts'
import type { StepInput } from './walk.ts'

/** Whether what a request makes bears something that was made up, without which it could not be cleaned up. */
export function isRecognizable(operation: OperationId, { body, text, fields }: StepInput): boolean {
  return (
    rows[operation].makes === undefined ||
    /«(?:email|phone|spaced|name|slug) /i.test(JSON.stringify([body, text, fields]))
  )
}
