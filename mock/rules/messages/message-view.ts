import type { MessageRecord } from '../../../fixtures/records.ts'
import { document, fieldsOf } from '../../../spec/document.ts'
import type { Schemas } from '../../../spec/types.ts'
import { merge } from '../../../lib/json.ts'
import type { Transaction } from '../../core/transaction.ts'

type Message = Schemas['Message']

/**
 * promise message.answersWithTheMessage: a send responds with the message and all of its fields. The
 * specification does not say whether a response shows other fields of the request.
 */
export function showMessage(record: MessageRecord, tx: Transaction): Message {
  const { unfilled, fallback, failure, ...sent } = record
  const message = merge(sent, { content: chooseContent(record, tx) })
  if (Object.keys(message).every(isDocumented) || tx.assumed.messageFields === 'allSent') return message
  return Object.fromEntries(Object.entries(message).filter(([field]) => isDocumented(field))) as Message
}

const documentedFields = new Set(fieldsOf(document, { $ref: '#/components/schemas/Message' }))
const isDocumented = (field: string) => documentedFields.has(field)

function chooseContent({ content, unfilled, fallback }: MessageRecord, { assumed }: Transaction): string {
  const choose = (filled: string) => (unfilled === undefined || assumed.mergeFields === 'rendered' ? filled : unfilled)
  if (fallback === undefined) return choose(content)
  return assumed.templateContent === 'filledTemplate' ? content : choose(fallback)
}

/** The specification does not say whether the status of a message changes after the send. */
export function showMessageInHistory(record: MessageRecord, tx: Transaction): Message {
  const message = showMessage(record, tx)
  if (message.status !== 'sent') return message
  if (hasFailed(record, tx)) return merge(message, { status: 'failed' })
  return tx.assumed.messageStatusLater === 'delivered' ? merge(message, { status: 'delivered' }) : message
}

/** Whether a message that may not be delivered shows as failed. */
function hasFailed({ failure }: MessageRecord, { assumed }: Transaction): boolean {
  if (failure === 'outsideSession') return assumed.whatsappOutsideSession === 'failed'
  // A convention of the sandbox: there is no country with the code 999.
  return failure === 'noSuchNumber'
}
