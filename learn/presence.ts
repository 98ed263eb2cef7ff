import type { Client } from '../client/client.ts'
import { isReason } from './ways.ts'

/** After so many more undetermined entries, the server is checked for a change. */
const untoldBetweenLooks = 5

/**
 * Ends a run whose server no longer does for it what it did at the beginning: it may be down, or take the key no more. What
 * cannot be determined from then on says nothing about the server.
 */
export class Presence {
  readonly #client: Client
  readonly #before: string
  #untold = 0

  private constructor(client: Client, before: string) {
    this.#client = client
    this.#before = before
  }

  static async of(client: Client): Promise<Presence> {
    return new Presence(client, await lookAt(client))
  }

  /** Counts an undetermined entry. */
  async check(isLast: boolean): Promise<void> {
    if ((++this.#untold % untoldBetweenLooks !== 0 && !isLast) || this.#client.stopped) return
    const now = await lookAt(this.#client)
    if (now === this.#before) return
    this.#client.stop(
      `the server no longer answers as it did when the run began: it said ${this.#before}, and now ${now}`,
    )
  }
}

async function lookAt(client: Client): Promise<string> {
  try {
    const query = { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] }
    const { status, body } = await client.call('listTemplates', { query })
    return `${status}${body === undefined ? ' without JSON' : ''} to listTemplates`
  } catch (error) {
    if (isReason(error)) return 'nothing'
    throw error
  }
}
