import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import { inTier, sampleOf } from '../tier.ts'

/** Fails when the value is above its goal. */
export function expectWithin(budget: string, value: number, goal: number): void {
  report(budget, value, goal)
  expect(value, budget).toBeLessThanOrEqual(goal)
}

/** Adds a row to the table of budgets that CI prints. */
export function report<Value>(budget: string, value: Value, goal: Value): void {
  const file = process.env.CRM_SANDBOX_BUDGETS
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ budget, value, goal })}\n`)
}

/** V8 counts slowly: CI measures a quarter of the cases each day. */
export const someOf = <Case>(cases: Readonly<Record<string, Case>>) => {
  const all = Object.entries(cases)
  return sampleOf(all, inTier({ test: Math.ceil(all.length / 4), nightly: all.length }))
}
