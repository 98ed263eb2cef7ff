import { CannotRun } from './errors.ts'
import type { Target } from './target/target.ts'
import { Unanswered } from './transport.ts'
import { undiciTransport } from './undici-transport.ts'

/** Sends one read, to tell a server that is not there from one that breaks its promises. */
export async function checkReachable({ origin, timeout }: Target): Promise<void> {
  const transport = undiciTransport(origin)
  try {
    const url = `${origin}/api/templates?page=1&limit=1&types=sms&statuses=approved`
    await transport.send({ method: 'GET', url, headers: { accept: 'application/json' } }, timeout)
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    if (!error.isCut) throw new CannotRun(`${origin} cannot be reached: ${error.message}.`)
  } finally {
    await transport.close()
  }
}
