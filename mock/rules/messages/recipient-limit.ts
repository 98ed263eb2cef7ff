import type { Assumed } from '../../../spec/assumed.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import { refuse } from '../../core/refusals.ts'

/** The specification does not say how many people a send may reach. A limit is at least one. */
export function checkRecipientLimit(count: number, field: string, assumed: Assumed): void {
  if (count > 1) bulkRecipientLimit[assumed.bulkRecipientLimit](count, field, assumed)
}

const bulkRecipientLimit: ByChoice<'bulkRecipientLimit', (count: number, field: string, assumed: Assumed) => void> = {
  none: () => undefined,
  atMost: (count, field, assumed) => {
    const most = assumed.amountOf('bulkRecipientLimit')
    const what = field === 'to' ? 'addresses' : 'ids'
    if (count > most) refuse(`${field} must hold at most ${most} ${what}`, { assumption: 'bulkRecipientLimit', field })
  },
}
