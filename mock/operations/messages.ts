import { bothOf } from '../../lib/async.ts'
import { mapSlices } from '../../lib/pause.ts'
import type { BodyOf } from '../../spec/types.ts'
import { merge } from '../../lib/json.ts'
import { done, ok, page, type OperationsOf } from '../core/operation.ts'
import type { Transaction } from '../core/transaction.ts'
import { queueBulkSend } from '../rules/messages/bulk-delivery.ts'
import {
  checkScheduleFields,
  dropFieldsOfOtherChannels,
  parseRecipients,
  resolveBulkText,
  resolveSchedule,
} from '../rules/messages/bulk-request.ts'
import { found, refuseIf } from '../rules/refuse.ts'
import {
  resolveEmailReceivers,
  checkReachable,
  checkReply,
  type Receiver,
  resolveReceiver,
  checkRecipientLimit,
  checkVolume,
} from '../rules/messages/message-receivers.ts'
import {
  renderParameters,
  renderSubjectElsewhere,
  renderText,
  renderTextElsewhere,
} from '../rules/messages/merge-fields.ts'
import {
  prefetchHistory,
  readHistory,
  relyOnDefaultLimit,
  resolveHistoryPage,
} from '../rules/messages/message-history.ts'
import {
  checkAttachmentFields,
  checkBulkProvider,
  checkMedia,
  checkProvider,
} from '../rules/messages/message-fields.ts'
import { checkNoTemplate, renderTemplate } from '../rules/messages/message-template.ts'
import { showMessage, showMessageInHistory } from '../rules/messages/message-view.ts'
import { insertMessage, isInSession } from '../rules/messages/new-message.ts'
import { countPages } from '../rules/pagination.ts'

export const messages: OperationsOf<
  'listMessages' | 'sendLiveMessage' | 'sendEmailMessage' | 'sendMessage' | 'sendBulkMessages'
> = {
  async listMessages({ path, query, tx }) {
    const { conversationId } = path
    const conversations = tx.team.conversations.get(conversationId)
    // In one round trip. The code below reads the same page again, and on a database the attempt has it then.
    const [stored] = await bothOf(conversations, prefetchHistory(conversationId, query, tx))
    const conversation = found(stored, conversationId, tx)
    const pageRequest = resolveHistoryPage(query, tx)
    const { total, days } = await readHistory(conversation, query.channel, pageRequest, tx)
    relyOnDefaultLimit(query, total, tx)
    const data = []
    for (const { date, messages } of days) {
      const shown = await mapSlices(messages, (slice) => slice.map((message) => showMessageInHistory(message, tx)))
      data.push({ date, messages: shown })
    }
    return page('History found', data, { total, ...countPages(pageRequest, total, tx) })
  },

  async sendLiveMessage({ body, tx }) {
    checkAttachmentFields(body, tx)
    checkMedia(body, tx)
    const receiver = await resolveReceiver(body, tx)
    const text = renderText(body.content, receiver.contact, tx)
    const message = await insertMessage(receiver, { channel: body.channel, ...text }, body, tx)
    return ok('Message sent', showMessage(message, tx))
  },

  async sendEmailMessage({ body, tx }) {
    checkAttachmentFields(body, tx)
    checkMedia(body, tx)
    await checkProvider(body.providerId, body.channel, tx)
    await checkReply(body, tx)
    const [first, ...others] = await resolveEmailReceivers(body, tx)
    checkRecipientLimit(1 + others.length, 'recipientIds', tx.assumed)
    checkVolume(1 + others.length, body, 'recipientIds', 'each')
    const { message, subject } = await insertEmail(first, body, tx)
    for (const other of others) await insertEmail(other, body, tx)
    return ok('E-mail sent', merge(showMessage(message, tx), { subject }))
  },

  async sendMessage({ body, tx }) {
    checkMedia(body, tx)
    if (body.channel === 'sms') checkNoTemplate(body, tx)
    await checkProvider(body.providerId, body.channel, tx)
    const isWithoutTemplate = body.channel === 'whatsapp' && body.templateId === undefined
    if (isWithoutTemplate) {
      const sentence = 'templateId is required when channel is whatsapp'
      refuseIf(tx.assumed, 'whatsappWithoutTemplate', 'refused', sentence, 'templateId')
    }
    const receiver = await resolveReceiver(body, tx, isWithoutTemplate ? isInSession : undefined)
    checkReachable(receiver.contact, 'phone', tx)
    const text = renderTextElsewhere(body.content, receiver.contact, tx)
    const template = body.channel === 'whatsapp' ? await renderTemplate(body, tx) : undefined
    const withTemplate =
      template === undefined
        ? text
        : { ...text, content: renderParameters(template, body, receiver.contact, tx), fallback: text.content }
    const message = await insertMessage(receiver, { channel: body.channel, ...withTemplate }, body, tx)
    return ok('Message sent', showMessage(message, tx))
  },

  async sendBulkMessages({ body, tx }) {
    const recipients = await parseRecipients(body, tx.assumed)
    checkScheduleFields(body, tx)
    checkMedia(body, tx)
    await checkBulkProvider(body.providerId, body.channel, tx)
    const { content, ...template } = await resolveBulkText(body, tx)
    const due = resolveSchedule(body, tx)
    const message = { ...dropFieldsOfOtherChannels(body, tx), content }
    checkRecipientLimit(recipients.length, 'to', tx.assumed)
    await queueBulkSend(recipients, { message, ...template }, due, tx)
    return done(recipients.length === 1 ? '1 message queued' : `${recipients.length} messages queued`)
  },
}

type EmailBody = BodyOf<'sendEmailMessage'>

async function insertEmail(receiver: Receiver, body: EmailBody, tx: Transaction) {
  const subject = renderSubjectElsewhere(body.subject, receiver.contact, tx)
  const text = renderTextElsewhere(body.content, receiver.contact, tx)
  const message = await insertMessage(receiver, { channel: body.channel, ...text, subject }, body, tx)
  return { message, subject }
}
