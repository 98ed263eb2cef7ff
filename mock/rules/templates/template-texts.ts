import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { pathsIn } from '../placeholders.ts'

/** What a template says, and what it says about that. */
type Texts = { readonly templateType: Schemas['TemplateType'] } & Partial<
  Pick<Schemas['EmailTemplateToCreate'], 'content' | 'subject' | 'preheader'>
> & { readonly variables?: readonly unknown[] } & Partial<
    Pick<
      Schemas['WhatsappTemplateToCreate'],
      'bodyVariableSampleValues' | 'headerText' | 'headerVariables' | 'headerVariableSampleValues'
    >
  >

/** The specification does not say whether the placeholders of a template and the fields about them must agree. */
export function checkTexts(template: Texts, turn: Turn): void {
  if (template.templateType === 'whatsapp') checkPlaceholders(template, turn)
  else checkVariables(template, turn)
}

function checkPlaceholders(template: Texts, { assumed }: Turn): void {
  const complaint =
    findComplaint('content', template.content, template, ['bodyVariableSampleValues']) ??
    findComplaint('headerText', template.headerText, template, ['headerVariables', 'headerVariableSampleValues'])
  if (complaint !== undefined) templatePlaceholders[assumed.templatePlaceholders](complaint)
}

function findComplaint(name: string, text = '', template: Texts, lists: readonly List[]): string | undefined {
  const paths = pathsIn(text)
  const isNumbered = Array.from(paths, (_, at) => String(at + 1)).every((number) => paths.has(number))
  if (!isNumbered) return `${name} must number its placeholders {{1}}, {{2}} and so on`
  const other = lists.find((list) => (template[list]?.length ?? 0) > 0 && template[list]?.length !== paths.size)
  return other === undefined ? undefined : `${other} must have an item for each placeholder of ${name}`
}

type List = 'bodyVariableSampleValues' | 'headerVariables' | 'headerVariableSampleValues'

const templatePlaceholders: ByChoice<'templatePlaceholders', (complaint: string) => void> = {
  accepted: () => undefined,
  refused: (complaint) => refuse(complaint, { assumption: 'templatePlaceholders', field: complaint.split(' ')[0] }),
}

function checkVariables({ variables, content = '', subject = '', preheader = '' }: Texts, { assumed }: Turn): void {
  if (variables === undefined) return
  const used = new Set(Array.from(pathsIn(content + subject + preheader), withoutPrefix))
  const named = new Set(variables.map((key) => withoutPrefix(String(key))))
  const agree = used.size === named.size && [...used].every((key) => named.has(key))
  if (!agree) templateVariables[assumed.templateVariables]()
}

const withoutPrefix = (path: string) => path.trim().replace(/^contact\./, '')

const templateVariables: ByChoice<'templateVariables', () => void> = {
  accepted: () => undefined,
  refused: () =>
    refuse('variables must name the merge fields of the text, and no others', {
      assumption: 'templateVariables',
      field: 'variables',
    }),
}
