import { document } from '../document.ts'
import { fieldsOf } from '../fields.ts'
import { once } from '../../shared/once.ts'
import type { OperationId } from '../types.ts'

/** The kinds of records that answers show. */
export const recordNames = [
  'contacts',
  'conversations',
  'messages',
  'templates',
  'companies',
  'products',
  'deals',
  'quotes',
] as const
export type RecordName = (typeof recordNames)[number]

/** The records in the data of each operation that shows some. */
const shown: Readonly<Partial<Record<OperationId, RecordName>>> = {
  findOrCreateConversation: 'conversations',
  createContactWithConversation: 'conversations',
  createConversation: 'conversations',
  getConversation: 'conversations',
  listConversationsOfContact: 'conversations',
  listMessages: 'messages',
  sendLiveMessage: 'messages',
  sendEmailMessage: 'messages',
  sendMessage: 'messages',
  listTemplates: 'templates',
  getTemplate: 'templates',
  createTemplate: 'templates',
  updateTemplate: 'templates',
  createContact: 'contacts',
  updateContact: 'contacts',
  deleteContact: 'contacts',
  createOrUpdateContact: 'contacts',
  createCompany: 'companies',
  updateCompany: 'companies',
  createProduct: 'products',
  updateProduct: 'products',
  createDeal: 'deals',
  updateDeal: 'deals',
  createQuote: 'quotes',
  updateQuote: 'quotes',
}

export type Fields = Readonly<Record<string, unknown>>

/** The data of an answer, with each of its records as `change` returns it. */
export function mapRecords(
  id: OperationId,
  data: unknown,
  change: (record: Fields, name: RecordName) => Fields,
): unknown {
  const name = shown[id]
  if (name === undefined) return data
  const changed = (value: unknown) => (isFields(value) ? change(value, name) : value)
  if (!Array.isArray(data)) return changed(data)
  return id === 'listMessages' ? data.map((day) => withMessages(day, changed)) : data.map(changed)
}

function withMessages(day: unknown, changed: (message: unknown) => unknown): unknown {
  if (!isFields(day) || !Array.isArray(day.messages)) return day
  return { ...day, messages: day.messages.map(changed) }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const schemas: Readonly<Record<RecordName, readonly string[]>> = {
  contacts: ['Contact', 'ContactToCreate', 'ContactUpdate'],
  conversations: ['Conversation'],
  messages: ['Message', 'LiveMessage', 'EmailMessage', 'PhoneMessage'],
  templates: ['Template', 'SmsTemplateToCreate', 'EmailTemplateToCreate', 'WhatsappTemplateToCreate'],
  companies: ['Company'],
  products: ['Product'],
  deals: ['Deal'],
  quotes: ['Quote', 'QuoteToCreate'],
}

const documented = once(
  () =>
    new Map(
      recordNames.map((name) => {
        const refs = schemas[name].map((schema) => ({ $ref: `#/components/schemas/${schema}` }))
        return [name, new Set(['teamId', ...refs.flatMap((ref) => fieldsOf(document, ref))])]
      }),
    ),
)

/** Whether the specification knows this field of a record, as one that is shown or as one that can be sent. */
export const isDocumented = (name: RecordName, field: string) => documented().get(name)?.has(field) ?? false
