import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Operations } from '../operation.ts'
import { created, done, NotFound, refuse } from '../replies.ts'
import { deleted } from '../rules/deletion.ts'
import { found } from '../rules/found.ts'
import { afterUpdate, shown } from '../rules/record-shown.ts'
import { updated } from '../rules/update-of-a-record.ts'
import type { Team } from '../team.ts'

/** promise quote.templateDefaultsToBasic: the template of a quote that names none. */
const basicTemplate = 'default-basic'

export const quotes: Pick<Operations, 'createQuote' | 'updateQuote' | 'deleteQuote'> = {
  /** promise quote.startsAsDraft: a quote is made from a deal that is there, and starts as a draft. */
  async createQuote({ body, team, assumed }) {
    const deal = await dealOf(body, team, assumed)
    checkTemplate(body, assumed)
    const name = body.name ?? quoteNameWhenAbsent[assumed.quoteNameWhenAbsent](deal)
    const draft = { template: basicTemplate, ...body, name, status: 'draft' as const }
    const quote = { ...(await team.quotes.insert(draft)), ...draft }
    return created('Quote created', shown('quotes', quote, assumed))
  },

  async updateQuote({ path, body, team, assumed }) {
    const quote = found(await team.quotes.get(path.quoteId), path.quoteId, assumed)
    checkTemplate(body, assumed)
    checkStatusMove(quote, body, assumed)
    return afterUpdate('Quote updated', 'quotes', await updated(team.quotes, quote, body, assumed), assumed)
  },

  async deleteQuote({ path, team, assumed }) {
    await deleted(team, team.quotes, path.quoteId, assumed)
    return done('Quote deleted')
  },
}

async function dealOf({ dealId }: Schemas['NewQuote'], team: Team, assumed: Assumed): Promise<Schemas['Deal']> {
  return (await team.deals.get(dealId)) ?? quoteOfUnknownDeal[assumed.quoteOfUnknownDeal]()
}

const quoteOfUnknownDeal: ByChoice<'quoteOfUnknownDeal', () => never> = {
  notFound: () => {
    throw new NotFound()
  },
  badRequest: () => refuse('dealId names no deal that this team has'),
}

const quoteNameWhenAbsent: ByChoice<'quoteNameWhenAbsent', (deal: Schemas['Deal']) => string> = {
  dealName: (deal) => deal.name,
  quoteForDeal: (deal) => `Quote for ${deal.name}`,
}

function checkTemplate({ template = basicTemplate }: { template?: string }, assumed: Assumed): void {
  if (template !== basicTemplate) otherQuoteTemplate[assumed.otherQuoteTemplate]()
}

const otherQuoteTemplate: ByChoice<'otherQuoteTemplate', () => void> = {
  accepted: () => undefined,
  refused: () => refuse(`template must be ${basicTemplate}`),
}

type Status = Schemas['QuoteStatus']

function checkStatusMove(
  { status: from }: Schemas['Quote'],
  { status: to = from }: Schemas['QuoteUpdate'],
  assumed: Assumed,
) {
  if (from !== to) quoteStatusMoves[assumed.quoteStatusMoves](from, to)
}

const quoteStatusMoves: ByChoice<'quoteStatusMoves', (from: Status, to: Status) => void> = {
  any: () => undefined,
  forwardOnly: (from, to) => {
    if (stepOf[to] <= stepOf[from]) refuse(`status cannot become ${to} after ${from}`)
  },
}

/** How far along a quote is. */
const stepOf: Readonly<Record<Status, number>> = {
  draft: 0,
  published: 1,
  sent: 1,
  accepted: 2,
  declined: 2,
  expired: 2,
}
