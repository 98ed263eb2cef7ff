import { freedoms } from './freedoms.ts'
import type { Knobs } from './knobs.ts'
import { randomFrom } from './random.ts'

/** These slow a server down, so that each of them takes minutes. */
const slow = /^(too fast|reads lag|answers take|an answer takes|the server (is too busy|refuses)|bulk sends take)/

/** Knobs turned at random, the same for the same seed: about one in ten. */
export function combine(seed: number): { readonly names: readonly string[]; readonly choices: Partial<Knobs> } {
  const draw = randomFrom(seed)
  const names = Object.keys(freedoms).filter((name) => !slow.test(name) && draw() < 0.1)
  return { names, choices: Object.assign({}, ...names.map((name) => freedoms[name])) as Partial<Knobs> }
}
