/** The one value that all have; nothing when they differ. */
export const unanimous = <Value>(all: readonly Value[]): Value | undefined =>
  new Set(all).size === 1 ? all[0] : undefined

/** The most frequent value, when at least this share of all have it. */
export function usualOf<Value>(all: readonly Value[], share: number): Value | undefined {
  const counts = new Map<Value, number>()
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1)
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  return most && most[1] >= share * all.length ? most[0] : undefined
}
