import type { Static } from 'typebox'
import { isEmailAddress, isPhoneNumber } from '../../spec/forms.ts'
import { receiveMessage } from '../rules/messages/new-message.ts'
import { refuse } from './refusals.ts'
import { noun, route } from './route.ts'
import { Channel, flag, input, optionalText, output, text } from './schemas.ts'

const IncomingToAdd = input('IncomingToAdd', {
  channel: Channel,
  from: text('An e-mail address (email, chat) or a phone number (sms, whatsapp, chat).', { maxLength: 320 }),
  content: text(undefined, { minLength: 1, maxLength: 100_000, 'x-form': 'a text of 1 to 100,000 characters' }),
  subject: optionalText('Of an e-mail.', { maxLength: 1000 }),
})
type IncomingToAdd = Static<typeof IncomingToAdd>

const Incoming = output('Incoming', {
  messageId: text(),
  conversationId: text(),
  contactId: text(),
  isNewContact: flag(),
  isNewConversation: flag(),
})

export const incoming = noun('incoming', 'What customers write.', ({ teams }) => ({
  addIncoming: route('POST /teams/:teamId/incoming', 'Let a customer write', {
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
}))

function checkAddress({ channel, from, subject }: IncomingToAdd): void {
  const isAddress = (channel !== 'email' && isPhoneNumber(from)) || (byEmail.includes(channel) && isEmailAddress(from))
  if (!isAddress)
    refuse(`from must be an e-mail address (email, chat) or a phone number such as +14155550123 (sms, whatsapp, chat)`)
  if (subject !== undefined && channel !== 'email') refuse('only an e-mail has a subject')
}

const byEmail: readonly string[] = ['email', 'chat']
