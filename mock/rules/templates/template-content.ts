import type { Schemas } from '../../../spec/types.ts'
import type { Media } from '../../core/operation.ts'
import { refuse } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { pathsIn } from '../placeholders.ts'
import { refuseIf } from '../refuse-if.ts'

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
  if (complaint !== undefined) refuseIf(assumed, 'templatePlaceholders', 'refused', complaint, complaint.split(' ')[0])
}

function findComplaint(name: string, text = '', template: Texts, lists: readonly List[]): string | undefined {
  const paths = pathsIn(text)
  const isNumbered = Array.from(paths, (_, at) => String(at + 1)).every((number) => paths.has(number))
  if (!isNumbered) return `${name} must number its placeholders {{1}}, {{2}} and so on`
  const other = lists.find((list) => (template[list]?.length ?? 0) > 0 && template[list]?.length !== paths.size)
  return other === undefined ? undefined : `${other} must have an item for each placeholder of ${name}`
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

type TemplateToCreate = Schemas['TemplateToCreate']
type HeaderFields = Pick<
  Schemas['WhatsappTemplateToCreate'],
  'isHeader' | 'headerType' | 'headerText' | 'headerVariables' | 'headerVariableSampleValues'
>

/**
 * promise template.mediaHeaderNeedsAFile: a WhatsApp template with a header of media but no file is answered 400. The
 * specification does not say which other fields of a header go together.
 */
export function checkHeader(template: TemplateToCreate, media: Media | undefined, { assumed }: Transaction): void {
  if (template.templateType !== 'whatsapp') return
  const { headerType = 'text' } = template
  if (headerType !== 'text' && !media) {
    refuse(`file is required when headerType is ${headerType}; send the template as multipart/form-data`, {
      promise: 'template.mediaHeaderNeedsAFile',
      field: 'file',
    })
  }
  const complaint = findDisagreement(template, media)
  if (complaint !== undefined) refuseIf(assumed, 'templateHeaderFields', 'refused', complaint, complaint.split(' ')[0])
}

function findDisagreement(header: HeaderFields, media: Media | undefined): string | undefined {
  const { isHeader, headerType, headerText = '', headerVariables, headerVariableSampleValues } = header
  const given = Object.entries({ headerText, headerType, headerVariables, headerVariableSampleValues, file: media })
  const [field] = given.find(([, value]) => hasContent(value)) ?? []
  if (isHeader === false && field !== undefined) return `${field} needs isHeader to be true`
  if (isHeader === true && headerText === '' && !media) return 'headerText or file is required when isHeader is true'
  if (headerType === 'text' && headerText === '') return 'headerText is required when headerType is text'
  if (headerType !== undefined && headerType !== 'text') {
    if (headerText !== '') return `headerText is for a header of text, and headerType is ${headerType}`
  } else if (media) return 'file needs headerType to be image, video or document'
  const hasVariables = hasContent(headerVariables) || hasContent(headerVariableSampleValues)
  return hasVariables && headerText === '' ? 'headerText is required with variables of the header' : undefined
}

const hasContent = (value: unknown) => value !== undefined && value !== '' && !(Array.isArray(value) && !value.length)

/** The specification names three kinds of buttons, and not their fields. */
export function checkButtons(template: Schemas['TemplateToCreate'], { assumed }: Transaction): void {
  const { templateButtons: buttons = [] } = template.templateType === 'whatsapp' ? template : {}
  const odd = buttons.findIndex((button) => !isKnownButton(button))
  if (odd < 0) return
  const name = `templateButtons[${odd}]`
  const sentence = `${name} must have the type QUICK_REPLY, URL or PHONE_NUMBER, a text, and the url or phone_number`
  refuseIf(assumed, 'templateButtonForm', 'refused', sentence, name)
}

function isKnownButton({ type, text, url, phone_number: phone }: Schemas['Button']): boolean {
  if (typeof text !== 'string' || text === '') return false
  if (type === 'URL') return typeof url === 'string' && URL.canParse(url)
  return type === 'QUICK_REPLY' || (type === 'PHONE_NUMBER' && typeof phone === 'string' && phone !== '')
}
