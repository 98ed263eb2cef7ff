import { capitalize, singularOf } from '../../../../lib/text.ts'

/** A record as the control plane shows it. Its fields may have any form. */
export type AnyRecord = Readonly<Record<string, unknown>>

export type KindWithPages = 'contacts' | 'companies' | 'products' | 'deals' | 'quotes' | 'templates'

export interface Relation {
  readonly title: string
  readonly kind: KindWithPages | 'conversations'
  readonly where: Readonly<Record<string, string>>
}

interface KindOfRecord {
  /** The fields that the table shows. */
  readonly columns: readonly string[]
  readonly relations: (record: AnyRecord) => readonly Relation[]
  /** The records that a deletion removes or changes too, in words. */
  readonly loses: string
}

/** The title of the pages of a kind, the word for one record, and the operations of the API. */
export function namesOf(kind: KindWithPages) {
  const one = singularOf(kind)
  const operation = (verb: string) => verb + capitalize(one)
  return { title: capitalize(kind), one, operation }
}

/** The six kinds of records that have pages. */
export const kinds: Readonly<Record<KindWithPages, KindOfRecord>> = {
  contacts: {
    columns: ['firstName', 'lastName', 'email', 'phone', 'status', 'createdAt'],
    relations: ({ _id, company }) => [
      ...linkTo('Company', 'companies', company),
      { title: 'Companies that list it', kind: 'companies', where: { contacts: String(_id) } },
      { title: 'Deals', kind: 'deals', where: { contactId: String(_id) } },
      { title: 'Deals that list it', kind: 'deals', where: { contacts: String(_id) } },
      { title: 'Conversations', kind: 'conversations', where: { contactId: String(_id) } },
    ],
    loses: 'Its conversations with all their messages will be lost too.',
  },
  companies: {
    columns: ['name', 'domain', 'industry', 'city', 'country', 'employeeCount'],
    relations: ({ _id, contacts }) => [
      { title: 'Contacts', kind: 'contacts', where: { company: String(_id) } },
      ...linksToContacts(contacts),
      { title: 'Deals', kind: 'deals', where: { companyId: String(_id) } },
      { title: 'Deals that name it', kind: 'deals', where: { company: String(_id) } },
    ],
    loses: 'Its contacts and deals stay, and no longer name it.',
  },
  products: {
    columns: ['name', 'sku', 'unitPrice', 'unitCost', 'billingFrequency', 'productType'],
    relations: () => [],
    loses: 'No other record is lost.',
  },
  deals: {
    columns: ['name', 'stage', 'amount', 'currency', 'closeDate', 'pipeline'],
    relations: ({ _id, contactId, companyId, company, contacts }) => [
      ...linkTo('Contact', 'contacts', contactId),
      ...linksToContacts(contacts),
      ...linkTo('Company', 'companies', companyId ?? company),
      { title: 'Quotes', kind: 'quotes', where: { dealId: String(_id) } },
    ],
    loses: 'Its quotes will be lost too.',
  },
  quotes: {
    columns: ['name', 'status', 'expirationDate', 'signatureOption', 'dealId'],
    relations: ({ dealId }) => linkTo('Deal', 'deals', dealId),
    loses: 'No other record is lost.',
  },
  templates: {
    columns: ['name', 'templateType', 'status', 'uniqueName', 'category', 'language'],
    relations: () => [],
    loses: 'Messages that were sent with it stay.',
  },
}

interface FieldWords {
  /** Its name in words by default. */
  readonly title?: string
  readonly as?: 'status' | 'time' | 'longText'
  /** Of the record that the field names. */
  readonly kind?: KindWithPages
}

/** How the pages show and ask for a field. */
export function wordsOf(field: string): FieldWords & { readonly title: string } {
  const inWords = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return { title: inWords.charAt(0).toUpperCase() + inWords.slice(1), ...words[field] }
}

/** Words that the document does not have. */
const words: Readonly<Record<string, FieldWords>> = {
  billingFrequency: { title: 'Billing' },
  closeDate: { title: 'Closes' },
  commentsToBuyer: { title: 'Comments to the buyer', as: 'longText' },
  companyId: { title: 'Company' },
  contactId: { title: 'Contact' },
  content: { as: 'longText' },
  createdAt: { title: 'Created', as: 'time' },
  dealId: { title: 'Deal', kind: 'deals' },
  description: { as: 'longText' },
  email: { title: 'E-mail' },
  employeeCount: { title: 'Employees' },
  expirationDate: { title: 'Expires', as: 'time' },
  imageUrl: { title: 'Image URL' },
  logoUrl: { title: 'Logo URL' },
  notes: { as: 'longText' },
  productType: { title: 'Type' },
  purchaseTerms: { as: 'longText' },
  signatureOption: { title: 'Signature' },
  sku: { title: 'SKU' },
  stage: { as: 'status' },
  status: { as: 'status' },
  templateType: { title: 'Channel' },
  terms: { as: 'longText' },
  url: { title: 'URL' },
}

/** The record of an id, if it is one. */
function linkTo(title: string, kind: KindWithPages, id: unknown): Relation[] {
  return typeof id === 'string' && id !== '' ? [{ title, kind, where: { _id: id } }] : []
}

const linksToContacts = (ids: unknown) =>
  (Array.isArray(ids) ? ids.slice(0, 20) : []).flatMap((id) => linkTo('Listed contact', 'contacts', id))

/** In characters: longer names would fill the page. */
const longestTitle = 120

/** A name for a record of any kind. */
export function titleOf({ name, firstName, lastName, email, phone, _id }: AnyRecord): string {
  const names = [name, `${textOf(firstName)} ${textOf(lastName)}`, email, phone, _id]
  return (names.find((one) => typeof one === 'string' && one.trim() !== '') as string).trim().slice(0, longestTitle)
}

/** A field as a short text. */
export function textOf(value: unknown, longest = 300): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)} …` : text
}

/** The amount of a deal with its currency. */
export const amountOf = ({ amount, currency }: AnyRecord) =>
  `${typeof amount === 'number' ? amount.toLocaleString() : '—'} ${textOf(currency, 10)}`
