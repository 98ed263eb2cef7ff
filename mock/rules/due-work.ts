import type { Turn } from '../core/turn.ts'
import { sendDuePart } from './messages/bulk-delivery.ts'
import { approveDueTemplates } from './templates/template-approval.ts'

/** Does a turn's worth of what is due in a team, and tells when there is more to do. */
export async function doDueWork(turn: Turn): Promise<number | undefined> {
  const times = [await approveDueTemplates(turn), await sendDuePart(turn)]
  const next = Math.min(...times.filter((time) => time !== undefined))
  return next === Infinity ? undefined : next
}
