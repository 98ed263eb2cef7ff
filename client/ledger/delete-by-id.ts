import type { OperationId } from '../../spec/types.ts'
import { fieldsOf } from '../answer.ts'
import type { Client } from '../client.ts'
import { kinds, pathTo } from '../operations/index.ts'
import type { Input } from '../request.ts'
import type { Entry } from './read-ledger.ts'

/** Calls with the credential of the caller that created the record. */
export type Call = (operation: OperationId, input: Input) => ReturnType<Client['call']>

export async function deleteById(
  { kind }: Pick<Entry, 'kind'>,
  id: string,
  call: Call,
): Promise<{ problem?: string; wasKnown: boolean }> {
  const answer = await call(kinds[kind].deletedBy, pathTo(kind, id))
  const isGone = answer.succeeded || answer.status === 404
  return isGone ? { wasKnown: answer.succeeded } : { problem: answer.summary, wasKnown: true }
}

export function idOf(record: unknown): string | undefined {
  const { _id } = fieldsOf(record)
  return typeof _id === 'string' ? _id : undefined
}
