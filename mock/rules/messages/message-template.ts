import type { TemplateRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { BodyOf, Schemas } from '../../../spec/types.ts'
import { NotFound, refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { relyOnApproval } from '../templates/template-approval.ts'
import { filledIn } from './placeholders.ts'

type Parameters = Schemas['TemplateParameters']
type WithTemplate = Pick<BodyOf<'sendMessage'>, 'templateId' | 'headerParameters' | 'bodyParameters'>

/** promise message.whatsappTakesATemplate: the text of an approved template, with its parameters filled in. */
export async function textOfTemplate(body: WithTemplate, turn: Turn): Promise<string | undefined> {
  const template = body.templateId === undefined ? undefined : await templateFor(body.templateId, 'whatsapp', turn)
  return template && templateText(template, body, turn)
}

/** Templates and their parameters are for WhatsApp only: what they do in a single SMS is not documented. */
export function checkNoTemplate(
  { templateId, headerParameters, bodyParameters }: WithTemplate,
  { assumed }: Turn,
): void {
  const sent = Object.entries({ templateId, headerParameters, bodyParameters }).find(([, value]) => value !== undefined)
  if (sent) templateOnSms[assumed.templateOnSms](sent[0])
}

const templateOnSms: ByChoice<'templateOnSms', (field: string) => void> = {
  refused: (field) => refuse(`${field} is for WhatsApp only; leave it out of an SMS`),
  ignored: () => undefined,
}

/** The template that a send names; none when it is of another type and that is passed over. */
export async function templateFor(
  templateId: string,
  type: Schemas['TemplateType'],
  turn: Turn,
): Promise<TemplateRecord | undefined> {
  const template = (await turn.team.templates.get(templateId)) ?? unknownTemplate[turn.assumed.unknownTemplate]()
  if (template.templateType !== type) return templateOfOtherType[turn.assumed.templateOfOtherType](type)
  relyOnApproval(template, turn)
  if (template.status !== 'approved') unapprovedTemplate[turn.assumed.unapprovedTemplate](template.status)
  return template
}

const unknownTemplate: ByChoice<'unknownTemplate', () => never> = {
  notFound: () => {
    throw new NotFound()
  },
  badRequest: () => refuse('templateId names no template of this team'),
}

const templateOfOtherType: ByChoice<'templateOfOtherType', (type: string) => TemplateRecord | undefined> = {
  refused: (type) => refuse(`templateId must name a template of the type ${type}`),
  ignored: () => undefined,
}

const unapprovedTemplate: ByChoice<'unapprovedTemplate', (status: string) => void> = {
  refused: (status) => refuse(`templateId must name a template that is approved; this one is ${status}`),
  accepted: () => undefined,
}

/** The text of a WhatsApp template. Its header shows in no message, but has placeholders of its own. */
export function templateText(
  { content, headerText }: TemplateRecord & { headerText?: string },
  { headerParameters = [], bodyParameters = [] }: WithTemplate,
  turn: Turn,
): string {
  if (headerText !== undefined) filled(headerText, headerParameters, 'headerParameters', turn)
  return filled(content, bodyParameters, 'bodyParameters', turn)
}

function filled(text: string, parameters: Parameters, field: string, { assumed }: Turn): string {
  return filledIn(text, (path) => {
    const number = numberOf(path)
    if (number === undefined) return undefined
    const parameter = parameters[number - 1]
    return parameter ? parameter.text : missingParameters[assumed.missingParameters](field, number)
  })
}

/** Of a placeholder such as `{{1}}`. */
function numberOf(path: string): number | undefined {
  const number = Number(path)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

const missingParameters: ByChoice<'missingParameters', (field: string, number: number) => string | undefined> = {
  leftAsIs: () => undefined,
  refused: (field, number) =>
    refuse(`${field} must hold a parameter for the placeholder {{${number}}} of the template`),
}
