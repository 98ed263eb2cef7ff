import type { Operations } from '../core/operation.ts'
import { companies } from './companies.ts'
import { contacts } from './contacts.ts'
import { conversations } from './conversations.ts'
import { deals } from './deals.ts'
import { messages } from './messages.ts'
import { products } from './products.ts'
import { quotes } from './quotes.ts'
import { templates } from './templates.ts'

/** Every operation of the document. The compiler asks for one that is missing. */
export const operations: Operations = {
  ...contacts,
  ...conversations,
  ...messages,
  ...templates,
  ...companies,
  ...products,
  ...deals,
  ...quotes,
}
