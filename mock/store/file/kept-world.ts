import { type Kind, type Kinds, kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import { newEra } from '../era.ts'
import { recordsOf, teamOf, teamWith } from '../team-and-records.ts'
import type { Document } from './document.ts'
import type { Happened, Step } from './happened.ts'
import { writeEra, type WrittenEra } from './written-era.ts'

/**
 * The world as it is safe on disk, without anything that is still being written: so a document of it can be made at any
 * moment. Records stand in the order of creation.
 */
export class KeptWorld {
  readonly #teams = new Map<string, KeptTeam>()
  #turns: number
  #era: WrittenEra

  constructor({ world, turns, era = writeEra(newEra(1)) }: Pick<Document, 'world' | 'turns' | 'era'>) {
    this.#turns = turns
    this.#era = era
    for (const team of world.teams) this.#add(team)
  }

  /** How much has happened since the file was made. */
  get turns(): number {
    return this.#turns
  }

  get era(): WrittenEra {
    return this.#era
  }

  /** Something that happened, in one or more parts. Throws when it cannot have happened in this world. */
  apply(parts: readonly Happened[]): void {
    for (const part of parts) this.#take(part)
    this.#turns++
  }

  asWorld(): World {
    return { teams: [...this.#teams.values()].map((team) => team.asInWorld()) }
  }

  #take(part: Happened): void {
    if ('turnOf' in part) this.#team(part.turnOf).take(part.steps)
    else if ('teamAdded' in part) this.#add(part.teamAdded)
    else if ('teamRemoved' in part) this.#teams.delete(this.#team(part.teamRemoved).id)
    else this.#become(part.became, part.era)
  }

  #team(teamId: string): KeptTeam {
    const team = this.#teams.get(teamId)
    if (!team) throw new Error(`there is no team ${teamId}`)
    return team
  }

  #add(inWorld: TeamInWorld): void {
    if (this.#teams.has(inWorld._id)) throw new Error(`there are two teams ${inWorld._id}`)
    this.#teams.set(inWorld._id, new KeptTeam(inWorld))
  }

  #become(world: World, era: WrittenEra): void {
    this.#era = era
    this.#teams.clear()
    for (const team of world.teams) this.#add(team)
  }
}

class KeptTeam {
  readonly #team: TeamOnFile
  readonly #records = Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as Record<Kind, RecordsById>

  constructor(inWorld: TeamInWorld) {
    this.#team = teamOf(inWorld)
    for (const kind of kinds) for (const record of recordsOf(inWorld, kind)) this.#step({ insert: kind, record })
  }

  get id(): string {
    return this.#team._id
  }

  take(steps: readonly Step[]): void {
    for (const step of steps) this.#step(step)
  }

  asInWorld(): TeamInWorld {
    return teamWith(this.#team, (kind) => [...this.#records[kind].values()])
  }

  #step(step: Step): void {
    if ('insert' in step) this.#put(step.insert, step.record, false)
    else if ('replace' in step) this.#put(step.replace, step.record, true)
    else if (!this.#records[step.remove].delete(step.id)) throw new Error(`there is no ${step.id} in ${step.remove}`)
  }

  #put(kind: Kind, record: Kinds[Kind], isKnown: boolean): void {
    const records = this.#records[kind]
    if (records.has(record._id) !== isKnown) {
      throw new Error(`there ${isKnown ? 'is no' : 'are two'} ${record._id} in ${kind}`)
    }
    records.set(record._id, record)
  }
}

type RecordsById = Map<string, Kinds[Kind]>
