import { refuse } from '../../core/refusals.ts'

const mebibyte = 1024 * 1024

/** How many characters one request may send in all: to everyone alike, and when each message has a text of its own. */
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
