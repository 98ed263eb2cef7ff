import type { ByChoice } from '../../../spec/assumptions.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

/** promise quote.templateDefaultsToBasic: a quote created without a template has the template default-basic. */
export const defaultTemplate = 'default-basic'

/** The specification names no other template, and does not say whether there are any. */
export function checkQuoteTemplate({ template = defaultTemplate }: { template?: string }, { assumed }: Turn): void {
  if (template !== defaultTemplate) otherQuoteTemplate[assumed.otherQuoteTemplate]()
}

const otherQuoteTemplate: ByChoice<'otherQuoteTemplate', () => void> = {
  accepted: () => undefined,
  refused: () => refuse(`template must be ${defaultTemplate}`, { assumption: 'otherQuoteTemplate', field: 'template' }),
}
