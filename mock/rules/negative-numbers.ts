import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { refuse } from '../replies.ts'

/** Prices and amounts are documented as numbers, and not as larger than nothing. */
export function checkNegatives(numbers: Readonly<Record<string, number | undefined>>, assumed: Assumed): void {
  for (const [field, number = 0] of Object.entries(numbers)) {
    if (number < 0) numberRange[assumed.numberRange](field)
  }
}

const numberRange: ByChoice<'numberRange', (field: string) => void> = {
  accepted: () => undefined,
  refused: (field) => refuse(`${field} must be at least 0`),
}
