import { freedoms } from './freedoms.ts'
import type { Knobs } from './knobs.ts'

/** These slow a server down, so that each of them takes minutes. */
const slow = /^(too fast|reads lag|answers take|bulk sends take)/

/** Knobs turned at random, the same for the same seed: about one in ten. */
export function combine(seed: number): { readonly names: readonly string[]; readonly choices: Partial<Knobs> } {
  const draw = randomFrom(seed)
  const names = Object.keys(freedoms).filter((name) => !slow.test(name) && draw() < 0.1)
  return { names, choices: Object.assign({}, ...names.map((name) => freedoms[name])) as Partial<Knobs> }
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
