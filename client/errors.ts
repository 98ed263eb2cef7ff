/** What the operator asked for cannot be done. The message is one sentence that says what to do. */
export class CannotRun extends Error {
  override readonly name: string = 'CannotRun'
}

/** A request needs something that the operator did not give or allow, so it was not sent. */
export class NotAllowed extends Error {
  override readonly name: string = 'NotAllowed'
}

/** A step did not succeed, so whatever builds on it cannot go on. */
export class StepFailed extends Error {
  override readonly name: string = 'StepFailed'
}

/** The server, or what stands before it, took the request for one too many, and has not looked at it. */
export class TooBusy extends StepFailed {
  override readonly name = 'TooBusy'
}
