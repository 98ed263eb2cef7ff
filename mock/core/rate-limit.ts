import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Chosen } from '../../spec/choices.ts'
import type { Clock } from './clock.ts'
import { Refusal } from './refusals.ts'

export interface RateLimit {
  /** Counts a request of a team; throws when the team is over its limit. */
  count(teamId: string, assumed: Assumed): void
  /** Starts the count of every team over. */
  reset(): void
}

/** An undocumented status, sent only when the choice for `rateLimit` sets a limit. */
export class TooManyRequests extends Refusal {
  readonly status = 429
  /** When the team may send again, for `Retry-After`. */
  readonly seconds: number

  constructor(sentence: string, seconds: number) {
    super(sentence)
    this.seconds = seconds
  }
}

export function rateLimitOf(chosen: Chosen, clock: Clock): RateLimit {
  const { choice, amount = Infinity } = chosen.rateLimit
  return rateLimit[choice](amount, clock)
}

const minute = 60_000

const rateLimit: ByChoice<'rateLimit', (most: number, clock: Clock) => RateLimit> = {
  none: () => ({ count: () => undefined, reset: () => undefined }),
  perMinute: (most, clock) => {
    const counts = new Map<string, Count>()
    return {
      count(teamId, assumed) {
        const now = clock.now()
        const known = counts.get(teamId)
        // A clock that was set back starts a new minute too.
        const count = known && Math.abs(now - known.since) < minute ? known : { since: now, requests: 0 }
        counts.set(teamId, count)
        if (++count.requests > most) {
          const left = count.since + minute - now
          const sentence = `more than ${assumed.amountOf('rateLimit')} requests a minute`
          throw new TooManyRequests(sentence, Math.ceil(Math.min(left, minute) / 1000))
        }
      },
      reset() {
        counts.clear()
      },
    }
  },
}

/** Requests since the start of the minute. */
interface Count {
  readonly since: number
  requests: number
}
