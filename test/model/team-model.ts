import type { Clock } from '../../mock/core/clock.ts'
import { type Kind, kinds } from '../kinds.ts'
import { Keys } from './keys.ts'
import { Name } from './names.ts'

export interface Item {
  readonly _id: Name
  [field: string]: any
}

/** A request as it is sent, with real ids. */
export interface Asked {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, any>>
  readonly body: any
  readonly by: 'key' | 'admin' | 'agent'
}

/** The expected answer. */
export interface Reply {
  readonly status: number
  readonly data?: unknown
  readonly pagination?: unknown
  readonly says?: RegExp
}

/** The request must be refused. With several mistakes, any of their statuses is accepted. */
export class Refused extends Error {
  readonly statuses: readonly number[]

  constructor(...statuses: number[]) {
    super(`a refusal: ${statuses.join(' or ')}`)
    this.statuses = statuses
  }
}

export function refuseIf(wrong: { 400?: boolean; 404?: boolean }): void {
  const statuses = ([400, 404] as const).filter((status) => wrong[status])
  if (statuses.length > 0) throw new Refused(...statuses)
}

/** The records of a team as they must be by the document and the assumed choices: plain lists, oldest first. */
export class TeamModel {
  readonly name: string
  readonly clock: Clock
  readonly has = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Readonly<Record<Kind, Item[]>>
  readonly gone = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Readonly<Record<Kind, string[]>>
  readonly keys: Keys
  /** Foreign ids that the team has sent itself, so that an answer may show them. */
  readonly said = new Set<string>()

  constructor(name: string, clock: Clock) {
    this.name = name
    this.clock = clock
    this.keys = new Keys(clock)
  }

  now(): string {
    return new Date(this.clock.now()).toISOString()
  }

  add(kind: Kind, fields: object): Item {
    const item = { _id: new Name(this.name), ...fields }
    this.has[kind].push(item)
    return item
  }

  get(kind: Kind, id: unknown): Item | undefined {
    return this.has[kind].find(({ _id }) => _id.real !== undefined && _id.real === id)
  }

  found(kind: Kind, id: unknown): Item {
    const item = this.get(kind, id)
    if (!item) throw new Refused(404)
    return item
  }

  remove(kind: Kind, item: Item): void {
    this.has[kind].splice(this.has[kind].indexOf(item), 1)
    if (item._id.real !== undefined) this.gone[kind].push(item._id.real)
  }
}
