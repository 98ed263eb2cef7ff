import { fieldsOf } from '../../../client/answer.ts'
import type { SingleSend } from '../../../client/operations/messages.ts'
import type { OperationId } from '../../../spec/types.ts'
import type { Looks } from '../looks.ts'
import { moves } from '../moves/index.ts'
import { from } from '../moves/move.ts'
import type { Pen } from '../pen.ts'
import type { StepInput } from '../walk.ts'
import { allOf, type Conversation } from '../walker.ts'
import { capitalize } from '../../../shared/capitalize.ts'

/** Some requests about the same thing, which steps drawn one by one seldom put together. */
export type Episode = (pen: Pen, looks: Looks) => void

/** The name of an operation on a kind: `createDeal` for `by('create', 'deal')`. */
export const by = (verb: 'create' | 'update' | 'delete', kind: string) => `${verb}${capitalize(kind)}` as OperationId

/** Makes something with these fields besides, and returns a name for its id. */
export function make(pen: Pen, operation: OperationId, more: object = {}): string {
  const draft = pen.draft(operation)
  const n = draft && pen.addGood(operation, { body: { ...fieldsOf(draft.body), ...more } })
  return n === undefined ? pen.walker.mint.unknownId() : from(n, 'data._id')
}

/** Changes all fields, so that each is there to be lost, or few, so that it shows what was lost to which. */
export function change(pen: Pen, operation: OperationId, at: StepInput, which: 'all' | 'few'): void {
  const { walker } = pen
  const fields = moves[operation].changes?.(walker) ?? {}
  const body = which === 'all' ? allOf(fields) : walker.fewOf(`changes by ${operation}`, fields)
  pen.addGood(operation, { ...at, body })
}

/** Sends a message into a conversation, and returns its number. */
export function sendInto(pen: Pen, { id: conversationId, person }: Conversation, operation: SingleSend, more = {}) {
  const message = pen.message(operation)
  const inEmail = operation === 'sendEmailMessage' && person ? { recipientIds: [person.id] } : {}
  return message && pen.addGood(operation, { body: { ...message, conversationId, ...inEmail, ...more } })
}
