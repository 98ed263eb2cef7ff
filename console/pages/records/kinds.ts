/** A record as the control plane shows it. Its fields may have any form. */
export type AnyRecord = Readonly<Record<string, unknown>>

export const recordKinds = ['contacts', 'companies', 'products', 'deals', 'quotes', 'templates'] as const
export type RecordKind = (typeof recordKinds)[number]

export interface ShownField {
  readonly field: string
  readonly title: string
  readonly as?: 'number' | 'status' | 'time'
}

export interface FormField {
  readonly name: string
  readonly label: string
  readonly isNumber?: boolean
  readonly isLong?: boolean
  readonly isRequired?: boolean
  readonly choices?: readonly string[]
}

export interface Relation {
  readonly title: string
  readonly kind: RecordKind | 'conversations'
  readonly where: Readonly<Record<string, string>>
}

interface KindOfRecord {
  readonly title: string
  readonly one: string
  readonly columns: readonly ShownField[]
  readonly form: readonly FormField[]
  /** The fields of a new record where the form has others. */
  readonly formToCreate?: readonly FormField[]
  readonly operations: { readonly create: string; readonly update: string; readonly remove: string }
  readonly relations: (record: AnyRecord) => readonly Relation[]
  /** The records that a deletion removes or changes too, in words. */
  readonly loses: string
}

const at: ShownField = { field: 'createdAt', title: 'Created', as: 'time' }

const quoteStatuses = ['draft', 'published', 'sent', 'accepted', 'declined', 'expired']

/** The six kinds of records that have pages. */
export const kinds: Readonly<Record<RecordKind, KindOfRecord>> = {
  contacts: {
    title: 'Contacts',
    one: 'contact',
    columns: [
      { field: 'firstName', title: 'First name' },
      { field: 'lastName', title: 'Last name' },
      { field: 'email', title: 'E-mail' },
      { field: 'phone', title: 'Phone' },
      { field: 'status', title: 'Status', as: 'status' },
      at,
    ],
    form: [
      { name: 'firstName', label: 'First name', isRequired: true },
      { name: 'lastName', label: 'Last name', isRequired: true },
      { name: 'email', label: 'E-mail' },
      { name: 'phone', label: 'Phone' },
      { name: 'company', label: 'Company (id)' },
      { name: 'status', label: 'Status' },
      { name: 'lifecycleStage', label: 'Lifecycle stage' },
    ],
    operations: { create: 'createContact', update: 'updateContact', remove: 'deleteContact' },
    relations: ({ _id, company }) => [
      ...one('Company', 'companies', company),
      { title: 'Companies that list it', kind: 'companies', where: { contacts: String(_id) } },
      { title: 'Deals', kind: 'deals', where: { contactId: String(_id) } },
      { title: 'Deals that list it', kind: 'deals', where: { contacts: String(_id) } },
      { title: 'Conversations', kind: 'conversations', where: { contactId: String(_id) } },
    ],
    loses: 'Its conversations with all their messages will be lost too.',
  },
  companies: {
    title: 'Companies',
    one: 'company',
    columns: [
      { field: 'name', title: 'Name' },
      { field: 'domain', title: 'Domain' },
      { field: 'industry', title: 'Industry' },
      { field: 'city', title: 'City' },
      { field: 'country', title: 'Country' },
      { field: 'employeeCount', title: 'Employees', as: 'number' },
    ],
    form: [
      { name: 'name', label: 'Name', isRequired: true },
      { name: 'domain', label: 'Domain' },
      { name: 'industry', label: 'Industry' },
      { name: 'email', label: 'E-mail' },
      { name: 'phone', label: 'Phone' },
      { name: 'address', label: 'Address' },
      { name: 'city', label: 'City' },
      { name: 'country', label: 'Country' },
      { name: 'employeeCount', label: 'Employees', isNumber: true },
      { name: 'annualRevenue', label: 'Annual revenue', isNumber: true },
    ],
    operations: { create: 'createCompany', update: 'updateCompany', remove: 'deleteCompany' },
    relations: ({ _id, contacts }) => [
      { title: 'Contacts', kind: 'contacts', where: { company: String(_id) } },
      ...(Array.isArray(contacts) ? contacts.slice(0, 20) : []).flatMap((id) => one('Listed contact', 'contacts', id)),
      { title: 'Deals', kind: 'deals', where: { companyId: String(_id) } },
      { title: 'Deals that name it', kind: 'deals', where: { company: String(_id) } },
    ],
    loses: 'Its contacts and deals stay, and no longer name it.',
  },
  products: {
    title: 'Products',
    one: 'product',
    columns: [
      { field: 'name', title: 'Name' },
      { field: 'sku', title: 'SKU' },
      { field: 'unitPrice', title: 'Unit price', as: 'number' },
      { field: 'currency', title: 'Currency' },
      { field: 'billingFrequency', title: 'Billing' },
      { field: 'productType', title: 'Type' },
    ],
    form: [
      { name: 'name', label: 'Name', isRequired: true },
      { name: 'unitPrice', label: 'Unit price', isNumber: true, isRequired: true },
      { name: 'currency', label: 'Currency' },
      { name: 'sku', label: 'SKU' },
      { name: 'billingFrequency', label: 'Billing frequency, such as monthly' },
      { name: 'productType', label: 'Type' },
      { name: 'description', label: 'Description', isLong: true },
    ],
    operations: { create: 'createProduct', update: 'updateProduct', remove: 'deleteProduct' },
    relations: () => [],
    loses: 'No other record is lost.',
  },
  deals: {
    title: 'Deals',
    one: 'deal',
    columns: [
      { field: 'name', title: 'Name' },
      { field: 'stage', title: 'Stage', as: 'status' },
      { field: 'amount', title: 'Amount', as: 'number' },
      { field: 'currency', title: 'Currency' },
      { field: 'closeDate', title: 'Closes' },
      { field: 'pipeline', title: 'Pipeline' },
    ],
    form: [
      { name: 'name', label: 'Name', isRequired: true },
      { name: 'pipeline', label: 'Pipeline', isRequired: true },
      { name: 'stage', label: 'Stage', isRequired: true },
      { name: 'amount', label: 'Amount', isNumber: true },
      { name: 'currency', label: 'Currency' },
      { name: 'closeDate', label: 'Close date, such as 2026-06-30' },
      { name: 'contactId', label: 'Contact (id)' },
      { name: 'companyId', label: 'Company (id)' },
      { name: 'description', label: 'Description', isLong: true },
    ],
    operations: { create: 'createDeal', update: 'updateDeal', remove: 'deleteDeal' },
    relations: ({ _id, contactId, companyId, company, contacts }) => [
      ...one('Contact', 'contacts', contactId),
      ...(Array.isArray(contacts) ? contacts.slice(0, 20) : []).flatMap((id) => one('Listed contact', 'contacts', id)),
      ...one('Company', 'companies', companyId ?? company),
      { title: 'Quotes', kind: 'quotes', where: { dealId: String(_id) } },
    ],
    loses: 'Its quotes will be lost too.',
  },
  quotes: {
    title: 'Quotes',
    one: 'quote',
    columns: [
      { field: 'name', title: 'Name' },
      { field: 'status', title: 'Status', as: 'status' },
      { field: 'expirationDate', title: 'Expires', as: 'time' },
      { field: 'signatureOption', title: 'Signature' },
      { field: 'dealId', title: 'Deal' },
    ],
    form: [
      { name: 'name', label: 'Name' },
      { name: 'status', label: 'Status', choices: quoteStatuses },
      { name: 'expirationDate', label: 'Expires, such as 2026-12-31T00:00:00.000Z' },
      { name: 'signatureOption', label: 'Signature', choices: ['no-signature', 'written-signature'] },
      { name: 'terms', label: 'Terms', isLong: true },
      { name: 'purchaseTerms', label: 'Purchase terms', isLong: true },
      { name: 'commentsToBuyer', label: 'Comments to the buyer', isLong: true },
      { name: 'notes', label: 'Notes', isLong: true },
    ],
    formToCreate: [
      { name: 'dealId', label: 'Deal (id)', isRequired: true },
      { name: 'name', label: 'Name' },
      { name: 'template', label: 'Template, such as default-basic' },
    ],
    operations: { create: 'createQuote', update: 'updateQuote', remove: 'deleteQuote' },
    relations: ({ dealId }) => one('Deal', 'deals', dealId),
    loses: 'No other record is lost.',
  },
  templates: {
    title: 'Templates',
    one: 'template',
    columns: [
      { field: 'name', title: 'Name' },
      { field: 'templateType', title: 'Channel' },
      { field: 'status', title: 'Status', as: 'status' },
      { field: 'uniqueName', title: 'Unique name' },
      { field: 'category', title: 'Category' },
      { field: 'language', title: 'Language' },
    ],
    form: [
      { name: 'name', label: 'Name' },
      { name: 'content', label: 'Content', isLong: true },
    ],
    formToCreate: [
      { name: 'templateType', label: 'Channel', choices: ['sms', 'email', 'whatsapp'], isRequired: true },
      { name: 'name', label: 'Name', isRequired: true },
      { name: 'uniqueName', label: 'Unique name', isRequired: true },
      { name: 'provider', label: 'Provider (id)', isRequired: true },
      { name: 'subject', label: 'Subject of an e-mail' },
      { name: 'category', label: 'Category, such as UTILITY' },
      { name: 'language', label: 'Language, such as en' },
      { name: 'content', label: 'Content', isLong: true, isRequired: true },
    ],
    operations: { create: 'createTemplate', update: 'updateTemplate', remove: 'deleteTemplate' },
    relations: () => [],
    loses: 'Messages that were sent with it stay.',
  },
}

/** The record of an id, if it is one. */
function one(title: string, kind: RecordKind, id: unknown): Relation[] {
  return typeof id === 'string' && id !== '' ? [{ title, kind, where: { _id: id } }] : []
}

/** In characters: longer names would fill the page. */
const longestTitle = 120

/** A name for a record of any kind. */
export function titleOf({ name, firstName, lastName, _id }: AnyRecord): string {
  const words = typeof name === 'string' ? [name] : [firstName, lastName].filter((one) => typeof one === 'string')
  return (words.join(' ').trim() || String(_id)).slice(0, longestTitle)
}

/** A field as a short text. */
export function textOf(value: unknown, longest = 300): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)} …` : text
}

export const hrefOf = (team: string, kind: string, id = '') =>
  `/console/${encodeURIComponent(team)}/${kind === 'conversations' ? 'inbox' : kind}${id && `/${encodeURIComponent(id)}`}`
