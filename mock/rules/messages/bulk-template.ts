import type { ByChoice } from '../../../spec/assumptions.ts'
import type { BodyOf } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { checkApprovedInBulk, findTemplate, renderTemplate } from './message-template.ts'

interface BulkText {
  readonly content: string
  /** The text of the WhatsApp template, with its parameters filled in. */
  readonly template?: string
}

/**
 * promise message.bulkTakesATemplate: a bulk WhatsApp send may name an approved template and its parameters. The
 * specification does not say what a template does in a bulk SMS or e-mail.
 */
export async function resolveBulkText(body: BodyOf<'sendBulkMessages'>, turn: Turn): Promise<BulkText> {
  const { channel, content, templateId } = body
  if (channel === 'whatsapp') {
    if (templateId === undefined) bulkWhatsappWithoutTemplate[turn.assumed.bulkWhatsappWithoutTemplate]()
    const template = await renderTemplate(body, turn, checkApprovedInBulk)
    return template === undefined ? { content } : { content, template }
  }
  if (templateId === undefined) return { content }
  return { content: await templateInBulk[turn.assumed.templateInBulk](content, templateId, channel, turn) }
}

const bulkWhatsappWithoutTemplate: ByChoice<'bulkWhatsappWithoutTemplate', () => void> = {
  accepted: () => undefined,
  refused: () =>
    refuse('templateId is required when channel is whatsapp', {
      assumption: 'bulkWhatsappWithoutTemplate',
      field: 'templateId',
    }),
}

type ChooseContent = (content: string, templateId: string, channel: 'sms' | 'email', turn: Turn) => Promise<string>

const templateInBulk: ByChoice<'templateInBulk', ChooseContent> = {
  used: async (content, templateId, channel, turn) => {
    const known = await turn.team.templates.get(templateId)
    if (known && known.templateType !== channel) return content
    const template = await findTemplate(templateId, channel, turn)
    if (template) checkApprovedInBulk(template, turn)
    return template?.content ?? content
  },
  ignored: async (content) => content,
}
