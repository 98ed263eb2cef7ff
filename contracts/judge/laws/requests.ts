import { namesRecord } from '../../client/kinds.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import type { Facts } from '../facts.ts'
import { type Seen, state, type Statement } from './law.ts'

/** A server refuses what the document does not allow, and finds what a request needs no record for. */
export function judgeRefusal({ request, answer }: Seen, facts: Facts): Statement[] {
  const { operation, path, query, body, complaint } = request
  const { succeeded, status } = answer
  const refusedBy = complaint?.refusedBy
  const actual = String(status)
  if (refusedBy !== undefined && (succeeded || status === 400 || status === 500)) {
    const expected = `a refusal, since ${complaint?.sentence ?? ''}`
    return [state(refusedBy, status === 400, expected, actual, { mayLag: status === 500 })]
  }
  if (status !== 404 || Object.keys(path).length > 0) return []
  if (namesRecord(body) && !(complaint && facts.taken.namesKnown(request))) return []
  const broken = complaint ? refusedBy : (foundPromises[operation] ?? 'envelope.pathsAreFixed')
  // A server may answer 404 to an e-mail address that no contact has, and to a page beyond the last.
  const isOpen = operation === 'deleteContactsByEmail' || (query.page !== undefined && query.page !== '1')
  if (broken === undefined || isOpen) return []
  return [state(broken, false, complaint ? '400' : 'no 404, as the request names no record', actual)]
}

const foundPromises: Readonly<Partial<Record<OperationId, PromiseId>>> = {
  findOrCreateConversation: 'conversation.missingContactIsMade',
  createContactWithConversation: 'conversation.missingContactIsMade',
  createOrUpdateContact: 'contact.upsertCreates',
}
