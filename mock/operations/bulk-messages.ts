import type { BodyOf } from '../../spec/types.ts'
import { done, type Operations } from '../core/operation.ts'
import type { Transaction } from '../core/transaction.ts'
import { queueBulkSend } from '../rules/messages/bulk-delivery.ts'
import {
  parseRecipients,
  checkScheduleFields,
  resolveSendTime,
  dropFieldsOfOtherChannels,
  resolveBulkText,
} from '../rules/messages/bulk-request.ts'
import { checkMedia, checkBulkProvider } from '../rules/messages/message-fields.ts'

type BulkSendBody = BodyOf<'sendBulkMessages'>

export const bulkMessages: Pick<Operations, 'sendBulkMessages'> = {
  sendBulkMessages: {
    // The list of recipients may be long, so it is parsed before the transaction.
    async prepare({ body }, assumed) {
      const recipients = await parseRecipients(body, assumed)
      return ({ body, tx }) => sendTo(recipients, body, tx)
    },
  },
}

async function sendTo(recipients: readonly string[], body: BulkSendBody, tx: Transaction) {
  checkScheduleFields(body, tx)
  checkMedia(body, tx)
  await checkBulkProvider(body.providerId, body.channel, tx)
  const { content, ...template } = await resolveBulkText(body, tx)
  const sendAt = resolveSendTime(body, tx)
  const message = { ...pickMessage(body, tx), content }
  await queueBulkSend(recipients, { message, ...template, ...(sendAt === undefined ? {} : { sendAt }) }, tx)
  return done(recipients.length === 1 ? '1 message queued' : `${recipients.length} messages queued`)
}

function pickMessage({ to, scheduleType, scheduleTime, ...message }: BulkSendBody, tx: Transaction) {
  return dropFieldsOfOtherChannels(message, tx)
}
