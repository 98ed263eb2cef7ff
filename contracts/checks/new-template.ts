import { plainType } from '../../client/bodies.ts'
import { expect } from 'vitest'
import type { Fields } from '../../client/answer.ts'
import type { Tools } from '../../client/tools.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { promise } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'

export const templateTypes = promise('template.typesAreTaken').values

const documented: readonly string[] = [
  ...promise('template.getShowsTheTemplate').fields,
  ...promise('template.getShowsWhatElseWasGiven').fields,
]

/** A template that no platform has to approve. */
export const plainTemplate = ({ make, target }: Tools) => make.template(plainType(target))

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

/** Fields that no other template of the type is created with. */
export const unlike = {
  sms: { language: 'de' },
  email: { language: 'de', subject: 'Guten Tag' },
  whatsapp: { language: 'de', category: 'MARKETING' },
} as const

/** The platform refuses some changes of a template, all while it decides on it, so a server may do so too. */
export async function checkEditable(
  { call }: Tools,
  template: Schemas['TemplateCreated'],
  body: object,
): Promise<void> {
  if (template.templateType !== 'whatsapp') return
  if ((await call('updateTemplate', { path: at(template), body })).succeeded) return
  throw new Inconclusive('this server refuses to change this of a WhatsApp template, as the platform may')
}

/** Another content, with as many placeholders as before, which would want samples. */
export const contentFor = (type: Schemas['TemplateType']) =>
  type === 'whatsapp' ? 'Order {{1}} has left' : 'We open at ten.'
