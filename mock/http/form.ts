import type { Media } from '../media.ts'
import { refuse } from '../replies.ts'
import type { Body } from '../rules/fields-of-a-body.ts'
import { isTooDeep } from './json-body.ts'

/** A form: what came as text, by name, and the file that came with it. A name that was repeated has a list. */
export class Form {
  /** Without a prototype, so that no name means more than itself. */
  readonly fields = Object.create(null) as Record<string, string | string[]>
  media: Media | undefined

  add(name: string, value: string): void {
    const before = this.fields[name]
    this.fields[name] = before === undefined ? value : [before, value].flat()
  }
}

export const noPrototype = 'the body must not hold the key __proto__'

/** What a form says, as JSON says it: the buttons of a template come as the text of a JSON list. */
export function fieldsAsJson(fields: Body): Body {
  const { templateButtons } = fields
  return typeof templateButtons === 'string' ? { ...fields, templateButtons: buttonsIn(templateButtons) } : fields
}

function buttonsIn(text: string): unknown {
  if (isTooDeep(text)) refuse('templateButtons must not be nested that deep')
  try {
    return JSON.parse(text, withoutPrototype)
  } catch {
    return refuse('templateButtons must be a JSON list, such as [{"type":"QUICK_REPLY","text":"Thanks"}]')
  }
}

function withoutPrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError(noPrototype)
  return value
}
