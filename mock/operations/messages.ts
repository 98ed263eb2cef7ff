import type { BodyOf, Schemas } from '../../spec/types.ts'
import { merge } from '../core/merge.ts'
import type { OperationsOf } from '../core/operation.ts'
import { ok, page } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { found } from '../rules/found.ts'
import { completeMessages } from '../rules/messages/bulk-texts.ts'
import { resolveEmailReceivers } from '../rules/messages/email-recipients.ts'
import {
  renderParameters,
  renderSubjectElsewhere,
  renderText,
  renderTextElsewhere,
} from '../rules/messages/merge-fields.ts'
import { readHistory, resolveHistoryPage } from '../rules/messages/message-history.ts'
import { checkAttachmentFields, checkMedia } from '../rules/messages/message-media.ts'
import { checkProvider } from '../rules/messages/message-provider.ts'
import { checkReply } from '../rules/messages/message-reply.ts'
import { checkReachable, type Receiver, resolveReceiver } from '../rules/messages/message-target.ts'
import { checkNoTemplate, renderTemplate } from '../rules/messages/message-template.ts'
import { showMessage, showMessageInHistory } from '../rules/messages/message-view.ts'
import { insertMessage } from '../rules/messages/new-message.ts'
import { checkRecipientLimit } from '../rules/messages/recipient-limit.ts'
import { checkVolume } from '../rules/messages/text-volume.ts'
import { countPages } from '../rules/pagination.ts'

export const messages: OperationsOf<'listMessages' | 'sendLiveMessage' | 'sendEmailMessage' | 'sendMessage'> = {
  async listMessages({ path, query, turn }) {
    const conversation = found(await turn.team.conversations.get(path.conversationId), path.conversationId, turn)
    const pageRequest = resolveHistoryPage(query, turn)
    const { total, days } = await readHistory(conversation, query.channel, pageRequest, turn)
    const data: { date: string; messages: Schemas['Message'][] }[] = []
    for (const { date, messages } of days) {
      const whole = await completeMessages(messages, turn)
      data.push({ date, messages: whole.map((message) => showMessageInHistory(message, turn)) })
    }
    return page('History found', data, { total, ...countPages(pageRequest, total, turn) })
  },

  async sendLiveMessage({ body, turn }) {
    checkAttachmentFields(body, turn)
    checkMedia(body, turn)
    const receiver = await resolveReceiver(body, turn)
    const text = renderText(body.content, receiver.contact, turn)
    const message = await insertMessage(receiver, { channel: body.channel, ...text }, body, turn)
    return ok('Message sent', showMessage(message, turn))
  },

  async sendEmailMessage({ body, turn }) {
    checkAttachmentFields(body, turn)
    checkMedia(body, turn)
    await checkProvider(body.providerId, body.channel, turn)
    await checkReply(body, turn)
    const [first, ...others] = await resolveEmailReceivers(body, turn)
    checkRecipientLimit(1 + others.length, 'recipientIds', turn.assumed)
    checkVolume(1 + others.length, body, 'recipientIds', 'each')
    const { message, subject } = await insertEmail(first, body, turn)
    for (const other of others) await insertEmail(other, body, turn)
    return ok('E-mail sent', merge(showMessage(message, turn), { subject }))
  },

  async sendMessage({ body, turn }) {
    checkMedia(body, turn)
    if (body.channel === 'sms') checkNoTemplate(body, turn)
    await checkProvider(body.providerId, body.channel, turn)
    const receiver = await resolveReceiver(body, turn)
    checkReachable(receiver.contact, 'phone', turn)
    const text = renderTextElsewhere(body.content, receiver.contact, turn)
    const template = body.channel === 'whatsapp' ? await renderTemplate(body, turn) : undefined
    const withTemplate =
      template === undefined
        ? text
        : { ...text, content: renderParameters(template, body, receiver.contact, turn), fallback: text.content }
    const message = await insertMessage(receiver, { channel: body.channel, ...withTemplate }, body, turn)
    return ok('Message sent', showMessage(message, turn))
  },
}

type EmailBody = BodyOf<'sendEmailMessage'>

async function insertEmail(receiver: Receiver, body: EmailBody, turn: Turn) {
  const subject = renderSubjectElsewhere(body.subject, receiver.contact, turn)
  const text = renderTextElsewhere(body.content, receiver.contact, turn)
  const message = await insertMessage(receiver, { channel: body.channel, ...text, subject }, body, turn)
  return { message, subject }
}
