import type { OperationId } from '../../spec/types.ts'
import type { Break } from './broken-copy.ts'

// What the document says of a body stands in no line of the mock, so it is broken where bodies are read.

/** A body is held to the document, but not to what this complaint says. */
export const unchecked = (complaint: string): Break => ({
  file: 'http/reading.ts',
  rule: 'refuseWith(shape.check(body))',
  instead: `const complaint = shape.check(body)\n  if (!complaint?.includes('${complaint}')) refuseWith(complaint)`,
})

/** A body of the operation becomes something else before it is held to the document. */
export const readAs = (operation: OperationId, reading: string): Break => ({
  file: 'rules/body-as-assumed.ts',
  rule: 'contactIdOnEmail[assumed.contactIdOnEmail](body),\n}',
  instead: `contactIdOnEmail[assumed.contactIdOnEmail](body),\n  ${operation}: ${reading},\n}`,
})
