import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { NotFound, refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

type Deal = Schemas['Deal']

/** promise quote.needsAKnownDeal: a quote cannot be created from a deal that does not exist. */
export async function findDealOfQuote(dealId: string, { team, assumed }: Turn): Promise<Deal> {
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
export function nameQuote({ name }: Schemas['QuoteToCreate'], deal: Deal, { assumed }: Turn): string {
  return name ?? quoteNameWhenAbsent[assumed.quoteNameWhenAbsent](deal)
}

const quoteNameWhenAbsent: ByChoice<'quoteNameWhenAbsent', (deal: Deal) => string> = {
  dealName: (deal) => deal.name,
  quoteForDeal: (deal) => `Quote for ${deal.name}`,
}
