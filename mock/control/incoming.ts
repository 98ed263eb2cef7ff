import { type Static, Type } from 'typebox'
import { isEmailAddress, isPhoneNumber } from '../../spec/forms.ts'
import { receiveMessage } from '../rules/messages/new-message.ts'
import { refuse } from './refusals.ts'
import { noun, route } from './route.ts'
import { Channel, closed, optionalText, text } from './schemas.ts'

const IncomingToAdd = Type.Object(
  {
    channel: Channel,
    from: text('An e-mail address (email, chat) or a phone number (sms, whatsapp, chat).', { maxLength: 320 }),
    content: Type.String({ minLength: 1, maxLength: 100_000, 'x-form': 'a text of 1 to 100,000 characters' }),
    subject: optionalText('Of an e-mail.', { maxLength: 1000 }),
  },
  { ...closed, title: 'IncomingToAdd' },
)
type IncomingToAdd = Static<typeof IncomingToAdd>

const Incoming = Type.Object(
  {
    messageId: Type.String(),
    conversationId: Type.String(),
    contactId: Type.String(),
    isNewContact: Type.Boolean(),
    isNewConversation: Type.Boolean(),
  },
  { title: 'Incoming' },
)

export const incoming = noun('incoming', 'What customers write.', ({ teams }) => [
  route('POST /teams/:teamId/incoming', {
    id: 'addIncoming',
    summary: 'Let a customer write',
    description:
      'The message is added to the conversation of the contact with this address. Contact and conversation are created when there are none, as by a send to the address.',
    body: IncomingToAdd,
    example: { channel: 'whatsapp', from: '+14155550123', content: 'Where is my order?' },
    status: 201,
    message: 'Message received',
    data: Incoming,
    async handler({ params: { teamId }, body }) {
      checkAddress(body)
      return teams.transaction({ teamId }, (tx) => receiveMessage(body, tx))
    },
  }),
])

function checkAddress({ channel, from, subject }: IncomingToAdd): void {
  const takesEmail = channel === 'email' || channel === 'chat'
  const takesPhone = channel !== 'email'
  if ((takesEmail && isEmailAddress(from)) || (takesPhone && isPhoneNumber(from))) {
    if (subject !== undefined && channel !== 'email') refuse('only an e-mail has a subject')
    return
  }
  const email = takesEmail ? ['an e-mail address'] : []
  const phone = takesPhone ? ['a phone number in E.164 form, such as +14155550123'] : []
  refuse(`from must be ${[...email, ...phone].join(' or ')}`)
}
