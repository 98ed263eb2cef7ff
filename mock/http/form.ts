import type { Assumed } from '../../spec/assumed.ts'
import type { Media } from '../core/media.ts'
import { refuse } from '../core/refusals.ts'
import type { Body } from '../rules/body-fields.ts'
import { checkDepth, checkKeys } from './json-body.ts'

/** A multipart form: its text fields by name, a repeated name as a list, and its file. */
export class Form {
  /** Without a prototype, so that no field name reaches an inherited property. */
  readonly fields = Object.create(null) as Record<string, string | string[]>
  media: Media | undefined

  /** As JSON, with the size of the file in place of what is in it. */
  asText(): string {
    const { media } = this
    return JSON.stringify(media ? { ...this.fields, file: `${media.bytes} bytes` } : this.fields)
  }

  add(name: string, value: string): void {
    const before = this.fields[name]
    this.fields[name] = before === undefined ? value : [before, value].flat()
  }
}

/** The fields of a form as in a JSON body: `templateButtons` arrives as the text of a JSON list. */
export function fieldsAsJson(fields: Body, assumed: Assumed): Body {
  const { templateButtons } = fields
  return typeof templateButtons === 'string'
    ? { ...fields, templateButtons: buttonsIn(templateButtons, assumed) }
    : fields
}

function buttonsIn(text: string, assumed: Assumed): unknown {
  checkDepth(text, 'templateButtons', assumed)
  return checkKeys(parse(text), text, 'templateButtons', assumed)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refuse('templateButtons must be a JSON list, such as [{"type":"QUICK_REPLY","text":"Thanks"}]', {
      promise: 'template.buttonsInAFormAreText',
      field: 'templateButtons',
    })
  }
}
