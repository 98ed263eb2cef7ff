import type { Readable } from 'node:stream'
import type { Controls } from '../../../control/controls.ts'
import type { ControlAsked, ControlId } from '../../../control/types.ts'
import type { AnyReply } from '../../core/envelope.ts'

/** Turns a checked request into one call of an action. */
export type Row<Id extends ControlId> = (controls: Controls, asked: ControlAsked<Id>) => Promise<ControlReply>

/** One entry for each operation of the control plane's document. A missing one does not compile. */
export type Rows = { readonly [Id in ControlId]: Row<Id> }

/** An answer in the envelope of the service, or a document of its own. */
export type ControlReply = AnyReply | Whole

/** An answer without the envelope. A stream is destroyed when the client goes away. */
interface Whole {
  readonly status: number
  readonly type: string
  readonly whole: string | Readable
}
