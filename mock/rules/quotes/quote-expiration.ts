import type { ByChoice } from '../../../spec/assumptions.ts'
import { isIsoDate } from '../../../spec/iso-date.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

/** promise quote.updateTakesTheFieldsOfTheExamples: a timestamp is accepted. What else is, the specification leaves open. */
export function checkExpirationDate({ expirationDate }: Schemas['QuoteUpdate'], { assumed }: Turn): void {
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
