import type { TemplateRecord } from '../../../fixtures/records.ts'
import { isSnakeCase, templateCategories } from '../../../spec/forms.ts'
import type { BodyOf, Schemas } from '../../../spec/types.ts'
import { refuse, type Because } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { refuseIf } from '../refuse-if.ts'

type TemplateToCreate = Schemas['TemplateToCreate']

/**
 * promise template.takenUniqueNameIsRefused: no two templates of a type have the same uniqueName. The specification does
 * not say whether two of different types may.
 */
export async function checkUniqueName(
  { templateType, uniqueName }: TemplateToCreate,
  { assumed, team }: Transaction,
): Promise<void> {
  if (templateType === 'whatsapp') {
    const sentence = 'uniqueName must be in snake_case for WhatsApp, such as order_has_left'
    if (!isSnakeCase(uniqueName)) refuseIf(assumed, 'whatsappNameForm', 'refused', sentence, 'uniqueName')
  } else if (!/^[a-z0-9_-]+$/.test(uniqueName)) {
    const sentence = 'uniqueName must be a slug: small letters, digits, dashes and underscores, such as opening-hours'
    refuseIf(assumed, 'uniqueNameForm', 'refused', sentence, 'uniqueName')
  }
  const others = await team.templates.find('uniqueName', uniqueName)
  if (others.some((other) => other.templateType === templateType))
    refuseTakenName({ promise: 'template.takenUniqueNameIsRefused' })
  if (others.length > 0 && assumed.uniqueNameScope === 'team') refuseTakenName({ assumption: 'uniqueNameScope' })
}

function refuseTakenName(decider: Because): never {
  refuse('uniqueName is already that of a template of this team', { ...decider, field: 'uniqueName' })
}

export function checkLanguage({ language }: { language?: string }, { assumed }: Transaction): void {
  if (language === undefined || isLanguageTag(language)) return
  refuseIf(assumed, 'languageForm', 'refused', 'language must be a BCP-47 code, such as en or en-US', 'language')
}

const isLanguageTag = (text: string) => text.length <= 100 && /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(text)

/** Unlike a send, a template names its provider by id only. */
export async function checkTemplateProvider(
  { templateType, provider: id }: TemplateToCreate,
  { team, assumed }: Transaction,
): Promise<void> {
  const provider = await team.providers.get(id)
  if (provider?.channel === templateType) return
  const sentence = provider
    ? `provider must be one of the channel ${templateType}`
    : 'provider names none that this team has on file'
  refuseIf(assumed, 'templateProvider', 'refused', sentence, 'provider')
}

/** An update takes the values that a create takes for the same type. */
export function checkFieldsOfType(fields: FieldsOfType, { templateType }: TemplateRecord, tx: Transaction): void {
  const { variables = [] } = fields
  checkCategory(fields, templateType, tx)
  if (templateType !== 'whatsapp' && variables.some((key) => typeof key !== 'string'))
    refuse('variables must hold nothing but strings', { document: 'updateTemplate', field: 'variables' })
}

type FieldsOfType = Pick<BodyOf<'updateTemplate'>, 'category' | 'variables'>

/** promise template.otherCategoriesAreRefused: a WhatsApp template has one of three categories. */
export function checkCategory(
  { category }: Pick<FieldsOfType, 'category'>,
  type: Schemas['TemplateType'],
  { assumed }: Transaction,
): void {
  if (category === undefined || templateCategories.includes(category)) return
  if (type === 'whatsapp') refuseCategory({ promise: 'template.otherCategoriesAreRefused' })
  if (assumed.smsCategory === 'sameValues') refuseCategory({ assumption: 'smsCategory' })
}

function refuseCategory(decider: Because): never {
  refuse(`category must be one of ${templateCategories.join(', ')}`, { ...decider, field: 'category' })
}

/** The specification does not say whether an update may change the type of a template. */
export function checkTypeIsKept(type: string, { templateType }: TemplateRecord, { assumed }: Transaction): void {
  const sentence = `templateType must be ${templateType}, as it is for this template`
  if (type !== templateType) refuseIf(assumed, 'templateTypeChange', 'refused', sentence, 'templateType')
}
