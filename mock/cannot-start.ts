/** The sandbox cannot start with these options. The message is one sentence that says what to do. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}
