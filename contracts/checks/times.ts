import { expect } from 'vitest'

/** ISO 8601, to the minute at least. */
export const timestamp: unknown = expect.stringMatching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/,
)

/** The unit to which a time is given, in milliseconds. */
export function unitOf(time: string): number {
  if (!/T\d\d:\d\d:\d\d/.test(time)) return 60_000
  return /[.,]\d/.test(time) ? 1 : 1000
}

/** Expects two answers to give the same time. */
export function expectSameTime(one: string, other: string): void {
  expect(isSameTime(one, other) ? other : one).toBe(other)
}

/** Whether two answers give the same time, each in its own precision, rounded or cut. */
function isSameTime(one: string, other: string): boolean {
  const unit = Math.max(unitOf(one), unitOf(other))
  return Math.abs(Date.parse(one) - Date.parse(other)) < (unit === 1 ? 1 : unit)
}
