import { fieldsOf } from '../../client/answer.ts'
import type { OperationId } from '../../spec/types.ts'
import { mapRecords } from '../../spec/voice/records.ts'
import type { Voice } from '../../spec/voice/voice.ts'

/** An answer without the additional fields that a voice knows: only their types were learned, so that values differ. */
export function withoutVoice(operation: OperationId, body: unknown, { fields = {}, meta }: Voice): unknown {
  const { data, ...envelope } = fieldsOf(body)
  if (data === undefined) return body
  const shown = mapRecords(operation, data, (record, name) => without(record, Object.keys(fields[name] ?? {})))
  return { ...(meta ? without(envelope, ['meta']) : envelope), data: shown }
}

const without = (record: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
