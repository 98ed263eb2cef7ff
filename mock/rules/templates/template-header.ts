import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Media } from '../../core/media.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

type TemplateToCreate = Schemas['TemplateToCreate']
type HeaderFields = Pick<
  Schemas['WhatsappTemplateToCreate'],
  'isHeader' | 'headerType' | 'headerText' | 'headerVariables' | 'headerVariableSampleValues'
>

/**
 * promise template.mediaHeaderNeedsAFile: a WhatsApp template with a header of media but no file is answered 400. The
 * specification does not say which other fields of a header go together.
 */
export function checkHeader(template: TemplateToCreate, media: Media | undefined, { assumed }: Turn): void {
  if (template.templateType !== 'whatsapp') return
  const { headerType = 'text' } = template
  if (headerType !== 'text' && !media) {
    refuse(`file is required when headerType is ${headerType}; send the template as multipart/form-data`, {
      promise: 'template.mediaHeaderNeedsAFile',
      field: 'file',
    })
  }
  const complaint = findDisagreement(template, media)
  if (complaint !== undefined) templateHeaderFields[assumed.templateHeaderFields](complaint)
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

const templateHeaderFields: ByChoice<'templateHeaderFields', (complaint: string) => void> = {
  accepted: () => undefined,
  refused: (complaint) => refuse(complaint, { assumption: 'templateHeaderFields', field: complaint.split(' ')[0] }),
}
