import type { TemplateRecord } from '../../../fixtures/records.ts'
import { isSnakeCase, templateCategories } from '../../../spec/forms.ts'
import type { BodyOf, Schemas } from '../../../spec/types.ts'
import { refuse, type Because } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { complainOf, type FieldComplaint, refuseIf } from '../refuse.ts'
import type { Media } from '../../core/operation.ts'
import { pathsIn } from '../messages/merge-fields.ts'

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

/** The texts of a template. */
type Texts = { readonly templateType: Schemas['TemplateType'] } & Partial<
  Pick<Schemas['EmailTemplateToCreate'], 'content' | 'subject' | 'preheader'>
> & { readonly variables?: readonly unknown[] } & Partial<
    Pick<
      Schemas['WhatsappTemplateToCreate'],
      'bodyVariableSampleValues' | 'headerText' | 'headerVariables' | 'headerVariableSampleValues'
    >
  >

/** The specification does not say whether the placeholders of a template and the fields about them must agree. */
export function checkTexts(template: Texts, tx: Transaction): void {
  if (template.templateType === 'whatsapp') checkPlaceholders(template, tx)
  else checkVariables(template, tx)
}

function checkPlaceholders(template: Texts, { assumed }: Transaction): void {
  const complaint =
    findComplaint('content', template.content, template, ['bodyVariableSampleValues']) ??
    findComplaint('headerText', template.headerText, template, ['headerVariables', 'headerVariableSampleValues'])
  if (complaint) refuseIf(assumed, 'templatePlaceholders', 'refused', complaint.sentence, complaint.field)
}

function findComplaint(name: string, text = '', template: Texts, lists: readonly List[]): FieldComplaint | undefined {
  const paths = pathsIn(text)
  const isNumbered = Array.from(paths, (_, at) => String(at + 1)).every((number) => paths.has(number))
  if (!isNumbered) return complainOf(name, 'must number its placeholders {{1}}, {{2}} and so on')
  const other = lists.find((list) => (template[list]?.length ?? 0) > 0 && template[list]?.length !== paths.size)
  return other && complainOf(other, `must have an item for each placeholder of ${name}`)
}

type List = 'bodyVariableSampleValues' | 'headerVariables' | 'headerVariableSampleValues'

function checkVariables(
  { variables, content = '', subject = '', preheader = '' }: Texts,
  { assumed }: Transaction,
): void {
  if (variables === undefined) return
  const used = new Set(Array.from(pathsIn(content + subject + preheader), withoutPrefix))
  const named = new Set(variables.map((key) => withoutPrefix(String(key))))
  const agree = used.size === named.size && [...used].every((key) => named.has(key))
  const sentence = 'variables must name the merge fields of the text, and no others'
  if (!agree) refuseIf(assumed, 'templateVariables', 'refused', sentence, 'variables')
}

const withoutPrefix = (path: string) => path.trim().replace(/^contact\./, '')

/**
 * promise template.mediaHeaderNeedsAFile: a WhatsApp template with a header of media but no file is answered 400. The
 * specification does not say what happens to header fields that disagree.
 */
export function checkHeader(template: TemplateToCreate, media: Media | undefined, { assumed }: Transaction): void {
  if (template.templateType !== 'whatsapp') return
  const { headerType, headerText, isHeader = true } = template
  if ((headerText !== undefined) !== (headerType === 'text') || (!isHeader && headerType !== undefined))
    refuseIf(
      assumed,
      'templateHeaderFields',
      'refused',
      'headerText needs headerType text, and a header isHeader',
      'headerText',
    )
  if (headerType === undefined || headerType === 'text' || media) return
  refuse(`file is required when headerType is ${headerType}; send the template as multipart/form-data`, {
    promise: 'template.mediaHeaderNeedsAFile',
    field: 'file',
  })
}
