import type { ByChoice } from '../../spec/assumptions.ts'
import { refuse } from '../core/refusals.ts'
import type { Turn } from '../core/turn.ts'

/** The specification gives prices and amounts no lower bound. */
export function checkNotNegative(numbers: Readonly<Record<string, number | undefined>>, { assumed }: Turn): void {
  for (const [field, number = 0] of Object.entries(numbers)) {
    if (number < 0) numberRange[assumed.numberRange](field)
  }
}

const numberRange: ByChoice<'numberRange', (field: string) => void> = {
  accepted: () => undefined,
  refused: (field) => refuse(`${field} must be at least 0`, { assumption: 'numberRange', field }),
}
