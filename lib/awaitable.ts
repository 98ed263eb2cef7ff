/** A value, or the promise of one. A promise for each value that is there would double what a request allocates. */
export type Awaitable<Value> = Value | Promise<Value>

/** Passes on a value at once if it is there. */
export const pass = <Value, Result>(value: Awaitable<Value>, use: (value: Value) => Awaitable<Result>) =>
  value instanceof Promise ? value.then(use) : use(value)

/** As `Promise.all`, at once if all values are there. */
export const allOf = <Value>(values: readonly Awaitable<Value>[]): Awaitable<readonly Value[]> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly Value[])

/** As `allOf`, for two values. */
export const both = <One, Other>(one: Awaitable<One>, other: Awaitable<Other>): Awaitable<[One, Other]> =>
  one instanceof Promise || other instanceof Promise ? Promise.all([one, other]) : [one, other]
