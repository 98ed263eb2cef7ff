import { randomBytes } from 'node:crypto'
import { type Kind, type Kinds, kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import type { Entry } from '../journal.ts'
import { type Generation, newGeneration } from '../port.ts'
import type { Document, LogStart, StoredGeneration } from './document-file.ts'
import { recordsOf, teamOf, teamWith } from '../teams.ts'

/** One change, as a line of the log holds it. `of` is missing for the teams themselves. */
export type Step =
  | { readonly insert: Kind; readonly team: string; readonly record: Kinds[Kind]; readonly of?: 'origins' }
  | { readonly replace: Kind; readonly team: string; readonly record: Kinds[Kind] }
  | { readonly remove: Kind; readonly team: string; readonly id: string }
  | { readonly add: TeamOnFile; readonly of?: 'origins' }
  | { readonly removeTeam: string; readonly of?: 'origins' }
  | { readonly empty: string }
  | { readonly reset: StoredGeneration }

/** The steps of an entry. */
export function* stepsOf(entry: Entry): Generator<Step> {
  if ('changes' in entry) {
    for (const { kind, id, was, is } of entry.changes) {
      if (!is) yield { remove: kind, team: entry.teamId, id }
      else yield { [was ? 'replace' : 'insert']: kind, team: entry.teamId, record: is } as Step
    }
  } else if ('refilled' in entry) {
    yield { empty: entry.refilled._id }
    yield* insertsOf(entry.refilled)
  } else if ('teamRemoved' in entry) yield { removeTeam: entry.teamRemoved }
  else if ('teamAdded' in entry) yield* additionOf(entry.teamAdded)
  else if ('originsPut' in entry) for (const team of entry.originsPut) yield* additionOf(team, { of: 'origins' })
  else if ('originsRemoved' in entry) for (const id of entry.originsRemoved) yield { removeTeam: id, of: 'origins' }
  else {
    yield { reset: toStored(entry.generation) }
    for (const team of entry.world.teams) yield* additionOf(team)
  }
}

interface Place {
  readonly of?: 'origins'
}

function* additionOf(team: TeamInWorld, place: Place = {}): Generator<Step> {
  yield { add: teamOf(team), ...place }
  yield* insertsOf(team, place)
}

function* insertsOf(team: TeamInWorld, place: Place = {}): Generator<Step> {
  for (const insert of kinds)
    for (const record of recordsOf(team, insert)) yield { insert, team: team._id, record, ...place }
}

/** The world as it is safe on disk, which lowdb holds. A change is applied after its line of the log was synced. */
export class StoredWorld implements Document {
  generation: StoredGeneration
  /** The log that goes on from the document. */
  log: LogStart
  /** Whether the store was closed, so that the log has no lines. */
  isClosed: boolean
  readonly #teams = new Map<string, StoredTeam>()
  readonly #origins = new Map<string, StoredTeam>()

  constructor({ world, origins, generation, log, isClosed }: Document) {
    this.generation = generation ?? toStored(newGeneration(1))
    this.log = log ?? { number: 0, after: randomBytes(4).toString('hex') }
    this.isClosed = isClosed
    for (const team of world.teams) this.#fill('teams', team)
    for (const team of origins) this.#fill('origins', team)
  }

  get world(): World {
    return { teams: worldsOf(this.#teams) }
  }

  get origins(): readonly TeamInWorld[] {
    return worldsOf(this.#origins)
  }

  /** Throws when the step contradicts the stored records. */
  apply(step: Step): void {
    if ('insert' in step) this.#team(step.team, step.of).insert(step.insert, step.record)
    else if ('replace' in step) this.#team(step.team).replace(step.replace, step.record)
    else if ('remove' in step) this.#team(step.team).remove(step.remove, step.id)
    else if ('add' in step) this.#add(step.add, step.of)
    else if ('removeTeam' in step) this.#remove(step.removeTeam, step.of)
    else if ('empty' in step) this.#team(step.empty).empty()
    else {
      this.generation = step.reset
      this.#teams.clear()
    }
  }

  #fill(of: List, team: TeamInWorld): void {
    const added = this.#add(teamOf(team), of)
    for (const kind of kinds) for (const record of recordsOf(team, kind)) added.insert(kind, record)
  }

  /** An origin takes the place of the one before. */
  #add(team: TeamOnFile, of: List = 'teams'): StoredTeam {
    const list = this.#list(of)
    if (of === 'teams' && list.has(team._id)) throw new Error(`there are two teams ${team._id}`)
    const added = new StoredTeam(team)
    list.set(team._id, added)
    return added
  }

  #remove(teamId: string, of?: List): void {
    if (!this.#list(of).delete(teamId) && of === undefined) throw new Error(`there is no team ${teamId}`)
  }

  #team(teamId: string, of?: List): StoredTeam {
    const team = this.#list(of).get(teamId)
    if (team) return team
    throw new Error(`there is no team ${teamId}`)
  }

  #list(of: List = 'teams'): Map<string, StoredTeam> {
    return of === 'teams' ? this.#teams : this.#origins
  }
}

type List = 'teams' | 'origins'

class StoredTeam {
  readonly #team: TeamOnFile
  readonly #records = Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as Record<Kind, RecordsById>

  constructor(team: TeamOnFile) {
    this.#team = team
  }

  asInWorld(): TeamInWorld {
    return teamWith(this.#team, (kind) => [...this.#records[kind].values()])
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

/** In the order of creation. */
type RecordsById = Map<string, Kinds[Kind]>

const worldsOf = (teams: ReadonlyMap<string, StoredTeam>) => [...teams.values()].map((team) => team.asInWorld())

const toStored = ({ epoch, tokenSecret }: Generation): StoredGeneration => ({
  epoch,
  tokenSecret: Buffer.from(tokenSecret).toString('base64url'),
})

export const fromStored = ({ epoch, tokenSecret }: StoredGeneration): Generation => ({
  epoch,
  tokenSecret: new Uint8Array(Buffer.from(tokenSecret, 'base64url')),
})
