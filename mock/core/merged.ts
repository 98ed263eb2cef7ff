/** As `{ ...first, ...second }`; but that takes up to fifty times as long on Node 20, and every answer is merged. */
export function merged<First extends object, Second extends object>(first: First, second: Second): First & Second
export function merged<First extends object, Second extends object, Third extends object>(
  first: First,
  second: Second,
  third: Third,
): First & Second & Third
export function merged(first: object, second: object, third?: object): object {
  return Object.assign({}, first, second, third)
}
