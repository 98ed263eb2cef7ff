import { isDeepStrictEqual } from 'node:util'
import { type Assumed, type OnRelied, unmarked } from '../../spec/assumed.ts'
import { type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import { chooseAll, type Chosen, readProfile, UnreadableChoice, type WrittenChoices } from '../../spec/choices.ts'
import type { Envelope } from './operation.ts'
import type { RateLimit } from './rate-limit.ts'

/** Objects built from the choices. They are rebuilt when a choice is switched, so that a request only reads them. */
export interface InForce {
  readonly chosen: Chosen
  readonly newAssumed: (onRelied?: OnRelied) => Assumed
  readonly envelope: Envelope
  /** Undefined without a limit. */
  readonly rateLimit: RateLimit | undefined
}

/** Where a choice comes from: the register, a profile or an option at the start, or a switch, for all teams or for one. */
export type ChoiceSource = 'default' | 'profile' | 'start' | 'runTime' | 'team'

/** The choices of the start. */
export interface Start {
  /** Learned from a server. */
  readonly profile?: WrittenChoices
  /** Chosen by hand, which goes before. */
  readonly assume?: WrittenChoices
}

/** How many choices come from where. A choice by hand is a guess too. */
export interface CountOfChoices {
  readonly learned: number
  readonly chosen: number
  readonly assumed: number
}

/** Records the assumptions that users of a sandbox rely on, across resets. */
export interface Watch {
  /** Called for every request. */
  onUse(): void
  /** Called when a request relies on an assumption without a choice in an option, a profile or at run time. */
  onRelied(name: AssumptionName): void
}

type Learned = ReadonlySet<AssumptionName>

type Make = (chosen: Chosen, learned: Learned) => InForce

/** The current choices, for all teams and for teams with different ones. */
export class ChoicesInForce {
  #profile: WrittenChoices
  readonly #assume: WrittenChoices
  readonly #make: Make
  readonly #watch: Watch | undefined
  /** The choices that were switched at run time, for all teams and for one. */
  #switched: WrittenChoices = {}
  readonly #switchedOf = new Map<string, WrittenChoices>()
  #all: InForce
  readonly #teams = new Map<string, InForce>()

  constructor({ profile = {}, assume = {} }: Start, make: Make, watch?: Watch) {
    this.#profile = profile
    this.#assume = assume
    this.#make = make
    this.#watch = watch
    this.#all = this.#madeWith({})
  }

  of(teamId?: string): InForce {
    if (this.#teams.size === 0 || teamId === undefined) return this.#all
    return this.#teams.get(teamId) ?? this.#all
  }

  /** The choices for one request. */
  newAssumed(teamId?: string): Assumed {
    const watch = this.#watch
    watch?.onUse()
    return this.of(teamId).newAssumed(watch && this.#watchFor(watch, teamId))
  }

  /** The envelope for one response, which relies on assumptions that do not mark it. */
  envelopeFor(teamId: string): Envelope {
    if (this.#watch) unmarked.forEach(this.#watchFor(this.#watch, teamId))
    return this.of(teamId).envelope
  }

  /** Whether a team has different choices. */
  get differByTeam(): boolean {
    return this.#teams.size > 0
  }

  sourceOf(name: AssumptionName, teamId?: string): ChoiceSource {
    if (teamId !== undefined && this.#switchedOf.get(teamId)?.[name] !== undefined) return 'team'
    if (this.#switched[name] !== undefined) return 'runTime'
    if (this.#assume[name] !== undefined) return 'start'
    return this.#profile[name] === undefined ? 'default' : 'profile'
  }

  /** How many choices for all teams come from where. */
  count(): CountOfChoices {
    const sources = assumptionNames.map((name) => this.sourceOf(name))
    const learned = sources.filter((source) => source === 'profile').length
    const assumed = sources.filter((source) => source === 'default').length
    return { learned, chosen: sources.length - learned - assumed, assumed }
  }

  /** Applies the choices switched for all teams. A process of another version may have switched unknown assumptions. */
  switchAll(switched: WrittenChoices): void {
    if (isDeepStrictEqual(switched, this.#switched)) return
    this.#switched = switched
    this.#makeAll()
  }

  /** Replaces the choices that were learned from a server. */
  learn(profile: WrittenChoices): void {
    this.#profile = profile
    this.#makeAll()
  }

  /** Applies the choices switched for one team. */
  switchOf(teamId: string, switched: WrittenChoices = {}): void {
    if (isDeepStrictEqual(switched, this.#switchedOf.get(teamId) ?? {})) return
    this.#switchedOf.set(teamId, switched)
    this.#teams.set(teamId, this.#madeWith(switched))
    if (Object.keys(switched).length > 0) return
    this.#switchedOf.delete(teamId)
    this.#teams.delete(teamId)
  }

  #watchFor(watch: Watch, teamId: string | undefined): (name: AssumptionName) => void {
    return (name) => {
      if (this.sourceOf(name, teamId) === 'default') watch.onRelied(name)
    }
  }

  #makeAll(): void {
    this.#all = this.#madeWith({})
    for (const [teamId, own] of this.#switchedOf) this.#teams.set(teamId, this.#madeWith(own))
  }

  #madeWith(own: WrittenChoices): InForce {
    const byHand = { ...this.#assume, ...readable(this.#switched), ...readable(own) }
    const learned = assumptionNames.filter((name) => this.#profile[name] !== undefined && byHand[name] === undefined)
    return this.#make(chooseAll({ ...this.#profile, ...byHand }), new Set(learned))
  }
}

const readable = (choices: WrittenChoices): WrittenChoices =>
  Object.fromEntries(Object.entries(choices).filter(([name, choice]) => isReadable({ [name]: choice })))

function isReadable(choice: object): boolean {
  try {
    readProfile(choice)
    return true
  } catch (error) {
    if (error instanceof UnreadableChoice) return false
    throw error
  }
}
