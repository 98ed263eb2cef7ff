import type { OperationId } from '../../../spec/types.ts'
import { contactMoves } from './contacts.ts'
import { conversationMoves } from './conversations.ts'
import { messageMoves } from './messages.ts'
import type { Move } from './move.ts'
import { recordMoves } from './records.ts'
import { templateMoves } from './templates.ts'

/** A move for every operation. */
export const moves: Readonly<Record<OperationId, Move>> = {
  ...conversationMoves,
  ...messageMoves,
  ...templateMoves,
  ...contactMoves,
  ...recordMoves,
}
