import { UserError } from '../../lib/user-error.ts'

/** The run cannot begin or continue. The message is one sentence for the operator, with the correction. */
export class CannotRun extends UserError {
  override readonly name: string = 'CannotRun'
}

/**
 * Why a request was not sent: it is beyond the limits of the run, a credential or something else that it needs is missing, it
 * would change the record of another, or the run has ended.
 */
export type NotSentBecause = 'limits' | 'credential' | 'missing' | 'owner' | 'ended'

/** A request was not sent: the operator did not give or allow something that it needs. */
export class NotAllowed extends Error {
  override readonly name: string = 'NotAllowed'
  readonly because: NotSentBecause

  constructor(because: NotSentBecause, message: string) {
    super(message)
    this.because = because
  }
}

/** A step failed, so the steps that depend on it cannot run. */
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
