import type { MessageRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import { document } from '../../../spec/document.ts'
import { fieldsOf } from '../../../spec/fields.ts'
import type { Schemas } from '../../../spec/types.ts'
import { merge } from '../../core/team.ts'
import type { Transaction } from '../../core/transaction.ts'
import { hasFailed } from './message-failure.ts'
import { mergeFields } from './merge-fields.ts'

type Message = Schemas['Message']

/**
 * promise message.answersWithTheMessage: a send answers with the message, and every field of a message is there. The
 * specification does not say whether a response shows other fields of the request.
 */
export function showMessage(record: MessageRecord, tx: Transaction): Message {
  const { unfilled, fallback, failure, ...sent } = record
  const message = merge(sent, { content: chooseContent(record, tx) })
  return Object.keys(message).every(isDocumented) ? message : messageFields[tx.assumed.messageFields](message)
}

const documentedFields = new Set(fieldsOf(document, { $ref: '#/components/schemas/Message' }))
const isDocumented = (field: string) => documentedFields.has(field)

const messageFields: ByChoice<'messageFields', (message: Message) => Message> = {
  onlyShown: (message) =>
    Object.fromEntries(Object.entries(message).filter(([field]) => isDocumented(field))) as Message,
  allSent: (message) => message,
}

function chooseContent({ content, unfilled, fallback }: MessageRecord, { assumed }: Transaction): string {
  const choose = (filled: string) =>
    unfilled === undefined ? filled : mergeFields[assumed.mergeFields](() => filled, unfilled)
  if (fallback === undefined) return choose(content)
  return templateContent[assumed.templateContent](content, () => choose(fallback))
}

const templateContent: ByChoice<'templateContent', (template: string, fallback: () => string) => string> = {
  filledTemplate: (template) => template,
  fallbackText: (_template, fallback) => fallback(),
}

/** The specification does not say whether the status of a message changes after the send. */
export function showMessageInHistory(record: MessageRecord, tx: Transaction): Message {
  const message = showMessage(record, tx)
  if (message.status !== 'sent') return message
  return merge(
    message,
    hasFailed(record, tx) ? { status: 'failed' } : messageStatusLater[tx.assumed.messageStatusLater],
  )
}

const messageStatusLater: ByChoice<'messageStatusLater', { status: string }> = {
  staysSent: { status: 'sent' },
  delivered: { status: 'delivered' },
}
