import type { TemplateRecord } from '../../../fixtures/records.ts'
import type { BodyOf, Schemas } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'
import { checkMaySend } from '../templates/template-visibility.ts'
import { fillPlaceholders } from './merge-fields.ts'
import { refuseIf, refuseUnknown } from '../refuse.ts'

type Parameters = Schemas['TemplateParameters']
type TemplateFields = Pick<BodyOf<'sendMessage'>, 'templateId' | 'headerParameters' | 'bodyParameters'>

/**
 * promise message.whatsappTakesATemplate: a WhatsApp message can be an approved template with parameters for its header
 * and body. The text of that template, or `undefined` when the message names none. Parameters without a placeholder are
 * ignored.
 */
export async function renderTemplate(
  fields: TemplateFields,
  tx: Transaction,
  checkStatus: (template: TemplateRecord, tx: Transaction) => void = checkApproved,
): Promise<string | undefined> {
  const { templateId, headerParameters = [], bodyParameters = [] } = fields
  const template = templateId === undefined ? undefined : await findTemplate(templateId, 'whatsapp', tx)
  if (!template) return undefined
  checkStatus(template, tx)
  // The header shows in no message, but its placeholders need parameters too.
  const { content, headerText }: Partial<TextsOfTemplate> & TemplateRecord = template
  if (headerText !== undefined) fillParameters(headerText, headerParameters, 'headerParameters', tx)
  return fillParameters(content, bodyParameters, 'bodyParameters', tx)
}

/** The specification gives templates to WhatsApp only, and does not say what they do in a single SMS. */
export function checkNoTemplate(
  { templateId, headerParameters, bodyParameters }: TemplateFields,
  { assumed }: Transaction,
): void {
  const sent = Object.entries({ templateId, headerParameters, bodyParameters }).find(([, value]) => value !== undefined)
  if (!sent) return
  const [field] = sent
  refuseIf(assumed, 'templateOnSms', 'refused', `${field} is for WhatsApp only; leave it out of an SMS`, field)
}

const field = 'templateId'

/** The template that a send names, or `undefined` when it has another type and is ignored. */
export async function findTemplate(
  templateId: string,
  type: Schemas['TemplateType'],
  tx: Transaction,
): Promise<TemplateRecord | undefined> {
  const template =
    (await tx.team.templates.get(templateId)) ??
    refuseUnknown(tx.assumed, 'unknownTemplate', 'templateId names no template of this team', field)
  checkMaySend(template, tx)
  if (template.templateType !== type) {
    const sentence = `templateId must name a template of the type ${type}`
    refuseIf(tx.assumed, 'templateOfOtherType', 'refused', sentence, field)
    return undefined
  }
  return template
}

/** promise message.templateMustBeApproved: a single WhatsApp message needs a template that is approved. */
function checkApproved({ status }: TemplateRecord, { assumed }: Transaction): void {
  if (status !== 'approved') refuseIf(assumed, 'unapprovedInSingleSend', 'refused', unapproved(status), field)
}

/** The specification does not say that a bulk send needs one too. */
export function checkApprovedInBulk({ status }: TemplateRecord, { assumed }: Transaction): void {
  if (status !== 'approved') refuseIf(assumed, 'unapprovedTemplate', 'refused', unapproved(status), field)
}

const unapproved = (status: string) => `templateId must name a template that is approved; this one is ${status}`

function fillParameters(text: string, parameters: Parameters, field: string, { assumed }: Transaction): string {
  return fillPlaceholders(text, (path) => {
    const number = parseNumber(path)
    if (number === undefined) return undefined
    const value = parameters[number - 1]?.text
    const sentence = `${field} must hold a parameter for the placeholder {{${number}}} of the template`
    if (value === undefined) refuseIf(assumed, 'missingParameters', 'refused', sentence, field)
    return value
  })
}

/** The number of a placeholder such as `{{1}}`. */
function parseNumber(path: string): number | undefined {
  const number = Number(path)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

interface TextsOfTemplate {
  readonly content: string
  readonly headerText: string
}
