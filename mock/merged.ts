/** As `{ ...first, ...second }`; but that takes up to fifty times as long on Node 20, and every answer is merged. */
export function merged<First extends object, Second extends object>(first: First, second: Second): First & Second {
  return Object.assign({}, first, second)
}
