import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Body } from './body-fields.ts'

/** The lists of a form, except the buttons, of which the specification says that they are JSON. */
const lists = [
  'variables',
  'bodyVariableSampleValues',
  'headerVariables',
  'headerVariableSampleValues',
] as const satisfies (keyof Schemas['WhatsappTemplateForm'])[]

/** The specification does not say whether a list can be sent as JSON in one field. */
export function readFormLists(fields: Body, assumed: Assumed): Body {
  const read = lists.flatMap((field) => {
    const items = itemsIn(fields[field])
    return items === undefined ? [] : [[field, items] as const]
  })
  return read.length === 0 ? fields : formList[assumed.formList](fields, Object.fromEntries(read))
}

const formList: ByChoice<'formList', (fields: Body, read: Body) => Body> = {
  list: (fields, read) => ({ ...fields, ...read }),
  oneItem: (fields) => fields,
}

/** The items of a list of texts and numbers that is written as JSON. */
function itemsIn(text: unknown): readonly unknown[] | undefined {
  if (typeof text !== 'string' || !/^\s*\[[^[{]*\]\s*$/.test(text)) return undefined
  try {
    return JSON.parse(text) as readonly unknown[]
  } catch {
    return undefined
  }
}
