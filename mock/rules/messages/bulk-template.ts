import type { ByChoice } from '../../../spec/assumptions.ts'
import type { BodyOf } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { templateFor, textOfTemplate } from './message-template.ts'

type Body = BodyOf<'sendBulkMessages'>

/** What a message says besides or instead of the content that was sent. */
interface Worded {
  readonly content: string
  /** Of a WhatsApp template, with its parameters filled in. */
  readonly template?: string
}

/** promise message.bulkTakesATemplate: on WhatsApp an approved one; what one does elsewhere is not documented. */
export async function worded(body: Body, turn: Turn): Promise<Worded> {
  const { channel, content, templateId } = body
  if (channel === 'whatsapp') {
    if (templateId === undefined) bulkWhatsappWithoutTemplate[turn.assumed.bulkWhatsappWithoutTemplate]()
    const template = await textOfTemplate(body, turn)
    return template === undefined ? { content } : { content, template }
  }
  if (templateId === undefined) return { content }
  return { content: await templateInBulk[turn.assumed.templateInBulk](content, templateId, channel, turn) }
}

const bulkWhatsappWithoutTemplate: ByChoice<'bulkWhatsappWithoutTemplate', () => void> = {
  accepted: () => undefined,
  refused: () => refuse('templateId is required when channel is whatsapp'),
}

type Take = (content: string, templateId: string, channel: 'sms' | 'email', turn: Turn) => Promise<string>

const templateInBulk: ByChoice<'templateInBulk', Take> = {
  used: async (content, templateId, channel, turn) => {
    const known = await turn.team.templates.get(templateId)
    if (known && known.templateType !== channel) return content
    return (await templateFor(templateId, channel, turn))?.content ?? content
  },
  ignored: async (content) => content,
}
