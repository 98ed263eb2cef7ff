import type { AssumptionName } from '../../spec/assumptions.ts'
import { assumedBy } from '../../spec/assumed.ts'
import type { Chosen } from '../../spec/choices.ts'
import { ChoicesInForce, type Start, type Watch } from '../core/choices-in-force.ts'
import { type Clock, endOfStory, SteeredClock, systemClock } from '../core/clock.ts'
import { executorOf, type Execute, Teams } from '../core/execute.ts'
import { newIds } from '../core/ids.ts'
import { envelopeOf } from '../core/operation.ts'
import { rateLimitOf } from '../core/rate-limit.ts'
import type { Scheduler } from '../core/scheduler.ts'
import { Tokens } from '../core/tokens.ts'
import type { Transaction } from '../core/transaction.ts'
import { sendDuePart } from '../rules/messages/bulk-delivery.ts'
import { approveDueTemplates } from '../rules/templates/template-approval.ts'
import type { Store } from '../store/port.ts'
import type { MemoryBudget } from '../store/retention.ts'
import { operations } from './index.ts'

export type Engine = ReturnType<typeof newEngine>

interface EngineOptions extends Start {
  readonly seed?: number
  readonly clock?: Clock
  readonly memory: MemoryBudget
}

/** Executes operations and due work on one store. It knows neither HTTP nor the control plane. Errors of due work go to `failed`. */
export function newEngine(
  { seed, clock: base = systemClock, memory, ...start }: EngineOptions,
  store: Store,
  failed: (error: unknown) => void,
  watch?: Watch,
) {
  const clock = new SteeredClock(base)
  const make = (chosen: Chosen, learned: ReadonlySet<AssumptionName>) => ({
    chosen,
    newAssumed: assumedBy(chosen, learned),
    envelope: envelopeOf(chosen),
    rateLimit: rateLimitOf(chosen, store, clock),
  })
  const choices = new ChoicesInForce(start, make, watch)
  const ids = newIds(seed)
  const teams = new Teams({ store, clock, ids, choices, memory, doDue: doDueWork, failed })
  const { scheduler } = teams
  const execute = executorOf({ teams, operations, choices })
  return {
    store,
    memory,
    clock,
    choices,
    ids,
    teams,
    scheduler,
    tokens: new Tokens(store, clock),
    // The clock of a test may have been set since the last request.
    execute: base === systemClock ? execute : afterDueWork(scheduler, execute),
    /** When a story that is loaded now ends. */
    endOfStory: () => endOfStory({ seed, clock: base }, clock),
  }
}

const afterDueWork =
  (scheduler: Scheduler, execute: Execute): Execute =>
  (request) =>
    scheduler.runIfDue().then(() => execute(request))

/** Does one transaction's worth of a team's due work. Returns when to run again, or `undefined` when nothing is waiting. */
async function doDueWork(tx: Transaction): Promise<number | undefined> {
  const times = [await approveDueTemplates(tx), await sendDuePart(tx)]
  const next = Math.min(...times.filter((time) => time !== undefined))
  return next === Infinity ? undefined : next
}
