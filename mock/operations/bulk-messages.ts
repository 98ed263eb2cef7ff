import type { Channel } from '../../fixtures/records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { BodyOf } from '../../spec/types.ts'
import type { Operations } from '../operation.ts'
import { done, refuse } from '../replies.ts'
import { queue } from '../rules/delivery-of-a-bulk-send.ts'
import { checkMedia } from '../rules/media-of-a-send.ts'
import { providerOfASend } from '../rules/provider-of-a-send.ts'
import { sendAtOf } from '../rules/schedule-of-a-bulk-send.ts'
import { worded } from '../rules/template-of-a-bulk-send.ts'
import type { Team } from '../team.ts'

export const bulkMessages: Pick<Operations, 'sendBulkMessages'> = {
  async sendBulkMessages({ body, recipients, team, assumed, clock }) {
    checkMedia(body, assumed)
    await checkProviderOfBulk(body.providerId, body.channel, team, assumed)
    const { content, ...template } = await worded(body, team, assumed)
    const sendAt = sendAtOf(body, clock.now(), team.onFile.timeZone, assumed)
    const message = { ...messageIn(body), content }
    await queue(recipients, { message, ...template, ...(sendAt === undefined ? {} : { sendAt }) }, team, assumed)
    return done(recipients.length === 1 ? '1 message queued' : `${recipients.length} messages queued`)
  },
}

/** promise message.onlyEmailHasASubject: what is meant for e-mail goes with nothing else. */
function messageIn({ to, scheduleType, scheduleTime, ...message }: BodyOf<'sendBulkMessages'>) {
  if (message.channel === 'email') return message
  const { subject, preheader, ...others } = message
  return others
}

/** promise message.bulkProviderMatchesTheChannel: through one of another channel it is refused. */
async function checkProviderOfBulk(named: string, channel: Channel, team: Team, assumed: Assumed): Promise<void> {
  const provider = await providerOfASend(named, channel, team, assumed)
  if (provider && provider.channel !== channel) refuse(`providerId must name a provider of the channel ${channel}`)
}
