import type { Channel } from '../../fixtures/records.ts'
import type { BodyOf } from '../../spec/types.ts'
import type { Operations } from '../core/operation.ts'
import { refuse } from '../core/refusals.ts'
import { done } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { queue } from '../rules/messages/bulk-delivery.ts'
import { checkMedia } from '../rules/messages/message-media.ts'
import { providerOfASend } from '../rules/messages/message-provider.ts'
import { recipientsOf } from '../rules/messages/bulk-recipients.ts'
import { sendAtOf } from '../rules/messages/bulk-schedule.ts'
import { worded } from '../rules/messages/bulk-template.ts'

export const bulkMessages: Pick<Operations, 'sendBulkMessages'> = {
  sendBulkMessages: {
    async prepare({ body }, assumed) {
      const recipients = await recipientsOf(body, assumed)
      return ({ body, turn }) => sendTo(recipients, body, turn)
    },
  },
}

async function sendTo(recipients: readonly string[], body: BodyOf<'sendBulkMessages'>, turn: Turn) {
  checkMedia(body, turn)
  await checkProviderOfBulk(body.providerId, body.channel, turn)
  const { content, ...template } = await worded(body, turn)
  const sendAt = sendAtOf(body, turn)
  const message = { ...messageIn(body), content }
  await queue(recipients, { message, ...template, ...(sendAt === undefined ? {} : { sendAt }) }, turn)
  return done(recipients.length === 1 ? '1 message queued' : `${recipients.length} messages queued`)
}

/** promise message.onlyEmailHasASubject: what is meant for e-mail goes with nothing else. */
function messageIn({ to, scheduleType, scheduleTime, ...message }: BodyOf<'sendBulkMessages'>) {
  if (message.channel === 'email') return message
  const { subject, preheader, ...others } = message
  return others
}

/** promise message.bulkProviderMatchesTheChannel: through one of another channel it is refused. */
async function checkProviderOfBulk(named: string, channel: Channel, turn: Turn): Promise<void> {
  const provider = await providerOfASend(named, channel, turn)
  if (provider && provider.channel !== channel) refuse(`providerId must name a provider of the channel ${channel}`)
}
