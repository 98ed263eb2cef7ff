import { type Fields, fieldsOf } from '../../client/answer.ts'
import { singleSends } from '../../../spec/operation-groups.ts'
import type { OperationId } from '../../../spec/types.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import { leads, onlyContactAt } from './contacts.ts'
import { type Law, same, saysWhether, state, type Statement } from './law.ts'

// A send returns its message, and reaches the contact that it names.

const isGiven = (value: unknown) => value !== undefined && value !== null && [value].flat().length > 0 && value !== ''
const receivers = ['conversationId', 'contactId', 'recipientId', 'recipientIds', 'to']

const isWhatWasSent: Law = {
  promises: [
    'message.keepsItsChannel',
    'message.goesToTheConversationNamed',
    'message.isOutgoing',
    'message.isSent',
    'message.needsATarget',
    'message.emailKeepsItsSubject',
    'message.onlyEmailHasASubject',
  ],
  operations: singleSends,
  judge: ({ request: { body }, answer, repeatsKey }) => {
    if (repeatsKey) return []
    const [sent, message] = [fieldsOf(body), fieldsOf(answer.fields.data)]
    return [
      ...judgeSubject(message),
      ...same('message.keepsItsChannel', sent.channel, message.channel),
      ...(isGiven(sent.conversationId)
        ? same('message.goesToTheConversationNamed', sent.conversationId, message.conversationId)
        : []),
      ...same('message.isOutgoing', 'outgoing', message.direction),
      ...same('message.isSent', 'sent', message.status),
      ...(receivers.some((name) => isGiven(sent[name]))
        ? []
        : [state('message.needsATarget', false, 'a refusal, since the request names no receiver', 'a success')]),
    ]
  },
}

/** An e-mail that came in may have no subject. */
export function judgeSubject({ channel, direction, subject }: Fields): Statement[] {
  const hasSubject = typeof subject === 'string' && subject !== ''
  if (channel === 'email' && direction === 'outgoing')
    return [state('message.emailKeepsItsSubject', hasSubject, 'an e-mail with its subject', 'no subject')]
  if (channel === 'email' || typeof channel !== 'string') return []
  return [state('message.onlyEmailHasASubject', !hasSubject, 'no subject', `a subject on the channel ${channel}`)]
}

/** A message to one address reaches the contact that has it, in its conversation. */
const reachesTheContact: Law = {
  promises: ['message.knownContactIsReached', 'message.missingContactIsMade'],
  needsAll: true,
  operations: singleSends,
  judge: ({ open, request: { body, caller, complaint }, answer, began, repeatsKey }, facts) => {
    const sent = fieldsOf(body)
    const { contactId } = fieldsOf(answer.fields.data)
    const isOpen =
      repeatsKey || complaint !== undefined || receivers.some((name) => name !== 'to' && sent[name] !== undefined)
    if (isOpen || typeof sent.to !== 'string' || typeof contactId !== 'string') return []
    const known = onlyContactAt(facts, open, sent.to)
    if (known && (known.madeBy ?? began) < began) return [leads('message.knownContactIsReached', known, contactId)]
    const found = facts.record('contact', contactId)
    if (facts.contactsAt(caller, sent.to)?.length !== 0 || found?.deletedBy !== undefined) return []
    return [
      state('message.missingContactIsMade', found === undefined, 'a new contact', `the contact ${contactId}`, {
        since: found?.madeBy,
      }),
    ]
  },
}

/** A send into a conversation, or to a contact, that was deleted is refused. */
const deletedIsNotReached: Law = {
  promises: ['conversation.createNeedsAKnownContact', 'quote.needsAKnownDeal'],
  needsAll: true,
  operations: [...singleSends, 'createConversation', 'createQuote'],
  status: 'any',
  judge: ({ request: { body, operation }, answer, began, repeatsKey }, facts) => {
    const { contactId, recipientId, dealId } = fieldsOf(body)
    const deleted = [facts.record('contact', contactId ?? recipientId), facts.record('deal', dealId)].find(
      (record) => record?.deletedBy !== undefined && record.deletedBy < began,
    )
    const promise = refusals[operation]
    if (!saysWhether(answer) || repeatsKey || !deleted || !promise) return []
    const { deletedBy } = deleted
    return [
      state(promise, !answer.succeeded, `a refusal, since the ${deleted.kind} was deleted`, answer.summary, {
        since: deletedBy,
      }),
    ]
  },
}

const refusals: Readonly<Partial<Record<OperationId, PromiseId>>> = {
  createConversation: 'conversation.createNeedsAKnownContact',
  createQuote: 'quote.needsAKnownDeal',
}

export const messages: readonly Law[] = [isWhatWasSent, reachesTheContact, deletedIsNotReached]
