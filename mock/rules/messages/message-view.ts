import type { MessageRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import { document } from '../../../spec/document.ts'
import { fieldsOf } from '../../../spec/fields.ts'
import type { Schemas } from '../../../spec/types.ts'
import { merged } from '../../core/merged.ts'
import type { Turn } from '../../core/turn.ts'
import { mergeFields } from './merge-fields.ts'

type Message = Schemas['Message']

/** promise message.answersWithTheMessage: every field of a message. Whether others are shown too is not documented. */
export function shownMessage(record: MessageRecord, turn: Turn): Message {
  const { unfilled, fallback, ...sent } = record
  const message = merged(sent, { content: contentOf(record, turn) })
  return Object.keys(message).every(isShown) ? message : messageFields[turn.assumed.messageFields](message)
}

const documented = new Set(fieldsOf(document, { $ref: '#/components/schemas/Message' }))
const isShown = (field: string) => documented.has(field)

const messageFields: ByChoice<'messageFields', (message: Message) => Message> = {
  onlyShown: (message) => Object.fromEntries(Object.entries(message).filter(([field]) => isShown(field))) as Message,
  allSent: (message) => message,
}

function contentOf({ content, unfilled, fallback }: MessageRecord, { assumed }: Turn): string {
  const asChosen = (filled: string) =>
    unfilled === undefined ? filled : mergeFields[assumed.mergeFields](() => filled, unfilled)
  if (fallback === undefined) return asChosen(content)
  return templateContent[assumed.templateContent](content, () => asChosen(fallback))
}

const templateContent: ByChoice<'templateContent', (template: string, fallback: () => string) => string> = {
  filledTemplate: (template) => template,
  fallbackText: (_template, fallback) => fallback(),
}

/** The same when its history is read later. */
export function shownInHistory(record: MessageRecord, turn: Turn): Message {
  const message = shownMessage(record, turn)
  return message.status === 'sent' ? merged(message, messageStatusLater[turn.assumed.messageStatusLater]) : message
}

const messageStatusLater: ByChoice<'messageStatusLater', { status: string }> = {
  staysSent: { status: 'sent' },
  delivered: { status: 'delivered' },
}
