import { allOf, type Awaitable, andThen } from '../../lib/async.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { isEmailAddress } from '../../spec/forms.ts'
import type { Schemas } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import type { Transaction } from '../core/transaction.ts'
import { refuseIf } from './refuse.ts'

/** Texts of a record that are an address of some kind. */
interface Addresses {
  readonly email?: string | undefined
  readonly domain?: string | undefined
  readonly logoUrl?: string | undefined
  readonly imageUrl?: string | undefined
  readonly url?: string | undefined
}

/** The specification calls these fields strings, without a format. */
export function checkTextForms({ email, domain, logoUrl, imageUrl, url }: Addresses, { assumed }: Transaction): void {
  const odd = Object.entries({ email, domain, logoUrl, imageUrl, url }).find(
    ([field, text]) => text !== undefined && !(isValid[field] ?? isUrl)(text),
  )
  if (!odd) return
  const sentence = `${odd[0]} must be ${words[odd[0]] ?? 'a URL, such as https://example.com'}`
  refuseIf(assumed, 'recordTextForms', 'checked', sentence, odd[0])
}

const isUrl = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)
const isDomain = (text: string) => text.length <= 253 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)

const isValid: Readonly<Record<string, (text: string) => boolean>> = { email: isEmailAddress, domain: isDomain }

const words: Readonly<Record<string, string>> = {
  email: 'an e-mail address, such as ada@example.com',
  domain: 'a domain, such as example.com',
}

interface WithStatus {
  readonly status?: string
}

/**
 * promise quote.anyStatusMayFollow: an update may set any status, whatever the status before. The specification also
 * says that transitions are not shown.
 */
export function checkStatusMove(
  { status: from = '' }: WithStatus,
  { status: to = '' }: WithStatus,
  tx: Transaction,
): void {
  if ((stepOf[to] ?? Infinity) < (stepOf[from] ?? 0))
    refuseIf(tx.assumed, 'statusMoves', 'forwardOnly', `status cannot go back from ${from} to ${to}`, 'status')
}

/** How far along a contact or a quote is. */
const stepOf: Readonly<Record<string, number>> = {
  ...{ open: 0, 'in-progress': 1, closed: 2 },
  ...{ draft: 0, sent: 1, published: 1, accepted: 2, declined: 2, expired: 2 },
}

/** The specification gives prices and amounts no lower bound. */
export function checkNotNegative(
  numbers: Readonly<Record<string, number | undefined>>,
  { assumed }: Transaction,
): void {
  for (const [field, number = 0] of Object.entries(numbers)) {
    if (number < 0) refuseIf(assumed, 'numberRange', 'refused', `${field} must be at least 0`, field)
  }
}

type CustomFields = Schemas['AdditionalFields']

/** The specification does not say whether the key of a custom field must be defined before it is used. */
export function acceptCustomFields<F extends { additionalFields?: CustomFields }>(fields: F, tx: Transaction): F {
  const { additionalFields } = fields
  if (additionalFields === undefined) return fields
  const { customFields: defined } = tx.team
  const strange = Object.keys(additionalFields).find((key) => !defined.has(key))
  if (strange === undefined) return fields
  const accepted = undefinedCustomField[tx.assumed.undefinedCustomField](additionalFields, defined, strange)
  return { ...fields, additionalFields: accepted }
}

type Accept = (sent: CustomFields, defined: ReadonlySet<string>, strange: string) => CustomFields

const undefinedCustomField: ByChoice<'undefinedCustomField', Accept> = {
  stored: (sent) => sent,
  dropped: (sent, defined) => Object.fromEntries(Object.entries(sent).filter(([key]) => defined.has(key))),
  refused: (_sent, _defined, strange) =>
    refuse(`additionalFields has no field ${strange.slice(0, 60)} in this team`, {
      assumption: 'undefinedCustomField',
      field: 'additionalFields',
    }),
}

/** The specification does not say that an sku or a domain is unique. A record that keeps its own is no second one. */
export async function checkUnique<Field extends 'sku' | 'domain'>(
  field: Field,
  sent: Readonly<Partial<Record<Field, string>>>,
  { team, assumed }: Transaction,
  record?: Readonly<Partial<Record<Field, string>>>,
): Promise<void> {
  const value = sent[field]
  if (value === undefined || value === record?.[field]) return
  const [count, noun] =
    field === 'sku'
      ? [await team.products.count('sku', [value]), 'product']
      : [await team.companies.count('domain', [value]), 'company']
  if (count > 0)
    refuseIf(assumed, 'sameRecordTwice', 'refused', `${field} is already that of a ${noun} of this team`, field)
}

/** The id or the ids in a field, and where they are looked up: records, or ids of the team. */
type Reference = readonly [field: string, ids: string | readonly string[] | undefined, known: Known]
type Known = ReadonlySet<string> | { getMany(ids: readonly string[]): Awaitable<readonly unknown[]> }

/** The first field that holds an id which this team does not have. */
export function findMissingReference(references: readonly Reference[]): Awaitable<string | undefined> {
  return andThen(allOf(references.map(isKnown)), (areKnown) => references[areKnown.indexOf(false)]?.[0])
}

function isKnown([, ids, known]: Reference): Awaitable<boolean> {
  if (ids === undefined || ids.length === 0) return ids !== ''
  const list = typeof ids === 'string' ? [ids] : ids
  if ('getMany' in known) return andThen(known.getMany(list), (found) => found.length === list.length)
  return list.every((id) => known.has(id))
}

/** The specification does not say whether the groups and the company of a contact must exist. */
export function checkContactReferences(
  { groupIds, company }: Pick<Schemas['Contact'], 'groupIds' | 'company'>,
  tx: Transaction,
): Awaitable<void> {
  const { groups, companies } = tx.team
  if (groupIds?.some((id) => !groups.has(id))) refuseMissing('groupIds', tx)
  return company === undefined ? undefined : checkReferences([['company', company, companies]], tx)
}

/** Nor does the specification say so of the contacts of a company. */
export function checkCompanyReferences({ contacts }: Schemas['CompanyFields'], tx: Transaction): Awaitable<void> {
  return checkReferences([['contacts', contacts, tx.team.contacts]], tx)
}

function checkReferences(references: readonly Reference[], tx: Transaction): Awaitable<void> {
  return andThen(findMissingReference(references), (field) => {
    if (field !== undefined) refuseMissing(field, tx)
  })
}

function refuseMissing(field: string, { assumed }: Transaction): void {
  refuseIf(assumed, 'contactReferences', 'refused', `${field} must hold nothing but ids that this team has`, field)
}
