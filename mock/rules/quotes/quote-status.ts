import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

type Status = Schemas['QuoteStatus']

/**
 * promise quote.updateSetsTheStatus: an update with a status puts the quote into that status. The specification does not
 * say which status may follow which.
 */
export function checkQuoteStatusMove(
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
