import type { Assumed, Hear } from '../../spec/assumed.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import { chooseAll, type Chosen, type WrittenChoices } from '../../spec/choices.ts'
import type { Envelope } from './envelope.ts'
import type { RateLimit } from './rate-limit.ts'

/** What works by the choices. It is made anew when one is switched, so that a request only reads it. */
export interface InForce {
  readonly chosen: Chosen
  readonly newAssumed: (hear?: Hear) => Assumed
  readonly envelope: Envelope
  /** Undefined without a limit. */
  readonly rateLimit: RateLimit | undefined
}

/** Where a choice comes from: the register, the start of the sandbox, or a switch, for all teams or for one. */
export type Origin = 'default' | 'start' | 'runTime' | 'team'

type Make = (chosen: Chosen) => InForce

/** The choices that hold now, for all teams and for those that have choices of their own. */
export class ChoicesInForce {
  readonly #start: WrittenChoices
  readonly #make: Make
  #switched: WrittenChoices = {}
  #all: InForce
  readonly #teams = new Map<string, OfTeam>()

  constructor(start: WrittenChoices, make: Make) {
    this.#start = start
    this.#make = make
    this.#all = make(chooseAll(start))
  }

  of(teamId?: string): InForce {
    if (this.#teams.size === 0 || teamId === undefined) return this.#all
    return this.#teams.get(teamId)?.inForce ?? this.#all
  }

  /** Whether a team has choices of its own. */
  get differByTeam(): boolean {
    return this.#teams.size > 0
  }

  originOf(name: AssumptionName, teamId?: string): Origin {
    const own = teamId === undefined ? undefined : this.#teams.get(teamId)?.own
    if (own?.[name] !== undefined) return 'team'
    if (this.#switched[name] !== undefined) return 'runTime'
    return this.#start[name] === undefined ? 'default' : 'start'
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
    return this.#make(chooseAll({ ...this.#start, ...this.#switched, ...own }))
  }
}

interface OfTeam {
  readonly own: WrittenChoices
  readonly inForce: InForce
}
