import type { OperationId } from '../../spec/types.ts'
import { companies } from './companies.ts'
import { contacts } from './contacts.ts'
import { conversations } from './conversations.ts'
import { deals } from './deals.ts'
import { messages } from './messages.ts'
import { products } from './products.ts'
import { quotes } from './quotes.ts'
import { templates } from './templates.ts'
import type { Row } from './row.ts'

/** Every operation. In this order no request deletes what a later one is about: a quote goes before its deal. */
export const rows: Readonly<Record<OperationId, Row>> = {
  ...conversations,
  ...messages,
  ...templates,
  ...contacts,
  ...companies,
  ...products,
  ...quotes,
  ...deals,
}
