import type { AssumptionName } from '../../spec/assumptions.ts'

/** Watches what the users of a sandbox rely on, whatever they reset or clear. */
export interface Watch {
  /** Something was asked for. */
  onUse(): void
  /** Something relied on an assumption for which nobody has chosen: not in an option, not in a profile, not at run time. */
  onRelied(name: AssumptionName): void
}
