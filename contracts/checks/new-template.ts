import { expect } from 'vitest'
import type { Fields } from '../../client/answer.ts'
import type { Tools } from '../../client/tools.ts'
import { promise } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'

export const templateTypes = promise('template.typesAreTaken').values

const documented: readonly string[] = [
  ...promise('template.getShowsTheTemplate').fields,
  ...promise('template.getShowsWhatElseWasGiven').fields,
]

/** A template as its create answers, and the fields that a read has to show of it. */
export async function newTemplate({ ask, some }: Tools, type: Schemas['TemplateType'], fields: object = {}) {
  const body = some.template[type](fields)
  const { data } = await ask('createTemplate', { body })
  return { created: data, shown: shownOf({ ...body, _id: data._id }) }
}

/** The fields that a read shows; which others it shows is left open. */
export function shownOf(fields: object): Fields {
  const shown = Object.entries(fields as Fields).filter(([field]) => documented.includes(field))
  return Object.fromEntries(shown.map(([field, value]) => [field, value === 'UTILITY' ? utilityOrMoved : value]))
}

/** The messaging platform moves a template that it takes for advertising. */
const utilityOrMoved: unknown = expect.stringMatching(/^(UTILITY|MARKETING)$/)

export const at = ({ _id }: { readonly _id: string }) => ({ templateId: _id })
