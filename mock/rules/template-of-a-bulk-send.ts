import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { BodyOf } from '../../spec/types.ts'
import { refuse } from '../replies.ts'
import type { Team } from '../team.ts'
import { templateFor, textOfTemplate } from './template-of-a-send.ts'

type Body = BodyOf<'sendBulkMessages'>

/** What a message says besides or instead of the content that was sent. */
interface Worded {
  readonly content: string
  /** Of a WhatsApp template, with its parameters filled in. */
  readonly template?: string
}

/** promise message.bulkTakesATemplate: on WhatsApp an approved one; what one does elsewhere is not documented. */
export async function worded(body: Body, team: Team, assumed: Assumed): Promise<Worded> {
  const { channel, content, templateId } = body
  if (channel === 'whatsapp') {
    if (templateId === undefined) bulkWhatsappWithoutTemplate[assumed.bulkWhatsappWithoutTemplate]()
    const template = await textOfTemplate(body, team, assumed)
    return template === undefined ? { content } : { content, template }
  }
  if (templateId === undefined) return { content }
  return { content: await templateInBulk[assumed.templateInBulk](content, templateId, channel, team, assumed) }
}

const bulkWhatsappWithoutTemplate: ByChoice<'bulkWhatsappWithoutTemplate', () => void> = {
  accepted: () => undefined,
  refused: () => refuse('templateId is required when channel is whatsapp'),
}

type Take = (
  content: string,
  templateId: string,
  channel: 'sms' | 'email',
  team: Team,
  assumed: Assumed,
) => Promise<string>

const templateInBulk: ByChoice<'templateInBulk', Take> = {
  used: async (content, templateId, channel, team, assumed) => {
    const known = await team.templates.get(templateId)
    if (known && known.templateType !== channel) return content
    return (await templateFor(templateId, channel, team, assumed))?.content ?? content
  },
  ignored: async (content) => content,
}
