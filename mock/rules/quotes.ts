import type { ByChoice } from '../../spec/assumptions.ts'
import { isIsoDate } from '../../spec/forms.ts'
import type { Schemas } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import type { Transaction } from '../core/transaction.ts'
import { refuseIf, refuseUnknown } from './refuse.ts'

type Deal = Schemas['Deal']

/** promise quote.needsAKnownDeal: a quote cannot be created from a deal that does not exist. */
export async function findDealOfQuote(dealId: string, { team, assumed }: Transaction): Promise<Deal> {
  const deal = await team.deals.get(dealId)
  return deal ?? refuseUnknown(assumed, 'quoteOfUnknownDeal', 'dealId names no deal that this team has', 'dealId')
}

/** The specification does not say which name a quote has that was created without one. */
export function nameQuote({ name }: Schemas['QuoteToCreate'], deal: Deal, { assumed }: Transaction): string {
  return name ?? (assumed.quoteNameWhenAbsent === 'dealName' ? deal.name : `Quote for ${deal.name}`)
}

/** promise quote.templateDefaultsToBasic: a quote created without a template has the template default-basic. */
export const defaultTemplate = 'default-basic'

/** The specification names no other template, and does not say whether there are any. */
export function checkQuoteTemplate(
  { template = defaultTemplate }: { template?: string },
  { assumed }: Transaction,
): void {
  if (template !== defaultTemplate)
    refuseIf(assumed, 'otherQuoteTemplate', 'refused', `template must be ${defaultTemplate}`, 'template')
}

/** promise quote.updateTakesTheFieldsOfTheExamples: a timestamp is accepted. The specification does not define other forms. */
export function checkExpirationDate({ expirationDate }: Schemas['QuoteUpdate'], { assumed }: Transaction): void {
  if (expirationDate === undefined || isTimestamp(expirationDate)) return
  expirationDateForm[assumed.expirationDateForm](expirationDate)
}

const isTimestamp = (text: string) => /T.*(Z|[+-]\d\d:\d\d)$/.test(text) && isIsoDate(text)

const expirationDateForm: ByChoice<'expirationDateForm', (text: string) => void> = {
  dateOrTimestamp: (text) => {
    if (!isIsoDate(text))
      refuse('expirationDate must be an ISO date, such as 2026-12-31 or 2026-12-31T00:00:00Z', {
        assumption: 'expirationDateForm',
        field: 'expirationDate',
      })
  },
  timestamp: () =>
    refuse('expirationDate must be an ISO 8601 timestamp, such as 2026-12-31T00:00:00Z', {
      assumption: 'expirationDateForm',
      field: 'expirationDate',
    }),
  anyString: () => undefined,
}

/** The specification does not say that a quote expires by itself. */
export function expireQuote(
  quote: Schemas['Quote'],
  fields: Schemas['QuoteUpdate'],
  { assumed, clock }: Transaction,
): Schemas['QuoteUpdate'] {
  const { status, expirationDate } = { ...quote, ...fields }
  const hasPassed = Date.parse(expirationDate ?? '') < clock.now()
  if (!hasPassed || fields.status !== undefined || !mayExpire.has(status)) return fields
  return assumed.expiredQuote === 'expired' ? { ...fields, status: 'expired' } : fields
}

const mayExpire: ReadonlySet<string> = new Set(['draft', 'sent', 'published'])
