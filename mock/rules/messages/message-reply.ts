import type { ByChoice } from '../../../spec/assumptions.ts'
import type { BodyOf } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

type ReplyFields = Pick<BodyOf<'sendEmailMessage'>, 'replyToMessageId'>

/**
 * promise message.emailTakesThreading: an e-mail can answer an earlier message. The specification does not say whether
 * that message must exist.
 */
export async function checkReply({ replyToMessageId: id }: ReplyFields, { team, assumed }: Turn): Promise<void> {
  if (id !== undefined && !(await team.messages.get(id))) replyToUnknown[assumed.replyToUnknown]()
}

const replyToUnknown: ByChoice<'replyToUnknown', () => void> = {
  accepted: () => undefined,
  refused: () =>
    refuse('replyToMessageId names no message of this team', {
      assumption: 'replyToUnknown',
      field: 'replyToMessageId',
    }),
}
