import type { BodyOf, Schemas } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'
import { refuseIf } from '../refuse-if.ts'
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
export async function resolveBulkText(body: BodyOf<'sendBulkMessages'>, tx: Transaction): Promise<BulkText> {
  const { channel, content, templateId } = body
  if (channel === 'whatsapp') {
    if (templateId === undefined) {
      const sentence = 'templateId is required when channel is whatsapp'
      refuseIf(tx.assumed, 'bulkWhatsappWithoutTemplate', 'refused', sentence, 'templateId')
    }
    const template = await renderTemplate(body, tx, checkApprovedInBulk)
    return template === undefined ? { content } : { content, template }
  }
  if (templateId === undefined || tx.assumed.templateInBulk === 'ignored') return { content }
  const known = await tx.team.templates.get(templateId)
  if (known && known.templateType !== channel) return { content }
  const template = await findTemplate(templateId, channel, tx)
  if (template) checkApprovedInBulk(template, tx)
  return { content: template?.content ?? content }
}

type BulkFields = Omit<Schemas['BulkMessage'], 'to' | 'scheduleType' | 'scheduleTime'>

/**
 * promise message.onlyEmailHasASubject: a message that is no e-mail has no subject. The specification does not say
 * whether a bulk send on another channel may have a subject, or the parameters of a WhatsApp template.
 */
export function dropFieldsOfOtherChannels(message: BulkFields, { assumed }: Transaction): BulkFields {
  const { subject, preheader, headerParameters, bodyParameters } = message
  const { channel } = message
  const strange = {
    ...(channel === 'email' ? {} : { subject, preheader }),
    ...(channel === 'whatsapp' ? {} : { headerParameters, bodyParameters }),
  }
  const sent = Object.entries<unknown>(strange).filter(([, value]) => value !== undefined)
  const [first] = sent
  if (!first) return message
  const sentence = `${first[0]} is not for the channel ${channel}; leave it out`
  refuseIf(assumed, 'bulkFieldOfOtherChannel', 'refused', sentence, first[0])
  const fields = new Set(sent.map(([field]) => field))
  return Object.fromEntries(Object.entries(message).filter(([field]) => !fields.has(field))) as BulkFields
}
