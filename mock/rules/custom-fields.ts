import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import type { Turn } from '../core/turn.ts'

type CustomFields = Schemas['AdditionalFields']

/** The specification does not say whether the key of a custom field must be defined before it is used. */
export function acceptCustomFields<F extends { additionalFields?: CustomFields }>(fields: F, turn: Turn): F {
  const { additionalFields } = fields
  if (additionalFields === undefined) return fields
  const defined = new Set(turn.team.onFile.customFields)
  const strange = Object.keys(additionalFields).find((key) => !defined.has(key))
  if (strange === undefined) return fields
  const accepted = undefinedCustomField[turn.assumed.undefinedCustomField](additionalFields, defined, strange)
  return { ...fields, additionalFields: accepted }
}

type Accept = (sent: CustomFields, defined: ReadonlySet<string>, strange: string) => CustomFields

const undefinedCustomField: ByChoice<'undefinedCustomField', Accept> = {
  stored: (sent) => sent,
  dropped: (sent, defined) => Object.fromEntries(Object.entries(sent).filter(([key]) => defined.has(key))),
  refused: (_sent, _defined, strange) =>
    refuse(`additionalFields has no field ${strange.slice(0, 60)} in this team`, {
      assumption: 'undefinedCustomField',
      field: 'additionalFields',
    }),
}
