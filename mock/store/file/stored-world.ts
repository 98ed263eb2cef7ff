import { randomBytes } from 'node:crypto'
import { type Kind, type Kinds, kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import type { Step } from '../journal.ts'
import { type Generation, newGeneration } from '../port.ts'
import { recordsOf, teamOf, teamWith } from '../teams.ts'
import type { Document, LogStart } from './document-file.ts'

/** The world as it is safe on disk, which lowdb holds. A change is applied after its line of the log was synced. */
export class StoredWorld implements Document {
  generation: Generation
  /** The log that goes on from the document. */
  log: LogStart
  /** Whether the store was closed, so that the log has no lines. */
  isClosed: boolean
  readonly #teams = new Map<string, StoredTeam>()

  constructor({ world, origins, generation, log, isClosed }: Document) {
    this.generation = generation ?? newGeneration(1)
    this.log = log ?? { number: 0, after: randomBytes(4).toString('hex') }
    this.isClosed = isClosed
    const originsById = new Map(origins.map((origin) => [origin._id, origin]))
    for (const team of world.teams) {
      const added = this.#add(teamOf(team))
      for (const kind of kinds) for (const record of recordsOf(team, kind)) added.insert(kind, record)
      added.origin = originsById.get(team._id)
    }
  }

  get world(): World {
    return { teams: [...this.#teams.values()].map((team) => team.asInWorld()) }
  }

  get origins(): readonly TeamInWorld[] {
    return [...this.#teams.values()].flatMap(({ origin }) => origin ?? [])
  }

  /** Throws when the step contradicts the stored records. */
  apply(step: Step): void {
    if ('insert' in step) this.#team(step.team).insert(step.insert, step.record)
    else if ('replace' in step) this.#team(step.team).replace(step.replace, step.record)
    else if ('remove' in step) this.#team(step.team).remove(step.remove, step.id)
    else if ('add' in step) this.#add(step.add)
    else if ('removeTeam' in step) this.#teams.delete(this.#team(step.removeTeam).onFile._id)
    else if ('began' in step) this.#team(step.began).origin = this.#team(step.began).asInWorld()
    else if ('empty' in step) this.#team(step.empty).empty()
    else {
      this.generation = step.reset
      this.#teams.clear()
    }
  }

  #add(onFile: TeamOnFile): StoredTeam {
    if (this.#teams.has(onFile._id)) throw new Error(`there are two teams ${onFile._id}`)
    const added = new StoredTeam(onFile)
    this.#teams.set(onFile._id, added)
    return added
  }

  #team(teamId: string): StoredTeam {
    const team = this.#teams.get(teamId)
    if (team) return team
    throw new Error(`there is no team ${teamId}`)
  }
}

class StoredTeam {
  readonly onFile: TeamOnFile
  origin: TeamInWorld | undefined
  /** In the order of creation. */
  readonly #records = Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as Record<Kind, RecordsById>

  constructor(onFile: TeamOnFile) {
    this.onFile = onFile
  }

  asInWorld(): TeamInWorld {
    return teamWith(this.onFile, (kind) => [...this.#records[kind].values()])
  }

  insert(kind: Kind, record: Kinds[Kind]): void {
    if (this.#records[kind].has(record._id)) throw new Error(`there are two ${record._id} in ${kind}`)
    this.#records[kind].set(record._id, record)
  }

  replace(kind: Kind, record: Kinds[Kind]): void {
    if (!this.#records[kind].has(record._id)) throw new Error(`there is no ${record._id} in ${kind}`)
    this.#records[kind].set(record._id, record)
  }

  remove(kind: Kind, id: string): void {
    if (!this.#records[kind].delete(id)) throw new Error(`there is no ${id} in ${kind}`)
  }

  empty(): void {
    for (const kind of kinds) this.#records[kind].clear()
  }
}

type RecordsById = Map<string, Kinds[Kind]>
