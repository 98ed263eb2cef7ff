import type { BodyOf } from '../../spec/types.ts'
import type { Operations } from '../core/operation.ts'
import { done } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { queueBulkSend } from '../rules/messages/bulk-delivery.ts'
import { dropFieldsOfOtherChannels } from '../rules/messages/bulk-fields.ts'
import { parseRecipients } from '../rules/messages/bulk-recipients.ts'
import { checkScheduleFields, resolveSendTime } from '../rules/messages/bulk-schedule.ts'
import { resolveBulkText } from '../rules/messages/bulk-template.ts'
import { checkMedia } from '../rules/messages/message-media.ts'
import { checkBulkProvider } from '../rules/messages/message-provider.ts'

type BulkSendBody = BodyOf<'sendBulkMessages'>

export const bulkMessages: Pick<Operations, 'sendBulkMessages'> = {
  sendBulkMessages: {
    // The list of recipients may be long, so it is parsed before the turn.
    async prepare({ body }, assumed) {
      const recipients = await parseRecipients(body, assumed)
      return ({ body, turn }) => sendTo(recipients, body, turn)
    },
  },
}

async function sendTo(recipients: readonly string[], body: BulkSendBody, turn: Turn) {
  checkScheduleFields(body, turn)
  checkMedia(body, turn)
  await checkBulkProvider(body.providerId, body.channel, turn)
  const { content, ...template } = await resolveBulkText(body, turn)
  const sendAt = resolveSendTime(body, turn)
  const message = { ...pickMessage(body, turn), content }
  await queueBulkSend(recipients, { message, ...template, ...(sendAt === undefined ? {} : { sendAt }) }, turn)
  return done(recipients.length === 1 ? '1 message queued' : `${recipients.length} messages queued`)
}

function pickMessage({ to, scheduleType, scheduleTime, ...message }: BulkSendBody, turn: Turn) {
  return dropFieldsOfOtherChannels(message, turn)
}
