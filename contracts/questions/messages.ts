import { inHistory } from './sent-messages.ts'
import { byRefusal, byStatus, byValue, CannotTell, describe, Other, requireUnchanged, requireThat } from './finding.ts'
import {
  attachment,
  type ProbeContext,
  type Probes,
  refusedOrAccepted,
  sameInAll,
  toEmail,
  toNewContact,
  unknownId,
  withUnknownId,
} from './probe.ts'
import { type Answer, fieldsOf } from '../client/answer.ts'
import { historyOf, messagesOn } from '../client/messages.ts'
import type { messages } from '../../spec/assumptions/messages.ts'

export const messageProbes: Probes<typeof messages> = {
  unknownTarget: async (context) =>
    byStatus(await context.call('createConversation', { body: { contactId: await unknownId(context, 'contact') } }), {
      404: 'notFound',
      400: 'badRequest',
    }),

  severalTargets: async ({ ask, call, make, some }) => {
    const { _id: conversationId, contactId: own } = await make.conversation()
    const { _id: contactId } = await make.contact()
    await ask('sendLiveMessage', { body: some.chat({ conversationId, contactId: own._id }) })
    const answer = await call('sendLiveMessage', { body: some.chat({ conversationId, contactId }) })
    if (answer.succeeded && answer.data.conversationId !== conversationId) throw new Other('the contactId counts')
    return byRefusal(answer, 'refused', 'firstCounts')
  },

  emptyOptionalId: sameInAll({
    'conversationId of a chat message': byEmptyId('sendLiveMessage', 'conversationId', ''),
    'contactId of a chat message': byEmptyId('sendLiveMessage', 'contactId', ''),
    'conversationId of an SMS': byEmptyId('sendMessage', 'conversationId', ''),
    'null as conversationId of a chat message': byEmptyId('sendLiveMessage', 'conversationId', null),
  }),

  receiverWithoutAddress: sameInAll({
    email: async ({ ask, call, make, some, recipient }) => {
      const withAddress = await make.contact({ email: recipient.email() })
      await ask('sendEmailMessage', { body: some.email({ recipientIds: [withAddress._id] }) })
      const contact = await make.contact({ email: undefined })
      requireThat((contact.email ?? '') === '', 'the contact has an e-mail address')
      return fateOfSend(await call('sendEmailMessage', { body: some.email({ recipientIds: [contact._id] }) }))
    },
    sms: async ({ ask, call, make, some, recipient }) => {
      const withNumber = await make.contact({ phone: recipient.phone() })
      await ask('sendMessage', { body: some.text({ contactId: withNumber._id }) })
      const contact = await make.contact({ phone: undefined })
      requireThat((contact.phone ?? '') === '', 'the contact has a phone number')
      return fateOfSend(await call('sendMessage', { body: some.text({ contactId: contact._id }) }))
    },
  }),

  unknownProvider: refusedOrAccepted('email', withUnknownId('providerId'), toEmail),

  providerOfOtherChannel: refusedOrAccepted(
    'text',
    ({ provider }) => ({ providerId: provider('email') }),
    ({ recipient }) => ({ channel: 'sms', to: recipient.phone() }),
  ),

  contactIdOnEmail: async ({ ask, call, make, some, recipient }) => {
    const { _id: contactId } = await make.contact({ email: recipient.email() })
    await ask('sendEmailMessage', { body: some.email({ recipientIds: [contactId] }) })
    const answer = await call('sendEmailMessage', { body: { ...some.email(), contactId } })
    if (answer.succeeded) requireUnchanged('the contact', answer.data.contactId, contactId)
    return byRefusal(answer, 'refused', 'accepted')
  },

  severalRecipients: async ({ ask, make, some, recipient, target }, context) => {
    if (!target.loopback) throw new CannotTell('needs two people who may be written to')
    const { _id: one } = await make.contact({ email: recipient.email() })
    const { _id: other } = await make.contact({ email: recipient.email() })
    const { data } = await ask('sendEmailMessage', { body: some.email({ recipientIds: [one, other] }) })
    await inHistory(context, data)
    const counts = [await sentTo(context, one, data.content), await sentTo(context, other, data.content)]
    return byValue('the number of messages of each', counts, { oneMessageEach: [1, 1], oneMessage: [1, 0] })
  },

  emailWithoutRecipientIds: async ({ ask, call, make, some, recipient }) => {
    const conversation = await make.conversation({ email: recipient.email() })
    const recipientIds = [conversation.contactId._id]
    await ask('sendEmailMessage', { body: some.email({ conversationId: conversation._id, recipientIds }) })
    const answer = await call('sendEmailMessage', { body: some.email({ conversationId: conversation._id }) })
    if (answer.succeeded && answer.data.contactId !== conversation.contactId._id)
      throw new Other('somebody else gets it')
    return byRefusal(answer, 'refused', 'contactOfConversation')
  },

  replyToUnknown: refusedOrAccepted('email', withUnknownId('replyToMessageId'), toEmail),

  attachmentFields: refusedOrAccepted('chat', { attachments: [{ fileName: 'plan.pdf' }] }, async (context) => ({
    ...(await toNewContact(context)),
    attachments: [attachment(context)],
  })),

  whatsappOutsideSession: async ({ call, some, recipient }, context) => {
    const answer = await call('sendMessage', { body: some.text({ channel: 'whatsapp', to: recipient.phone() }) })
    requireThat(answer.succeeded, `needs a template (whatsappWithoutTemplate): ${answer.summary}`)
    return fateOf(context, answer.data)
  },

  messageStatusLater: async ({ ask, some, make }, context) => {
    const { _id: contactId } = await make.contact()
    const { data } = await ask('sendLiveMessage', { body: some.chat({ contactId }) })
    requireThat(data.status === 'sent', `the status after the send is ${describe(data.status)}`)
    let { status } = await inHistory(context, data)
    await context.timeUntil(async () => {
      status = (await inHistory(context, data)).status
      return status !== 'sent'
    })
    return byValue('the status', status, { staysSent: 'sent', delivered: 'delivered' })
  },

  messageFields: sameInAll({
    chat: async ({ ask, some, make }) => {
      const { _id: contactId } = await make.contact()
      const { data } = await ask('sendLiveMessage', { body: some.chat({ contactId, source: 'pigeon' }) })
      return byValue('the source', fieldsOf(data).source, { onlyShown: undefined, allSent: 'pigeon' })
    },
    sms: async ({ ask, some, recipient }) => {
      const { data } = await ask('sendMessage', { body: some.text({ to: recipient.phone(), source: 'pigeon' }) })
      // A server may show the id of a provider where its number was sent.
      const shown = ['source', 'providerId'].filter((field) => fieldsOf(data)[field] !== undefined)
      return byValue('the list of fields shown', shown, { onlyShown: [], allSent: ['source', 'providerId'] })
    },
  }),
}

/** An id beside `to`. */
function byEmptyId(operation: 'sendLiveMessage' | 'sendMessage', field: string, value: '' | null) {
  return async ({ ask, call, recipient, some }: ProbeContext): Promise<'omitted' | 'unknown'> => {
    const to = recipient.phone()
    const body = () => (operation === 'sendMessage' ? some.text({ channel: 'sms', to }) : some.chat({ to }))
    await ask(operation, { body: body() })
    const answer = await call(operation, { body: { ...body(), [field]: value } })
    // A server that takes null in other fields takes it here, whatever an empty string is.
    requireThat(value === '' || !answer.succeeded, 'null counts as absent (nullField)')
    return byStatus(answer, { ok: 'omitted', 400: 'unknown', 404: 'unknown' })
  }
}

function fateOfSend(answer: Answer<'sendEmailMessage' | 'sendMessage'>): 'refused' | 'accepted' {
  if (answer.succeeded && answer.data.status === 'failed') throw new Other('the message fails')
  return byRefusal(answer, 'refused', 'accepted')
}

async function sentTo(context: ProbeContext, contactId: string, content: string): Promise<number> {
  const { data } = await context.ask('listConversationsOfContact', { path: { contactId } })
  const [conversation] = data
  if (!conversation) return 0
  return messagesOn(await historyOf(context, conversation._id)).filter((message) => message.content === content).length
}

async function fateOf(
  context: ProbeContext,
  message: { _id: string; conversationId: string },
): Promise<'sent' | 'failed'> {
  const { status } = await inHistory(context, message)
  if (status === 'failed') return 'failed'
  if (status === 'sent' || status === 'delivered') return 'sent'
  throw new Other(`the status is ${describe(status)}`)
}
