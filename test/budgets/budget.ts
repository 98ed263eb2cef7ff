import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import { inTier, sampleOf } from '../tier.ts'

/** Fails when the value is above its goal. CI prints all budgets as a table. */
export function expectWithin(budget: string, value: number, goal: number): void {
  const file = process.env.CRM_SANDBOX_BUDGETS
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ budget, value, goal })}\n`)
  expect(value, budget).toBeLessThanOrEqual(goal)
}

/** V8 counts slowly: CI measures half of the cases each day. */
export const someOf = <Case>(cases: Readonly<Record<string, Case>>) => {
  const all = Object.entries(cases)
  return sampleOf(all, inTier({ test: all.length / 2, nightly: all.length }))
}
