import type { Transaction } from '../core/transaction.ts'
import { sendDuePart } from './messages/bulk-delivery.ts'
import { approveDueTemplates } from './templates/template-approval.ts'

/** Does one transaction's worth of a team's due work. Returns when to run again, or `undefined` when nothing is waiting. */
export async function doDueWork(tx: Transaction): Promise<number | undefined> {
  const times = [await approveDueTemplates(tx), await sendDuePart(tx)]
  const next = Math.min(...times.filter((time) => time !== undefined))
  return next === Infinity ? undefined : next
}
