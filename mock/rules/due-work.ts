import type { Turn } from '../core/turn.ts'
import { sendDuePart } from './messages/bulk-delivery.ts'
import { approveDueTemplates } from './templates/template-approval.ts'

/** Does one turn's worth of a team's due work. Returns when to run again, or `undefined` when nothing is waiting. */
export async function doDueWork(turn: Turn): Promise<number | undefined> {
  const times = [await approveDueTemplates(turn), await sendDuePart(turn)]
  const next = Math.min(...times.filter((time) => time !== undefined))
  return next === Infinity ? undefined : next
}
