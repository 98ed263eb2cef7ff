import type { PromiseId } from '../../spec/promises.ts'
import type { Break } from './broken-places.ts'
import { access } from './rules/access.ts'
import { bulkMessagesAndHistory } from './rules/bulk-messages-and-history.ts'
import { companies } from './rules/companies.ts'
import { contacts } from './rules/contacts.ts'
import { conversations } from './rules/conversations.ts'
import { deals } from './rules/deals.ts'
import { envelope } from './rules/envelope.ts'
import { errors } from './rules/errors.ts'
import { messages } from './rules/messages.ts'
import { products } from './rules/products.ts'
import { quotes } from './rules/quotes.ts'
import { templates } from './rules/templates.ts'

/** For each promise one rule of the mock, broken so that the promise does not hold. */
export const brokenRules = {
  ...contacts,
  ...conversations,
  ...messages,
  ...bulkMessagesAndHistory,
  ...templates,
  ...companies,
  ...products,
  ...deals,
  ...quotes,
  ...access,
  ...envelope,
  ...errors,
} satisfies Record<PromiseId, Break>
