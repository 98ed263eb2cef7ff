import { randomInt } from 'node:crypto'

/** How much a run tries: `npm test`, `.ci/run` or `npm run test:nightly`. */
const tiers = ['test', 'ci', 'nightly'] as const

/** Windows cannot set a variable in a script of package.json, so `npm run test:ci` sets the tier by its name. */
const wanted = process.env.CRM_SANDBOX_TEST_TIER ?? process.env.npm_lifecycle_event?.replace('test:', '')
export const tier = tiers.find((name) => name === wanted) ?? 'test'

/** The value for this run; a tier without a value takes the value of the tier below. */
export const inTier = <Value>({ test, ci = test, nightly = ci }: { test: Value; ci?: Value; nightly?: Value }): Value =>
  ({ test, ci, nightly })[tier]

/** The same in every `npm test`, another each day in CI, a random one at night; CRM_SANDBOX_TEST_SEED sets it. */
export const seed = Number(
  process.env.CRM_SANDBOX_TEST_SEED ??
    inTier({ test: 20260301, ci: Math.floor(Date.now() / 86_400_000), nightly: randomInt(2 ** 31) }),
)

/** This many of the items, by the seed; tests print the seed in their titles. */
export function sampleOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  const start = seed % Math.max(items.length, 1)
  const step = items.length / Math.min(count, items.length)
  return Array.from({ length: Math.min(count, items.length) }, (_, index) =>
    items.at((start + Math.floor(index * step)) % items.length),
  ).filter((item) => item !== undefined)
}

/** Numbers from 0 up to 1 that repeat with their seed (mulberry32). */
export function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
