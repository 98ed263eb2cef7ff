import type { Answered } from '../core/answered.ts'
import type { FaultFired } from '../faults/fault-fired.ts'
import type { Journal, Requested } from '../journal/journal.ts'

/** Notes what a fault makes of an answer. An answer that is lost is noted as one without a status. */
export function noteFault({ message, sent }: FaultFired, request: Requested, journal: Journal): void {
  const { answered = nothing, changed = answered.changed, connection } = sent
  journal.note(request, { ...answered, ...(changed && { changed }) }, connection !== undefined, message)
}

const nothing: Answered = { status: 0, body: '', assumed: [] }
