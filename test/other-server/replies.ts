import type { Knobs } from './knobs.ts'
import type { Fields, Stored, Team } from './team.ts'

/** A request that was understood, as an operation gets it. */
export interface Given {
  readonly team: Team
  readonly caller: { readonly user: string | undefined; readonly role: 'admin' | 'agent' }
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly body: unknown
  /** Its Idempotency-Key. */
  readonly key?: string | undefined
  /** The body was a form, with these files. */
  readonly form: { readonly files: readonly string[]; readonly bytes: number } | undefined
  readonly knobs: Knobs
}

export interface Reply {
  readonly status: number
  readonly message: string
  readonly data?: Fields | readonly Fields[]
  readonly pagination?: Fields
}

export type Operation = (given: Given) => Reply

export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function refuse(knobs: Knobs, status = 400): never {
  throw new Refusal(status, status === 404 ? knobs.text404 : knobs.text400)
}

export const refuseUnless = (isFine: boolean, knobs: Knobs, status = 400): void => {
  if (!isFine) refuse(knobs, status)
}

/** The record that the path names. */
export function recordAt({ team, path, knobs }: Given, kind: Parameters<Team['shelf']>[0], lag = 0): Stored {
  return team.shelf(kind).get(path[0] ?? '', lag) ?? refuse(knobs, 404)
}

/** A delete of an unknown id may succeed. */
export function recordToDelete(given: Given, kind: Parameters<Team['shelf']>[0]): Stored | undefined {
  const record = given.team.shelf(kind).get(given.path[0] ?? '')
  return record ?? (given.knobs.deleteOfUnknown === 200 ? undefined : refuse(given.knobs, 404))
}

/** Fields that cannot be an empty text. */
const numbers: readonly string[] = ['amount', 'unitCost', 'unitPrice', 'employeeCount', 'annualRevenue']

/** Fields that lack a value as the server shows that. */
export function showLacking(fields: Fields, names: readonly string[], { lacking }: Knobs): Fields {
  const shown = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  if (lacking === 'absent') return shown
  const lack = lacking === 'null' ? null : ''
  const texts = lacking === 'null' ? names : names.filter((name) => !numbers.includes(name))
  return { ...Object.fromEntries(texts.map((name) => [name, lack])), ...shown }
}
