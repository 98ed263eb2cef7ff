import type { TemplateRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import { document } from '../../../spec/document.ts'
import { fieldsOf } from '../../../spec/fields.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'

type Template = Schemas['Template']

/** promise template.getShowsTheTemplate: the documented fields. Whether others are shown too is not documented. */
export function shownTemplate(template: TemplateRecord, { assumed }: Turn): Template {
  const isAllDocumented = Object.keys(template).every((field) => documented.has(field) || notSent.has(field))
  return isAllDocumented ? pick(template, documented) : templateFields[assumed.templateFields](template)
}

const documented = new Set(fieldsOf(document, { $ref: '#/components/schemas/Template' }))
const notSent: ReadonlySet<string> = new Set(['ownerId', 'approveAt'] satisfies (keyof TemplateRecord)[])

const templateFields: ByChoice<'templateFields', (template: TemplateRecord) => Template> = {
  onlyShown: (template) => pick(template, documented),
  allSent: ({ ownerId, approveAt, ...sent }) => sent,
}

/** promise template.createAnswersWithTheTemplate: its id, type, name and status; of an e-mail the subject too. */
export function createdTemplate({ _id, templateType, name, status, subject }: TemplateRecord) {
  const isEmail = templateType === 'email' && subject !== undefined
  return { _id, templateType, name, status, ...(isEmail ? { subject } : {}) }
}

/** promise template.updateAnswersWithTheChange: the fields that were changed; whether the others too is open. */
export function updatedTemplate(template: TemplateRecord, sent: object, turn: Turn): Schemas['TemplateFields'] {
  return templateAfterUpdate[turn.assumed.templateAfterUpdate](shownTemplate(template, turn), sent)
}

const templateAfterUpdate: ByChoice<'templateAfterUpdate', (template: Template, sent: object) => Partial<Template>> = {
  wholeTemplate: (template) => template,
  changedFields: (template, sent) => pick(template, new Set(['_id', ...Object.keys(sent)])),
}

function pick<Record extends object>(record: Record, fields: ReadonlySet<string>): Record {
  const picked: Partial<Record> = {}
  for (const field of Object.keys(record) as (keyof Record & string)[]) {
    if (fields.has(field)) picked[field] = record[field]
  }
  return picked as Record
}
