import { setTimeout } from 'node:timers/promises'
import { oneAtATime } from '../../lib/async.ts'
import type { Teams } from '../core/execute.ts'
import { SharedSettings } from '../core/shared-settings.ts'
import { Interception } from '../http/faults/interception.ts'
import { OwnTallies } from '../http/faults/rules.ts'
import { Journal, requestIds } from '../http/journal/journal.ts'
import { OtherServers } from '../http/journal/other-servers.ts'
import type { Engine } from '../operations/engine.ts'
import type { SharedState } from '../store/port.ts'
import { initialOfTeam, initialSettings, type Settings, type TeamSettings } from './settings.ts'
import { worldsOf, type WorldsOptions } from './worlds.ts'

export type Steering = Awaited<ReturnType<typeof startSteering>>

interface SteeringOptions extends WorldsOptions {
  readonly seed?: number
  readonly faultsByHeader?: boolean
  /** Receives errors outside of requests. */
  readonly failed: (error: unknown) => void
}

/** The control plane reads and changes these beside the records: the settings in force, the journal, the initial world. */
export async function startSteering(options: SteeringOptions, engine: Engine) {
  const { seed, faultsByHeader = true, secrets, failed } = options
  const { store, clock, choices, ids, teams, scheduler, memory } = engine
  const { shared } = store
  const journal = new Journal(clock, requestIds(seed), (teamId) => choices.of(teamId).chosen, memory)
  const others = shared && new OtherServers(shared.remoteQueries, journal, secrets, failed)
  const settings = new SharedSettings<Settings, TeamSettings>({
    shared,
    initial: initialSettings,
    initialOfTeam,
    apply,
    hide: (changed) => worlds.setKeys(changed.map(({ teamId = '', apiKeys }) => ({ _id: teamId, apiKeys }))),
    asked: () => others?.answer(),
  })
  const interception = new Interception(faultsByHeader, settings, shared?.tallies ?? new OwnTallies(), memory)
  const worlds = worldsOf(options, engine, settings, interception)
  let resets = 0
  await worlds.hideKeys(await store.teams())
  if (shared) await settings.refresh()
  const stopFollowing = shared && others && followOtherProcesses(shared, settings, others, teams, failed)
  void scheduler.runAllDue()
  return {
    journal,
    /** Undefined for a store that only this process can open. */
    others,
    settings,
    interception,
    worlds,
    /** Runs additions of teams one after the other, so that two teams never get the same key. */
    addingTeams: oneAtATime(),
    /** When the sandbox started, by `performance.now()`. */
    startedAt: performance.now(),
    /** The settings, if other processes on the store may change them. */
    sharedSettings: shared && settings,
    /** Ends the requests that wait for a gate, a fault or a change. */
    async endWaits() {
      await interception.close().catch(failed)
      for (const { changes } of [teams, settings, journal]) changes.close()
    },
    async close() {
      await stopFollowing?.()
      await others?.close()
      await scheduler.close()
    },
  }

  function apply(changed: readonly (string | undefined)[]): void {
    const { now } = settings
    clock.set(now.clock)
    choices.switchAll(now.choices)
    for (const teamId of changed) if (teamId !== undefined) choices.switchOf(teamId, settings.of(teamId)?.choices)
    interception.settle(changed)
    if (now.resets <= resets) return
    resets = now.resets
    ids.restart()
    journal.ids.restart()
    journal.clear()
  }
}

/** Applies their changes of settings and records, and runs the work that they schedule or leave. Returns the function that ends it. */
function followOtherProcesses(
  shared: SharedState,
  settings: SharedSettings<Settings, TeamSettings>,
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
