import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Fails when the value is above its goal. CI prints all budgets as a table. */
export function expectWithin(budget: string, value: number, goal: number): void {
  const file = process.env.CRM_SANDBOX_BUDGETS
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ budget, value, goal })}\n`)
  expect(value, budget).toBeLessThanOrEqual(goal)
}
