import { UserError } from '../lib/user-error.ts'

/** The sandbox cannot start with these options. The message is one sentence that says what to do. */
export class CannotStart extends UserError {
  override readonly name = 'CannotStart'
}
