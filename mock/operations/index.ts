import type { Operations } from '../operation.ts'
import { bulkMessages } from './bulk-messages.ts'
import { contacts } from './contacts.ts'
import { conversations } from './conversations.ts'
import { messages } from './messages.ts'
import { templates } from './templates.ts'
import { companies } from './companies.ts'
import { products } from './products.ts'
import { deals } from './deals.ts'
import { quotes } from './quotes.ts'

/** Every operation of the document. The compiler asks for one that is missing. */
export const operations: Operations = {
  ...bulkMessages,
  ...contacts,
  ...conversations,
  ...messages,
  ...templates,
  ...companies,
  ...products,
  ...deals,
  ...quotes,
}
