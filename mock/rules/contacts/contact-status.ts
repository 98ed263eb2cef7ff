import type { ByChoice } from '../../../spec/assumptions.ts'
import { contactStatuses } from '../../../spec/forms.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

interface WithStatus {
  readonly status?: string
}

/** The specification names three statuses, and does not say which may follow which. */
export function checkContactStatusMove(
  { status: from }: WithStatus,
  { status: to }: WithStatus,
  { assumed }: Turn,
): void {
  if (from === undefined || to === undefined || from === to) return
  const isBack = contactStatuses.includes(to) && contactStatuses.indexOf(to) < contactStatuses.indexOf(from)
  if (isBack) contactStatusMoves[assumed.contactStatusMoves](from, to)
}

const contactStatusMoves: ByChoice<'contactStatusMoves', (from: string, to: string) => void> = {
  any: () => undefined,
  forwardOnly: (from, to) =>
    refuse(`status cannot go back from ${from} to ${to}`, { assumption: 'contactStatusMoves', field: 'status' }),
}

/** The specification lists the status of an upsert as a string, without the values that other operations have. */
export function checkUpsertStatus({ status }: WithStatus, { assumed }: Turn): void {
  if (status !== undefined && !contactStatuses.includes(status)) upsertStatus[assumed.upsertStatus]()
}

const upsertStatus: ByChoice<'upsertStatus', () => void> = {
  anyString: () => undefined,
  sameEnum: () =>
    refuse(`status must be one of ${contactStatuses.join(', ')}`, { assumption: 'upsertStatus', field: 'status' }),
}
