import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'

type BulkFields = Omit<Schemas['BulkMessage'], 'to' | 'scheduleType' | 'scheduleTime'>

/**
 * promise message.onlyEmailHasASubject: a message that is no e-mail has no subject. The specification does not say
 * whether a bulk send on another channel may have one, nor that of the parameters of a WhatsApp template.
 */
export function dropFieldsOfOtherChannels(message: BulkFields, { assumed }: Turn): BulkFields {
  const { subject, preheader, headerParameters, bodyParameters } = message
  const { channel } = message
  const strange = {
    ...(channel === 'email' ? {} : { subject, preheader }),
    ...(channel === 'whatsapp' ? {} : { headerParameters, bodyParameters }),
  }
  const sent = Object.entries<unknown>(strange).filter(([, value]) => value !== undefined)
  const [first] = sent
  if (!first) return message
  bulkFieldOfOtherChannel[assumed.bulkFieldOfOtherChannel](first[0], channel)
  const fields = new Set(sent.map(([field]) => field))
  return Object.fromEntries(Object.entries(message).filter(([field]) => !fields.has(field))) as BulkFields
}

const bulkFieldOfOtherChannel: ByChoice<'bulkFieldOfOtherChannel', (field: string, channel: string) => void> = {
  ignored: () => undefined,
  refused: (field, channel) =>
    refuse(`${field} is not for the channel ${channel}; leave it out`, {
      assumption: 'bulkFieldOfOtherChannel',
      field,
    }),
}
