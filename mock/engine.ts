import { setTimeout } from 'node:timers/promises'
import { executorOf, type Execute, Teams } from './core/execute.ts'
import { endOfStory, systemClock } from './core/clock.ts'
import type { Scheduler } from './core/scheduler.ts'
import { Tokens } from './core/tokens.ts'
import type { Transaction } from './core/transaction.ts'
import type { OtherServers } from './http/journal/other-servers.ts'
import { operations } from './operations/index.ts'
import { sendDuePart } from './rules/messages/bulk-delivery.ts'
import { approveDueTemplates } from './rules/templates/template-approval.ts'
import { type EngineOptions, SettingsInForce } from './settings-in-force.ts'
import type { SharedState } from './store/port.ts'
import { Worlds } from './worlds.ts'

/** The parts that handle requests and due work. */
export type Engine = Awaited<ReturnType<typeof startEngine>>

/** Handles requests and due work on one store. */
export async function startEngine(options: EngineOptions) {
  const { store, isStrict, failed } = options
  const inForce = new SettingsInForce(options)
  const { clock, choices, ids, journal, others, settings, interception } = inForce
  const teams = new Teams({ store, clock, ids, choices, doDue: doDueWork, failed })
  const { scheduler } = teams
  const execute = executorOf({ teams, operations, choices })
  const worlds = new Worlds(options, inForce, teams)
  await worlds.hideKeys(await store.teams())
  if (store.shared) await settings.refresh()
  const stopFollowing = store.shared && others && followOtherProcesses(store.shared, settings, others, teams, failed)
  void scheduler.runAllDue()
  return {
    store,
    clock,
    ids,
    choices,
    journal,
    others,
    settings,
    interception,
    teams,
    scheduler,
    worlds,
    tokens: new Tokens(store, clock),
    // The clock of a test may have been set since the last request.
    execute: options.clock === systemClock ? execute : afterDueWork(scheduler, execute),
    /** When a story that is loaded now ends. */
    endOfStory: () => endOfStory(options, clock),
    /** Whether it refuses fields and parameters that an operation ignores. */
    isStrict,
    /** Applies what other processes on the store have changed. */
    refresh: store.shared && (() => settings.refresh()),
    async close() {
      await stopFollowing?.()
      await others?.close()
      await scheduler.close()
    },
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

/** Applies their changes of settings and records, and runs the work that they schedule or leave. Returns the function that ends it. */
function followOtherProcesses(
  shared: SharedState,
  settings: SettingsInForce['settings'],
  others: OtherServers,
  teams: Teams,
  failed: (error: unknown) => void,
): () => Promise<void> {
  let known: string | undefined
  const poll = async () => {
    const before = known
    known = undefined // when this fails, the next one notifies
    const { version, nextDue, commits } = await shared.poll()
    await settings.refreshTo(version)
    teams.scheduler.startIfDue(nextDue)
    known = commits
    if (commits !== before) teams.changes.notifyAll() // of records, which have no version
    await others.announce()
  }
  return pollUntilStopped(poll, failed)
}

/** In milliseconds. A change applies to all processes within 250. */
const pollInterval = 100

/** Returns the function that ends it. */
function pollUntilStopped(poll: () => Promise<void>, failed: (error: unknown) => void): () => Promise<void> {
  const stop = new AbortController()
  const polling = pollUntil(stop.signal, poll, failed)
  return () => {
    stop.abort()
    return polling
  }
}

/** Of several failures in a row only the first is reported. */
async function pollUntil(
  stop: AbortSignal,
  poll: () => Promise<void>,
  failed: (error: unknown) => void,
): Promise<void> {
  let isFailing = false
  for (;;) {
    await setTimeout(pollInterval, undefined, { ref: false, signal: stop }).catch(() => undefined)
    if (stop.aborted) return
    try {
      await poll()
      isFailing = false
    } catch (error) {
      if (!isFailing) failed(error)
      isFailing = true
    }
  }
}
