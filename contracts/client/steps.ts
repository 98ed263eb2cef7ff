import { fieldsOf } from './answer.ts'
import type { Mint } from './mint.ts'
import type { Input } from './request.ts'
import type { OperationId } from '../../spec/types.ts'

/**
 * A request for both sides. A value that is not the same on both sides is a name, such as `«number 3»`, or
 * `«from 5 data._id»` for the id in the answer to step 5.
 */
export interface Step {
  readonly n: number
  readonly operation: OperationId
  readonly input: Input
  /** Milliseconds to wait after a success. */
  readonly pause: number
}

export type Steps = readonly Step[]

const anyName = /«[^»]*»/g

/** The names in a step, such as `email 3`, in lower case. */
export function namesIn({ input }: Step): string[] {
  return (JSON.stringify(input).match(anyName) ?? []).map((name) => name.slice(1, -1).toLowerCase())
}

/** Replaces the names in all texts of an input; a text that is only a name may become another type. */
export const fillIn = (input: Input, valueOf: (name: string) => unknown) => fillInAll(input, valueOf) as Input

function fillInAll(value: unknown, valueOf: (name: string) => unknown): unknown {
  if (typeof value === 'string') {
    if (/^«[^»]*»$/.test(value)) return valueOf(value.slice(1, -1))
    return value.replace(anyName, (name) => String(valueOf(name.slice(1, -1))))
  }
  if (Array.isArray(value)) return value.map((item) => fillInAll(item, valueOf))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fillInAll(field, valueOf)]))
}

/** Makes the value of a name, by its first word. */
export const makers = {
  letters: (mint: Mint) => mint.letters,
  LETTERS: (mint: Mint) => mint.letters.toUpperCase(),
  number: (mint: Mint) => String(mint.number()),
  phone: (mint: Mint) => mint.phone(),
  key: (mint: Mint) => mint.key(),
  unknown: (mint: Mint) => mint.unknownId(),
}

/** The text or number at such a path in a body: `data._id`. */
export function valueAt(body: unknown, path: string): unknown {
  const value = path.split('.').reduce<unknown>((inside, step) => fieldsOf(inside)[step], body)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}
