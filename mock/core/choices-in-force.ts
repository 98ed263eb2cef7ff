import type { Assumed, Hear } from '../../spec/assumed.ts'
import { type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import { chooseAll, type Chosen, type WrittenChoices } from '../../spec/choices.ts'
import type { Envelope } from './operation.ts'
import type { RateLimit } from './rate-limit.ts'

/** Objects built from the choices. They are rebuilt when a choice is switched, so that a request only reads them. */
export interface InForce {
  readonly chosen: Chosen
  readonly newAssumed: (hear?: Hear) => Assumed
  readonly envelope: Envelope
  /** Undefined without a limit. */
  readonly rateLimit: RateLimit | undefined
}

/** Where a choice comes from: the register, a profile or an option at the start, or a switch, for all teams or for one. */
export type Origin = 'default' | 'profile' | 'start' | 'runTime' | 'team'

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

type Learned = ReadonlySet<AssumptionName>

type Make = (chosen: Chosen, learned: Learned) => InForce

/** The current choices, for all teams and for teams with different ones. */
export class ChoicesInForce {
  readonly #profile: WrittenChoices
  readonly #assume: WrittenChoices
  readonly #make: Make
  #switched: WrittenChoices = {}
  #all: InForce
  readonly #teams = new Map<string, OfTeam>()

  constructor({ profile = {}, assume = {} }: Start, make: Make) {
    this.#profile = profile
    this.#assume = assume
    this.#make = make
    this.#all = this.#madeWith({})
  }

  of(teamId?: string): InForce {
    if (this.#teams.size === 0 || teamId === undefined) return this.#all
    return this.#teams.get(teamId)?.inForce ?? this.#all
  }

  /** Whether a team has different choices. */
  get differByTeam(): boolean {
    return this.#teams.size > 0
  }

  originOf(name: AssumptionName, teamId?: string): Origin {
    const own = teamId === undefined ? undefined : this.#teams.get(teamId)?.own
    if (own?.[name] !== undefined) return 'team'
    if (this.#switched[name] !== undefined) return 'runTime'
    if (this.#assume[name] !== undefined) return 'start'
    return this.#profile[name] === undefined ? 'default' : 'profile'
  }

  /** How many choices for all teams come from where. */
  count(): CountOfChoices {
    const origins = assumptionNames.map((name) => this.originOf(name))
    const learned = origins.filter((origin) => origin === 'profile').length
    const assumed = origins.filter((origin) => origin === 'default').length
    return { learned, chosen: origins.length - learned - assumed, assumed }
  }

  switchForAll(choices: WrittenChoices): void {
    this.#switched = { ...this.#switched, ...choices }
    this.#makeAll()
  }

  switchFor(teamId: string, choices: WrittenChoices): void {
    const own = { ...this.#teams.get(teamId)?.own, ...choices }
    this.#teams.set(teamId, { own, inForce: this.#madeWith(own) })
  }

  /** Back to the choices of the start, for all teams. */
  restart(): void {
    this.#teams.clear()
    this.#switched = {}
    this.#makeAll()
  }

  /** Back to the choices of all teams. */
  forget(teamId: string): void {
    this.#teams.delete(teamId)
  }

  /** Forgets the choices of teams that there are no more. */
  keepOnly(teamIds: readonly string[]): void {
    for (const teamId of this.#teams.keys()) if (!teamIds.includes(teamId)) this.forget(teamId)
  }

  #makeAll(): void {
    this.#all = this.#madeWith({})
    for (const [teamId, { own }] of this.#teams) this.#teams.set(teamId, { own, inForce: this.#madeWith(own) })
  }

  #madeWith(own: WrittenChoices): InForce {
    const byHand = { ...this.#assume, ...this.#switched, ...own }
    const learned = assumptionNames.filter((name) => this.#profile[name] !== undefined && byHand[name] === undefined)
    return this.#make(chooseAll({ ...this.#profile, ...byHand }), new Set(learned))
  }
}

interface OfTeam {
  readonly own: WrittenChoices
  readonly inForce: InForce
}
