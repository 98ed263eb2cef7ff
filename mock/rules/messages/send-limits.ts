import type { Assumed } from '../../../spec/assumed.ts'
import { refuse } from '../../core/refusals.ts'

/** The specification does not say how many people a send may reach. A limit is at least one. */
export function checkRecipientLimit(count: number, field: string, assumed: Assumed): void {
  if (count <= 1 || assumed.bulkRecipientLimit === 'none') return
  const most = assumed.amountOf('bulkRecipientLimit')
  const what = field === 'to' ? 'addresses' : 'ids'
  if (count > most) refuse(`${field} must hold at most ${most} ${what}`, { assumption: 'bulkRecipientLimit', field })
}

const mebibyte = 1024 * 1024

/** The most characters that one request may send: with one text for all recipients, and with a text for each. */
const most = { alike: 1024 * mebibyte, each: 64 * mebibyte }

/** Bounds what one request makes the sandbox keep: a short body can send a long text to thousands. */
export function checkVolume(recipients: number, message: object, field: string, kept: keyof typeof most): void {
  if (recipients <= 1) return
  const { length } = JSON.stringify(message)
  const fitting = Math.floor(most[kept] / length)
  if (recipients > fitting) {
    refuse(
      `${field} must name at most ${Math.max(1, fitting)} recipients of a message of ${length} characters; send a part`,
      { limit: 'volume', field },
    )
  }
}
