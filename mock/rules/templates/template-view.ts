import type { TemplateRecord } from '../../../fixtures/records.ts'
import { document } from '../../../spec/document.ts'
import { fieldsOf } from '../../../spec/fields.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'

type Template = Schemas['Template']

/**
 * promise template.getShowsTheTemplate: a template shows the documented fields of its creation. The specification
 * does not say whether a response shows other fields of the request.
 */
export function showTemplate(template: TemplateRecord, { assumed }: Transaction): Template {
  const isAllDocumented = Object.keys(template).every((field) => documentedFields.has(field) || isInternal(field))
  if (isAllDocumented || assumed.templateFields === 'onlyShown') return pick(template, documentedFields)
  const { ownerId, approveAt, rejectionReason, ...sent } = template
  return sent
}

const documentedFields = new Set(fieldsOf(document, { $ref: '#/components/schemas/Template' }))

const internalFields = ['ownerId', 'approveAt', 'rejectionReason'] as const satisfies (keyof TemplateRecord)[]
const isInternal = (field: string) => internalFields.some((internal) => internal === field)

/**
 * promise template.createAnswersWithTheTemplate: creating a template answers with an id, a status, and its type and name.
 * promise template.createAnswersWithTheSubject: creating an e-mail template answers with the subject too.
 */
export function showCreatedTemplate({ _id, templateType, name, status, subject }: TemplateRecord) {
  const hasSubject = templateType === 'email' && subject !== undefined
  return { _id, templateType, name, status, ...(hasSubject ? { subject } : {}) }
}

/**
 * promise template.updateAnswersWithTheChange: the answer to an update shows the fields that were changed. The
 * specification does not say whether it shows the others.
 */
export function showUpdatedTemplate(
  template: TemplateRecord,
  sent: object,
  tx: Transaction,
): Schemas['TemplateUpdated'] {
  const shown = { ...showTemplate(template, tx), ...pick(template, new Set(Object.keys(sent))) }
  return tx.assumed.templateAfterUpdate === 'wholeTemplate'
    ? shown
    : pick(shown, new Set(['_id', ...Object.keys(sent)]))
}

function pick<R extends object>(record: R, fields: ReadonlySet<string>): R {
  const picked: Partial<R> = {}
  for (const field of Object.keys(record) as (keyof R & string)[]) {
    if (fields.has(field)) picked[field] = record[field]
  }
  return picked as R
}
