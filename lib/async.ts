/** A value, or the promise of one. A promise for each available value would double what a request allocates. */
export type Awaitable<Value> = Value | Promise<Value>

/** Passes on an available value at once. */
export const andThen = <Value, Result>(value: Awaitable<Value>, use: (value: Value) => Awaitable<Result>) =>
  value instanceof Promise ? value.then(use) : use(value)

/** As `Promise.all`, at once if all values are available. */
export const allOf = <Value>(values: readonly Awaitable<Value>[]): Awaitable<readonly Value[]> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly Value[])

/** As `allOf`, for two values. */
export const bothOf = <One, Other>(one: Awaitable<One>, other: Awaitable<Other>): Awaitable<[One, Other]> =>
  one instanceof Promise || other instanceof Promise ? Promise.all([one, other]) : [one, other]

/** Creates the value on first use and caches it, unless its creation fails. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    if (made) return made.value
    const value = make()
    made = { value }
    if (value instanceof Promise)
      value.catch(() => {
        made = undefined
      })
    return value
  }
}

/** Runs tasks one after the other. A failed task does not stop the next. */
export function oneAtATime(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
