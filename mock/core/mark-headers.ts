import type { Answered } from './answered.ts'

/** The headers that name what an answer relied on: guesses, and what was learned from a server. */
export const markNames = { assumed: 'x-sandbox-assumed', learned: 'x-sandbox-learned' } as const

export function markHeaders({ assumed, learned }: Pick<Answered, 'assumed' | 'learned'>): Record<string, string> {
  const guesses = assumed.length > 0 ? { [markNames.assumed]: assumed.join(', ') } : {}
  return learned === undefined ? guesses : { ...guesses, [markNames.learned]: learned.join(', ') }
}
