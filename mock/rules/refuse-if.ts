import type { Assumed } from '../../spec/assumed.ts'
import type { AssumptionName, Choice } from '../../spec/assumptions.ts'
import { NotFound, refuse } from '../core/refusals.ts'

/** Refuses the request when the assumption has this choice. Call it only where the choice decides. */
export function refuseIf<Name extends AssumptionName>(
  assumed: Assumed,
  assumption: Name,
  choice: Choice<Name>,
  sentence: string,
  field?: string,
): void {
  const inForce: string = assumed[assumption]
  if (inForce === choice) refuse(sentence, { assumption, field })
}

/** Refuses a reference to an unknown record; the assumption chooses 404 or 400 with this sentence. */
export function refuseUnknown(
  assumed: Assumed,
  assumption: 'malformedId' | 'quoteOfUnknownDeal' | 'unknownTarget' | 'unknownTemplate',
  sentence: string,
  field: string,
): never {
  if (assumed[assumption] === 'notFound') throw new NotFound({ assumption, field })
  refuse(sentence, { assumption, field })
}
