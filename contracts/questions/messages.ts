import type { messages } from '../../spec/assumptions/messages.ts'
import { sendsByPhone } from '../../spec/operation-groups.ts'
import { type Answer, fieldsOf } from '../client/answer.ts'
import { historyOf, messagesOn } from '../client/messages.ts'
import { byRefusal, byStatus, byValue, CannotTell, describe, Other, requireThat, requireUnchanged } from './finding.ts'
import { askOddly, insteadOf, refusedOrAccepted } from './odd-requests.ts'
import { attachment, idOfNone, type ProbeContext, unknownId } from './probe.ts'
import { byDeleted, byHiddenFields, byRefusalOf, isText, on, onSuccess, type Questions, sameInAll } from './question.ts'
import { inHistory } from './sent-messages.ts'

/** Beside `to`. */
const withEmptyId = (operation: 'sendLiveMessage' | 'sendMessage', empty: Readonly<Record<string, '' | null>>) =>
  askOddly(
    ({ some, recipient: { phone } }) => [
      operation,
      { body: operation === 'sendMessage' ? some.text({ channel: 'sms', to: phone() }) : some.chat({ to: phone() }) },
    ],
    (_, { body }) => ({ body: { ...fieldsOf(body), ...empty } }),
  )

/** Sends to a contact with such an address, and to one without. */
const withoutAddress =
  (
    field: 'email' | 'phone',
    send: (context: ProbeContext, contactId: string) => Promise<Answer<'sendEmailMessage' | 'sendMessage'>>,
  ) =>
  async (context: ProbeContext): Promise<'refused' | 'accepted'> => {
    const { _id } = await context.make.contact({ [field]: context.recipient[field]() })
    const { succeeded, summary } = await send(context, _id)
    requireThat(succeeded, `a step failed: ${summary}`)
    const contact = await context.make.contact({ [field]: undefined })
    requireThat((contact[field] ?? '') === '', `the contact has an address (${field})`)
    const answer = await send(context, contact._id)
    if (answer.succeeded && answer.data.status === 'failed') throw new Other('the message fails')
    return byRefusal(answer, 'refused', 'accepted')
  }

export const messageQuestions: Questions<typeof messages> = {
  unknownTarget: {
    ask: async ({ call }, context) =>
      call('createConversation', { body: { contactId: await unknownId(context, 'contact') } }),
    read: byDeleted([...sendsByPhone, 'createConversation'], 'contactId'),
  },

  severalTargets: async ({ ask, call, make, some }) => {
    const { _id: conversationId, contactId: own } = await make.conversation()
    const { _id: contactId } = await make.contact()
    await ask('sendLiveMessage', { body: some.chat({ conversationId, contactId: own._id }) })
    const answer = await call('sendLiveMessage', { body: some.chat({ conversationId, contactId }) })
    if (answer.succeeded && answer.data.conversationId !== conversationId) throw new Other('the contactId counts')
    return byRefusal(answer, 'refused', 'firstCounts')
  },

  emptyOptionalId: {
    ask: {
      'conversationId of a chat message': withEmptyId('sendLiveMessage', { conversationId: '' }),
      'contactId of a chat message': withEmptyId('sendLiveMessage', { contactId: '' }),
      'conversationId of an SMS': withEmptyId('sendMessage', { conversationId: '' }),
      'null as conversationId of a chat message': withEmptyId('sendLiveMessage', { conversationId: null }),
    },
    read: on(sendsByPhone, ({ answer, sent, isRefusedFor }) => {
      const empty = ['conversationId', 'contactId'].find((field) => sent[field] === '' || sent[field] === null)
      if (!isText(sent.to) || empty === undefined) return undefined
      // A server that takes null in other fields takes it here, whatever an empty string is.
      if (answer.succeeded) return sent[empty] === '' && byStatus(answer, { ok: 'omitted' })
      return (answer.status === 404 || isRefusedFor(empty)) && 'unknown'
    }),
  },

  receiverWithoutAddress: sameInAll({
    email: withoutAddress('email', ({ call, some }, contactId) =>
      call('sendEmailMessage', { body: some.email({ recipientIds: [contactId] }) }),
    ),
    sms: withoutAddress('phone', ({ call, some }, contactId) =>
      call('sendMessage', { body: some.text({ contactId }) }),
    ),
  }),

  unknownProvider: refusedOrAccepted('email', { providerId: idOfNone() }),

  providerOfOtherChannel: refusedOrAccepted('sms', { providerId: ({ provider }) => provider('email') }),

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

  emailWithoutRecipientIds: {
    ask: async ({ ask, call, make, some, recipient }) => {
      const { _id: conversationId, contactId } = await make.conversation({ email: recipient.email() })
      await ask('sendEmailMessage', { body: some.email({ conversationId, recipientIds: [contactId._id] }) })
      await call('sendEmailMessage', { body: some.email({ conversationId }) })
    },
    read: on(['sendEmailMessage'], (exchange) => {
      const { recipientIds, conversationId, to } = exchange.sent
      if (recipientIds !== undefined || to !== undefined || !isText(conversationId)) return undefined
      const receiver = exchange.facts.contactOf(conversationId)
      const isOther = receiver !== undefined && exchange.data.contactId !== receiver
      if (exchange.answer.succeeded && isOther) throw new Other('somebody else gets it')
      return byRefusalOf('recipientIds', exchange, 'refused', 'contactOfConversation')
    }),
  },

  replyToUnknown: refusedOrAccepted('email', { replyToMessageId: idOfNone() }),

  attachmentFields: refusedOrAccepted('chat', {
    attachments: insteadOf((context) => [attachment(context)], [{ fileName: 'plan.pdf' }]),
  }),

  whatsappOutsideSession: async ({ call, some, recipient }, context) => {
    const answer = await call('sendMessage', { body: some.text({ channel: 'whatsapp', to: recipient.phone() }) })
    requireThat(answer.succeeded, `needs a template (whatsappWithoutTemplate): ${answer.summary}`)
    const { status } = await inHistory(context, answer.data)
    return byValue('the status', status === 'delivered' ? 'sent' : status, { sent: 'sent', failed: 'failed' })
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

  messageFields: {
    ask: {
      chat: async ({ ask, some, make }) => {
        const { _id: contactId } = await make.contact()
        await ask('sendLiveMessage', { body: some.chat({ contactId, source: 'pigeon' }) })
      },
      sms: ({ ask, some, recipient }) =>
        ask('sendMessage', { body: some.text({ to: recipient.phone(), source: 'pigeon' }) }),
    },
    // A server may show the id of a provider where its number was sent.
    read: onSuccess(sendsByPhone, byHiddenFields('mediaUrl', 'source', 'providerId')),
  },
}

async function sentTo(context: ProbeContext, contactId: string, content: string): Promise<number> {
  const { data } = await context.ask('listConversationsOfContact', { path: { contactId } })
  const [conversation] = data
  if (!conversation) return 0
  return messagesOn(await historyOf(context, conversation._id)).filter((message) => message.content === content).length
}
