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

/** The connection was closed before an answer began, so a step may have succeeded or not. */
export class ConnectionLost extends StepFailed {
  override readonly name = 'ConnectionLost'
}

/** The server, or a proxy before it, is overloaded and refused the request unprocessed. */
export class TooBusy extends StepFailed {
  override readonly name = 'TooBusy'
}

/**
 * Does something that may be done twice, and once more when a connection was lost: that may come of the load, and says
 * nothing about the server.
 */
export async function orOnceMore<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ConnectionLost) return act()
    throw error
  }
}
