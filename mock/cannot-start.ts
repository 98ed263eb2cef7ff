/** The sandbox cannot start as it was asked to. The message is one sentence that says what to do. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}
