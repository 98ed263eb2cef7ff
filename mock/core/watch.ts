import type { AssumptionName } from '../../spec/assumptions.ts'

/** Records the assumptions that users of a sandbox rely on, across resets. */
export interface Watch {
  /** Called for every request. */
  onUse(): void
  /** Called when a request relies on an assumption without a choice in an option, a profile or at run time. */
  onRelied(name: AssumptionName): void
}
