import type { Input } from '../../client/request.ts'
import type { OperationId } from '../../spec/types.ts'

/**
 * A request of a walk, as both sides get it. What is not the same on both stands in it as a name, such as `«email 3»` or
 * `«from 5 data._id»`, the id in the answer to step 5.
 */
export interface Step {
  /** Its number, which it keeps when other steps are left out. */
  readonly n: number
  readonly operation: OperationId
  readonly input: StepInput
  /** Milliseconds to let pass once it has succeeded. */
  readonly pause?: number
}

/** A form stands as its fields. */
export type StepInput = Omit<Input, 'form'> & { readonly fields?: Readonly<Record<string, string>> }

export type Walk = readonly Step[]

const anyName = /«[^»]*»/g

/** The names in a step, such as `email 3`, in lower case. */
export function namesIn({ input }: Step): string[] {
  return (JSON.stringify(input).match(anyName) ?? []).map((name) => name.slice(1, -1).toLowerCase())
}

/** The steps whose answers a step takes something from. */
export function stepsBefore(step: Step): number[] {
  return namesIn(step).flatMap((name) => {
    const [, n] = /^from (\d+) /.exec(name) ?? []
    return n === undefined ? [] : [Number(n)]
  })
}

/** Replaces the names in all texts of a value; a text that is nothing but a name may become something else. */
export function fillIn(value: unknown, valueOf: (name: string) => unknown): unknown {
  if (typeof value === 'string') {
    if (/^«[^»]*»$/.test(value)) return valueOf(value.slice(1, -1))
    return value.replace(anyName, (name) => String(valueOf(name.slice(1, -1))))
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, valueOf))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fillIn(field, valueOf)]))
}

/** A whole number below a limit, drawn at random. */
export type Draw = (below: number) => number

/** The same numbers for the same seed (mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
