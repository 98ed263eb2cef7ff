import { createHmac, randomBytes } from 'node:crypto'
import type { TeamInWorld, World } from '../fixtures/world.ts'
import { type Assumed, assumedBy, unmarked } from '../spec/assumed.ts'
import type { AssumptionName } from '../spec/assumptions.ts'
import type { WrittenChoices } from '../spec/choices.ts'
import { ChoicesInForce } from './core/choices-in-force.ts'
import { type Clock, SteeredClock, systemClock } from './core/clock.ts'
import { envelopeOf } from './core/operation.ts'
import { Scheduler } from './core/scheduler.ts'
import { Changes } from './core/changes.ts'
import { initialSettings, keepChoices, restartSettings } from './control/settings.ts'
import { SharedSettings } from './core/shared-settings.ts'
import { executorOf, type Request, Teams } from './core/execute.ts'
import { rateLimitOf } from './core/rate-limit.ts'
import type { Transaction } from './core/transaction.ts'
import { newIds } from './core/ids.ts'
import { Tokens } from './core/tokens.ts'
import { Interception } from './http/faults/interception.ts'
import { inSteps } from '../lib/pause.ts'
import { Redactor } from '../lib/redactor.ts'
import { operations } from './operations/index.ts'
import { sendDuePart } from './rules/messages/bulk-delivery.ts'
import { approveDueTemplates } from './rules/templates/template-approval.ts'
import { Journal, requestIds } from './http/journal/journal.ts'
import type { Store } from './store/port.ts'
import { stepsOfTeam } from './store/teams.ts'

export type Engine = Awaited<ReturnType<typeof startEngine>>
/** The parts that answer requests to the service. */
export type Service = Engine['service']

interface EngineOptions {
  readonly store: Store
  /** The records after a reset. */
  readonly world: World
  readonly profile: WrittenChoices
  readonly assume: WrittenChoices
  readonly seed: number | undefined
  readonly clock: Clock
  readonly faultsByHeader: boolean
  readonly isStrict: boolean
  /** Records which assumptions requests rely on. */
  readonly watch: Watch | undefined
  /** Receives errors outside of requests. */
  readonly failed: (error: unknown) => void
}

/** Records the assumptions that users of a sandbox rely on, across resets. */
export interface Watch {
  /** Called for every request. */
  onUse(): void
  /** Called when a request relies on an assumption without a choice in an option, a profile or at run time. */
  onRelied(name: AssumptionName): void
}

/** Handles requests and due work on one store. */
export async function startEngine(options: EngineOptions) {
  const { store, world, seed, failed, watch } = options
  const clock = new SteeredClock(options.clock)
  const choices = new ChoicesInForce(options, (chosen, learned) => ({
    chosen,
    newAssumed: assumedBy(chosen, learned),
    envelope: envelopeOf(chosen),
    rateLimit: rateLimitOf(chosen, store, clock),
  }))
  const hearFor = (watch: Watch, teamId?: string) => (name: AssumptionName) => {
    if (choices.originOf(name, teamId) === 'default') watch.onRelied(name)
  }
  const newAssumed = (teamId?: string): Assumed => {
    watch?.onUse()
    return choices.of(teamId).newAssumed(watch && hearFor(watch, teamId))
  }
  const envelopeFor = (teamId: string) => {
    if (watch) unmarked.forEach(hearFor(watch, teamId))
    return choices.of(teamId).envelope
  }
  const shared = { store, clock, newAssumed, ids: newIds(seed), tokens: new Tokens(store, clock) }
  const [changes, settingsChanges] = [new Changes(), new Changes()]
  const teams = new Teams({
    ...shared,
    onDue: (teamId) => void scheduler.runDueFirst(teamId),
    onCommit: (teamId) => changes.notify(teamId),
  })
  const scheduler = new Scheduler({ store, teams, clock, doDue: doDueWork, failed })
  const secrets = new Redactor()
  const hideKeys = async () => {
    for await (const { apiKeys } of inSteps(await store.teams(), stepsOfTeam)) secrets.add(apiKeys)
  }
  await hideKeys()
  const execute = executorOf({ teams, operations, envelopeFor })
  const journal = new Journal(clock, requestIds(seed), (teamId) => choices.of(teamId).chosen)
  let resets = 0
  const settings = new SharedSettings(store.shared, initialSettings, (now) => {
    clock.set(now.clock)
    choices.switch(now.choices)
    interception.settle()
    settingsChanges.notifyAll()
    if (now.resets > resets) {
      resets = now.resets
      shared.ids.restart()
      journal.ids.restart()
      journal.clear()
    }
  })
  const interception = new Interception(options.faultsByHeader, settings.part('faults'), settings.part('gates'))
  const service = {
    store,
    tokens: shared.tokens,
    // The clock of a test may have been set since the last request.
    execute:
      options.clock === systemClock ? execute : (request: Request) => scheduler.runIfDue().then(() => execute(request)),
    /** Whether it refuses fields and parameters that an operation ignores. */
    isStrict: options.isStrict,
    newAssumed,
    choices,
    interception,
    /** Applies what other processes on the store have changed. */
    refresh: store.shared && (() => settings.refresh()),
  }
  const initial = new Map(world.teams.map((team) => [team._id, team]))
  /** The initial records of a team, to which its reset brings it back. */
  const originOf = async (teamId: string) => (await store.origin(teamId)) ?? initial.get(teamId)
  const replaceAll = async (next: World, origins: readonly TeamInWorld[] = []) => {
    await store.replaceAll(next, origins)
    await hideKeys()
    const present = new Set(next.teams.map(({ _id }) => _id))
    await settings.change((all) => keepChoices(all, (teamId) => present.has(teamId)))
    changes.notifyAll()
  }
  const reset = async () => {
    await replaceAll(world)
    await settings.change(restartSettings)
    await scheduler.runAllDue()
  }
  let version: number | undefined
  /** Follows other processes: their changes of settings and records, and the work that they schedule or leave. */
  const poll = async () => {
    await settings.refresh()
    if (version !== settings.version) await hideKeys()
    version = settings.version
    await scheduler.startDue()
    changes.notifyAll() // of records, which have no version
  }
  if (store.shared) await settings.refresh()
  const stopPolling = store.shared && pollUntilStopped(poll, failed)
  void scheduler.runAllDue()
  return {
    ...shared,
    newKey: (teamId: string) => newKey(teamId, seed),
    teams,
    secrets,
    choices,
    service,
    scheduler,
    journal,
    interception,
    changes,
    settingsChanges,
    settings,
    originOf,
    reset,
    replaceAll,
    close: async () => {
      await stopPolling?.()
      await scheduler.close()
    },
    doDueWork: () => scheduler.runIfDue(),
    runDue: (teamId: string) => scheduler.runDue(teamId),
  }
}

/** In milliseconds. A change applies to all processes within 250. */
const pollInterval = 100

/** Returns the function that ends it. Of several failures in a row only the first is reported. */
function pollUntilStopped(poll: () => Promise<void>, failed: (error: unknown) => void): () => Promise<void> {
  let [isStopped, isFailing] = [false, false]
  let timer: NodeJS.Timeout | undefined
  let polling = Promise.resolve()
  const pollOnce = async () => {
    try {
      await poll()
      isFailing = false
    } catch (error) {
      if (!isFailing) failed(error)
      isFailing = true
    }
    schedule()
  }
  const schedule = () => {
    if (isStopped) return
    timer = setTimeout(() => {
      polling = pollOnce()
    }, pollInterval).unref()
  }
  schedule()
  return () => {
    isStopped = true
    clearTimeout(timer)
    return polling
  }
}

/** Makes the API key of a new team. With a seed, a team of the same id gets the same key in every run. */
const newKey = (teamId: string, seed: number | undefined) =>
  `sandbox_${seed === undefined ? randomBytes(18).toString('hex') : keyOf(teamId, seed)}`

const keyOf = (teamId: string, seed: number) =>
  createHmac('sha256', `crm-sandbox ${seed}`).update(teamId).digest('hex').slice(0, 36)

/** Does one transaction's worth of a team's due work. Returns when to run again, or `undefined` when nothing is waiting. */
async function doDueWork(tx: Transaction): Promise<number | undefined> {
  const times = [await approveDueTemplates(tx), await sendDuePart(tx)]
  const next = Math.min(...times.filter((time) => time !== undefined))
  return next === Infinity ? undefined : next
}
