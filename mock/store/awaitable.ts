/** What is there at once, or promised. */
export type Awaitable<Value> = Value | Promise<Value>

/** Goes on with the value: at once when it is there, for every promise that is waited for costs a part of an answer. */
export function afterwards<Value, Result>(
  value: Awaitable<Value>,
  goOn: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(goOn) : goOn(value)
}
