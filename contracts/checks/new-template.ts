import { promise } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Target } from '../../client/target/target.ts'
import type { Tools } from '../../client/tools.ts'

export const templateTypes = promise('template.typesAreTaken').values

export type Fields = Readonly<Record<string, unknown>>

const documented: readonly string[] = [
  ...promise('template.getShowsTheTemplate').fields,
  ...promise('template.getShowsWhatElseWasGiven').fields,
]

/** A template as its create answers, and what a read has to show of it. */
export async function newTemplate({ ask, provider, some }: Tools, type: Schemas['TemplateType'], fields: object = {}) {
  const body = some.template[type](provider(type, 'id'), fields)
  const { data } = await ask('createTemplate', { body })
  return { created: data, shown: shownOf({ ...body, _id: data._id }) }
}

/** The fields that a read shows; which others it does is left open. */
export function shownOf(fields: object): Fields {
  return Object.fromEntries(Object.entries(fields as Fields).filter(([field]) => documented.includes(field)))
}

/** A type that goes to no platform and that there is a provider for, where it need be none in particular. */
export const plainType = ({ providers }: Target): 'sms' | 'email' =>
  providers.sms?.id !== undefined || providers.email?.id === undefined ? 'sms' : 'email'

export const at = ({ _id }: { readonly _id: string }) => ({ templateId: _id })
