import type { World } from '../fixtures/world.ts'
import { type Assumed, assumedBy } from '../spec/assumed.ts'
import type { AssumptionName } from '../spec/assumptions.ts'
import type { WrittenChoices } from '../spec/choices.ts'
import type { Voice } from '../spec/voice/voice.ts'
import { Origins } from './control/origins.ts'
import { ChoicesInForce } from './core/choices-in-force.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { envelopeOf } from './core/envelope.ts'
import { type Ids, ids } from './core/ids.ts'
import { Later } from './core/later.ts'
import { Signal } from './control/signal.ts'
import { performer } from './core/perform.ts'
import { rateLimitOf } from './core/rate-limit.ts'
import { SteeredClock } from './core/steered-clock.ts'
import { keyMaker, type NewKey } from './core/team-keys.ts'
import { Teams } from './core/teams.ts'
import type { Watch } from './core/watch.ts'
import { Tokens } from './core/tokens.ts'
import { Interception } from './faults/interception.ts'
import type { Routing } from './http/pipeline.ts'
import { Secrets } from '../shared/redaction.ts'
import { operations } from './operations/index.ts'
import { doDueWork as doTeamsDueWork } from './rules/due-work.ts'
import { Journal, usualBounds } from './journal/journal.ts'
import { RequestIds } from './journal/request-ids.ts'
import type { Store } from './store/port.ts'
import { Speaker } from './voice/speaker.ts'
import { voicedIds } from './voice/voiced-ids.ts'

/** What answers requests and does due work, on one store. */
export interface Engine {
  readonly store: Store
  readonly clock: SteeredClock
  readonly teams: Teams
  readonly tokens: Tokens
  readonly ids: Ids
  readonly secrets: Secrets
  readonly choices: ChoicesInForce
  readonly routing: Routing
  readonly journal: Journal
  readonly later: Later
  /** Tells when a turn of a team has ended. */
  readonly changes: Signal
  /** Faults and gates. */
  readonly interception: Interception
  /** Does all that is due by the clock. */
  readonly doDueWork: () => Promise<void>
  /** Does the work that is due in a team. */
  readonly catchUp: (teamId: string) => Promise<void>
  readonly newKey: NewKey
  readonly origins: Origins
  /** Restores the world of the start. */
  readonly reset: () => Promise<void>
  /** Replaces everything with this world. */
  readonly become: (world: World) => Promise<void>
}

interface EngineOptions {
  readonly store: Store
  /** The records after a reset. */
  readonly world: World
  readonly profile: WrittenChoices
  readonly assume: WrittenChoices
  readonly voice: Voice | undefined
  readonly seed: number | undefined
  readonly clock: Clock
  readonly faultsByHeader: boolean
  /** Told what relies on an assumption for which nobody has chosen. */
  readonly watch: Watch | undefined
  /** Told of errors that no request waits for. */
  readonly failed: (error: unknown) => void
}

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { store, world, seed, failed, voice, watch } = options
  const clock = new SteeredClock(options.clock)
  const speaker = voice && new Speaker(voice, clock, seed)
  const choices = new ChoicesInForce(options, (chosen, learned) => ({
    chosen,
    newAssumed: assumedBy(chosen, learned),
    envelope: envelopeOf(chosen, speaker?.newMeta),
    rateLimit: rateLimitOf(chosen, store, clock),
  }))
  const hearFor = (teamId?: string) =>
    watch &&
    ((name: AssumptionName) => {
      if (choices.originOf(name, teamId) === 'default') watch.onRelied(name)
    })
  const newAssumed = (teamId?: string): Assumed => {
    watch?.onUse()
    return choices.of(teamId).newAssumed(hearFor(teamId))
  }
  const envelopeFor = (teamId: string) => {
    if (watch) ofEverySuccess.forEach((name) => hearFor(teamId)?.(name))
    return choices.of(teamId).envelope
  }
  const shared = { store, clock, newAssumed, ids: idsOf(voice, seed), tokens: new Tokens(store, clock) }
  const changes = new Signal()
  const teams = new Teams({
    ...shared,
    onDue: (teamId) => void later.wakeFor(teamId),
    onTurn: () => {
      if (changes.isAwaited) changes.tell()
    },
  })
  const later = new Later({ store, teams, clock, doDue: doTeamsDueWork, failed })
  const secrets = new Secrets()
  secrets.add(...(await keysIn(store)))
  const doDueWork = () => later.catchUpWithClock()
  const perform = performer({ teams, operations, envelopeFor, speaker })
  const interception = new Interception(options.faultsByHeader)
  const journal = new Journal(clock, new RequestIds(seed), usualBounds, (teamId) => choices.of(teamId).chosen)
  const routing: Routing = {
    credentials: shared,
    // The clock of a test may have been set since the last request.
    perform: options.clock === systemClock ? perform : (request) => doDueWork().then(() => perform(request)),
    newAssumed,
    choices,
    interception,
    journal,
    speaker,
    formOfIds: shared.ids,
  }
  const origins = new Origins(world, store)
  const become = async (next: World) => {
    const keysBefore = await keysIn(store)
    await store.become(next)
    secrets.add(...(await keysIn(store)))
    secrets.remove(...keysBefore)
    choices.keepOnly((await store.teams()).map(({ _id }) => _id))
    changes.tell()
  }
  const reset = async () => {
    interception.clear()
    choices.restart()
    await become(world)
    await origins.forgetAll()
    shared.ids.restart()
    clock.restart()
    journal.ids.restart()
    journal.clear()
    await later.wake()
  }
  void later.wake()
  const catchUp = (teamId: string) => later.catchUp(teamId)
  return {
    ...shared,
    newKey: keyMaker(seed),
    teams,
    secrets,
    choices,
    routing,
    later,
    journal,
    interception,
    changes,
    origins,
    reset,
    become,
    doDueWork,
    catchUp,
  }
}

/** No answer is marked with these: all would be. */
const ofEverySuccess: readonly AssumptionName[] = ['metaInEnvelope', 'statedEnvelope']

const idsOf = (voice: Voice | undefined, seed: number | undefined) =>
  voice?.ids ? voicedIds(voice.ids, ids(seed), seed) : ids(seed)

const keysIn = async (store: Store) => (await store.teams()).flatMap(({ apiKeys }) => apiKeys)
