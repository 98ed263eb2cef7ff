import type { ByChoice } from '../../../spec/assumptions.ts'
import { isIsoDate } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import { NotFound, refuse } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'

type Deal = Schemas['Deal']

/** promise quote.needsAKnownDeal: a quote cannot be created from a deal that does not exist. */
export async function findDealOfQuote(dealId: string, { team, assumed }: Transaction): Promise<Deal> {
  return (await team.deals.get(dealId)) ?? quoteOfUnknownDeal[assumed.quoteOfUnknownDeal]()
}

const quoteOfUnknownDeal: ByChoice<'quoteOfUnknownDeal', () => never> = {
  notFound: () => {
    throw new NotFound({ assumption: 'quoteOfUnknownDeal', field: 'dealId' })
  },
  badRequest: () =>
    refuse('dealId names no deal that this team has', { assumption: 'quoteOfUnknownDeal', field: 'dealId' }),
}

/** The specification does not say how a quote is named that is created without a name. */
export function nameQuote({ name }: Schemas['QuoteToCreate'], deal: Deal, { assumed }: Transaction): string {
  return name ?? quoteNameWhenAbsent[assumed.quoteNameWhenAbsent](deal)
}

const quoteNameWhenAbsent: ByChoice<'quoteNameWhenAbsent', (deal: Deal) => string> = {
  dealName: (deal) => deal.name,
  quoteForDeal: (deal) => `Quote for ${deal.name}`,
}

/** promise quote.templateDefaultsToBasic: a quote created without a template has the template default-basic. */
export const defaultTemplate = 'default-basic'

/** The specification names no other template, and does not say whether there are any. */
export function checkQuoteTemplate(
  { template = defaultTemplate }: { template?: string },
  { assumed }: Transaction,
): void {
  if (template !== defaultTemplate) otherQuoteTemplate[assumed.otherQuoteTemplate]()
}

const otherQuoteTemplate: ByChoice<'otherQuoteTemplate', () => void> = {
  accepted: () => undefined,
  refused: () => refuse(`template must be ${defaultTemplate}`, { assumption: 'otherQuoteTemplate', field: 'template' }),
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
