import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { OperationsOf } from '../core/operation.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import { created, done } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { found } from '../rules/found.ts'
import { removeRecord } from '../rules/record-deletion.ts'
import { updateRecord } from '../rules/record-update.ts'
import { replyToUpdate, showRecord } from '../rules/record-view.ts'

/** promise quote.templateDefaultsToBasic: a quote created without a template has the template default-basic. */
const basicTemplate = 'default-basic'

export const quotes: OperationsOf<'createQuote' | 'updateQuote' | 'deleteQuote'> = {
  /** promise quote.startsAsDraft: a quote that was created is a draft. */
  async createQuote({ body, turn }) {
    const deal = await findDeal(body.dealId, turn)
    checkTemplate(body, turn)
    const name = body.name ?? quoteNameWhenAbsent[turn.assumed.quoteNameWhenAbsent](deal)
    const draft = { template: basicTemplate, ...body, name, status: 'draft' as const }
    const quote = { ...(await turn.team.quotes.insert(draft)), ...draft }
    return created('Quote created', showRecord('quotes', quote, turn))
  },

  async updateQuote({ path, body, turn }) {
    const quote = found(await turn.team.quotes.get(path.quoteId), path.quoteId, turn)
    checkTemplate(body, turn)
    checkStatusMove(quote, body, turn)
    const updated = await updateRecord(turn.team.quotes, quote, body, turn)
    return replyToUpdate('Quote updated', 'quotes', updated, turn)
  },

  async deleteQuote({ path, turn }) {
    await removeRecord(turn.team.quotes, path.quoteId, turn)
    return done('Quote deleted')
  },
}

async function findDeal(dealId: string, { team, assumed }: Turn): Promise<Schemas['Deal']> {
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

function checkTemplate({ template = basicTemplate }: { template?: string }, { assumed }: Turn): void {
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
  { assumed }: Turn,
): void {
  if (from !== to) quoteStatusMoves[assumed.quoteStatusMoves](from, to)
}

const quoteStatusMoves: ByChoice<'quoteStatusMoves', (from: Status, to: Status) => void> = {
  any: () => undefined,
  forwardOnly: (from, to) => {
    if (stepOf[to] <= stepOf[from]) refuse(`status cannot become ${to} after ${from}`)
  },
}

const stepOf: Readonly<Record<Status, number>> = {
  draft: 0,
  published: 1,
  sent: 1,
  accepted: 2,
  declined: 2,
  expired: 2,
}
