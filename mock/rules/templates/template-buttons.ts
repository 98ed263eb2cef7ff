import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

/** The specification names three kinds of buttons, and not what is in them. */
export function checkButtons(template: Schemas['TemplateToCreate'], { assumed }: Turn): void {
  const { templateButtons: buttons = [] } = template.templateType === 'whatsapp' ? template : {}
  const odd = buttons.findIndex((button) => !isKnownButton(button))
  if (odd >= 0) templateButtonForm[assumed.templateButtonForm](odd)
}

function isKnownButton({ type, text, url, phone_number: phone }: Schemas['Button']): boolean {
  if (typeof text !== 'string' || text === '') return false
  if (type === 'URL') return typeof url === 'string' && URL.canParse(url)
  return type === 'QUICK_REPLY' || (type === 'PHONE_NUMBER' && typeof phone === 'string' && phone !== '')
}

const templateButtonForm: ByChoice<'templateButtonForm', (at: number) => void> = {
  accepted: () => undefined,
  refused: (at) =>
    refuse(
      `templateButtons[${at}] must have the type QUICK_REPLY, URL or PHONE_NUMBER, a text, and the url or phone_number`,
      { assumption: 'templateButtonForm', field: `templateButtons[${at}]` },
    ),
}
