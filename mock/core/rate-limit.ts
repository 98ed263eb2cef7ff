import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Chosen } from '../../spec/choices.ts'
import type { Store } from '../store/port.ts'
import type { Clock } from './clock.ts'
import { Refusal } from './refusals.ts'

/** Counts a request of a team; rejects when the team is over its limit. */
export type RateLimit = (teamId: string, assumed: Assumed) => Promise<void>

/** An undocumented status, sent only when the choice for `rateLimit` sets a limit. */
export class TooManyRequests extends Refusal {
  readonly status = 429
  /** When the team may send again, for `Retry-After`. */
  readonly seconds: number

  constructor(sentence: string, seconds: number) {
    super(sentence, { assumption: 'rateLimit' })
    this.seconds = seconds
  }
}

/** Undefined when there is no limit. */
export function rateLimitOf(chosen: Chosen, store: Store, clock: Clock): RateLimit | undefined {
  const { choice, amount = Infinity } = chosen.rateLimit
  return rateLimit[choice](amount, store, clock)
}

const minute = 60_000

const rateLimit: ByChoice<'rateLimit', (most: number, store: Store, clock: Clock) => RateLimit | undefined> = {
  none: () => undefined,
  perMinute: (most, store, clock) => async (teamId, assumed) => {
    const now = clock.now()
    const { times, until } = await store.count(`requests of ${teamId}`, now, now + minute)
    if (times <= most) return
    const sentence = `more than ${assumed.amountOf('rateLimit')} requests a minute`
    throw new TooManyRequests(sentence, Math.ceil((until - now) / 1000))
  },
}
