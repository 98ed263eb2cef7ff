import type { messages } from '../../spec/assumptions/messages.ts'
import { historyOf, inHistory, untilShown } from '../sent-messages.ts'
import {
  type Asking,
  byRefusal,
  byStatus,
  byValue,
  CannotTell,
  describe,
  fileUrl,
  Other,
  type Probes,
  requireThat,
  sameInAll,
} from '../probe.ts'

export const messageProbes: Probes<typeof messages> = {
  unknownTarget: async ({ call, mint }) =>
    byStatus(await call('createConversation', { body: { contactId: mint.unknownId() } }), {
      404: 'notFound',
      400: 'badRequest',
    }),

  disagreeingTargets: async ({ ask, call, make, some }) => {
    const conversation = await make.conversation()
    const { _id: contactId } = await make.contact()
    await ask('sendLiveMessage', { body: some.chat({ contactId }) })
    const answer = await call('sendLiveMessage', { body: some.chat({ conversationId: conversation._id, contactId }) })
    if (answer.succeeded && answer.data.conversationId !== conversation._id)
      throw new Other('the person counts, and not the conversation')
    return byRefusal(answer, 'refused', 'conversationWins')
  },

  disagreeingReceivers: async ({ ask, call, make, recipient, some }) => {
    const { _id: contactId } = await make.contact()
    const besides = async (other: object) => {
      await ask('sendLiveMessage', { body: some.chat(other) })
      const answer = await call('sendLiveMessage', { body: some.chat({ contactId, ...other }) })
      if (answer.succeeded && answer.data.contactId !== contactId)
        throw new Other(`${Object.keys(other).join()} counts, and not contactId`)
      return byRefusal(answer, 'refused', 'contactIdWins')
    }
    return sameInAll({
      recipientId: async () => besides({ recipientId: (await make.contact())._id }),
      to: () => besides({ to: recipient.phone() }),
    })
  },

  emptyOptionalId: async ({ ask, call, recipient, some }) => {
    const to = recipient.phone()
    await ask('sendLiveMessage', { body: some.chat({ to }) })
    const answer = await call('sendLiveMessage', { body: some.chat({ to, conversationId: '' }) })
    return byStatus(answer, { ok: 'omitted', 400: 'unknown', 404: 'unknown' })
  },

  receiverWithoutAddress: async (asking) => {
    const { ask, call, make, some, recipient } = asking
    const withAddress = await make.contact({ email: recipient.email() })
    await ask('sendEmailMessage', { body: some.email({ recipientIds: [withAddress._id] }) })
    const contact = await make.contact({ email: undefined })
    requireThat((contact.email ?? '') === '', 'the contact has an e-mail address')
    const answer = await call('sendEmailMessage', { body: some.email({ recipientIds: [contact._id] }) })
    if (answer.succeeded && answer.data.status === 'failed') throw new Other('the message fails')
    return byRefusal(answer, 'refused', 'accepted')
  },

  unknownProvider: async ({ ask, call, some, recipient, mint }) => {
    const to = recipient.email()
    await ask('sendEmailMessage', { body: some.email({ to }) })
    const answer = await call('sendEmailMessage', { body: some.email({ to, providerId: mint.unknownId() }) })
    return byRefusal(answer, 'refused', 'accepted')
  },

  providerOfOtherChannel: async ({ ask, call, some, recipient, provider }) => {
    const to = recipient.phone()
    await ask('sendMessage', { body: some.text({ channel: 'sms', to }) })
    const answer = await call('sendMessage', { body: some.text({ channel: 'sms', to, providerId: provider('email') }) })
    return byRefusal(answer, 'refused', 'accepted')
  },

  contactIdOnEmail: async ({ ask, call, make, some, recipient }) => {
    const { _id: contactId } = await make.contact({ email: recipient.email() })
    await ask('sendEmailMessage', { body: some.email({ recipientIds: [contactId] }) })
    const answer = await call('sendEmailMessage', { body: { ...some.email(), contactId } })
    if (answer.succeeded && answer.data.contactId !== contactId) throw new Other('the e-mail goes to another contact')
    return byRefusal(answer, 'refused', 'accepted')
  },

  severalRecipients: async (asking) => {
    const { ask, make, some, recipient, target } = asking
    if (!target.loopback) throw new CannotTell('needs two people who may be written to')
    const ids = [
      (await make.contact({ email: recipient.email() }))._id,
      (await make.contact({ email: recipient.email() }))._id,
    ]
    const { data } = await ask('sendEmailMessage', { body: some.email({ recipientIds: ids }) })
    await untilShown(asking, data)
    const counts = [await sentTo(asking, ids[0] ?? '', data.content), await sentTo(asking, ids[1] ?? '', data.content)]
    return byValue('the number of messages of each', counts, { oneMessageEach: [1, 1], oneMessage: [1, 0] })
  },

  emailWithoutRecipientIds: async (asking) => {
    const { ask, call, make, some, recipient } = asking
    const conversation = await make.conversation({ email: recipient.email() })
    const recipientIds = [conversation.contactId._id]
    await ask('sendEmailMessage', { body: some.email({ conversationId: conversation._id, recipientIds }) })
    const answer = await call('sendEmailMessage', { body: some.email({ conversationId: conversation._id }) })
    if (answer.succeeded && answer.data.contactId !== conversation.contactId._id)
      throw new Other('somebody else gets it')
    return byRefusal(answer, 'refused', 'contactOfConversation')
  },

  replyToUnknown: async ({ ask, call, some, recipient, mint }) => {
    const to = recipient.email()
    await ask('sendEmailMessage', { body: some.email({ to }) })
    const answer = await call('sendEmailMessage', { body: some.email({ to, replyToMessageId: mint.unknownId() }) })
    return byStatus(answer, { ok: 'accepted', 400: 'refused' })
  },

  attachmentFields: async ({ ask, call, make, some, target }) => {
    const { _id: contactId } = await make.contact()
    const whole = {
      fileName: 'plan.pdf',
      fileSize: '12 KB',
      mimeType: 'application/pdf',
      mediaUrl: fileUrl({ target }),
      mediaType: 'file',
    } as const
    const plain = await call('sendLiveMessage', { body: some.chat({ contactId, attachments: [whole] }) })
    if (!plain.succeeded) {
      await ask('sendLiveMessage', { body: some.chat({ contactId }) })
      throw new CannotTell(`an attachment with all its fields is refused: ${plain.summary}`)
    }
    const answer = await call('sendLiveMessage', {
      body: some.chat({ contactId, attachments: [{ fileName: 'plan.pdf' }] }),
    })
    return byRefusal(answer, 'refused', 'accepted')
  },

  mediaTypeFields: async ({ ask, call, make, some }) => {
    const { _id: contactId } = await make.contact()
    await ask('sendLiveMessage', { body: some.chat({ contactId }) })
    const answer = await call('sendLiveMessage', { body: some.chat({ contactId, mediaType: 'image' }) })
    return byRefusal(answer, 'refused', 'accepted')
  },

  unreachableMedia: async ({ call, make, some, target }) => {
    const { _id: contactId } = await make.contact()
    const withMedia = (mediaUrl: string) => some.chat({ contactId, mediaUrl, mediaType: 'file' })
    const reachable = await call('sendLiveMessage', { body: withMedia(fileUrl({ target })) })
    requireThat(reachable.succeeded, `${fileUrl({ target })} is refused: ${reachable.summary}`)
    const answer = await call('sendLiveMessage', { body: withMedia('https://localhost/plan.pdf') })
    return byRefusal(answer, 'refused', 'accepted')
  },

  whatsappOutsideSession: async (asking) => {
    const { ask, some, recipient } = asking
    const { data } = await ask('sendMessage', { body: some.text({ channel: 'whatsapp', to: recipient.phone() }) })
    return fateOf(asking, data)
  },

  numberThatNobodyHas: async (asking) => {
    const { ask, make, some, mint, target } = asking
    if (!target.loopback) throw new CannotTell('it would message a number that nobody allowed')
    const { _id: contactId } = await make.contact({ phone: `+999${mint.phone().slice(-8)}` })
    const { data } = await ask('sendMessage', { body: some.text({ channel: 'sms', contactId }) })
    return fateOf(asking, data)
  },

  messageStatusLater: async (asking) => {
    const { ask, some, make } = asking
    const { _id: contactId } = await make.contact()
    const { data } = await ask('sendLiveMessage', { body: some.chat({ contactId }) })
    requireThat(data.status === 'sent', `the status after the send is ${describe(data.status)}`)
    const later = await inHistory(asking, data)
    requireThat(later !== undefined, 'the message is not in the history')
    return byValue('the status', later.status, { staysSent: 'sent', delivered: 'delivered' })
  },

  messageFields: async ({ ask, some, make }) => {
    const { _id: contactId } = await make.contact()
    const { data } = await ask('sendLiveMessage', { body: some.chat({ contactId, source: 'pigeon' }) })
    return byValue('the source', (data as { source?: unknown }).source, { onlyShown: undefined, allSent: 'pigeon' })
  },
}

async function sentTo(asking: Asking, contactId: string, content: string): Promise<number> {
  const { data } = await asking.ask('listConversationsOfContact', { path: { contactId } })
  const [conversation] = data
  if (!conversation) return 0
  return (await historyOf(asking, conversation._id)).filter((message) => message.content === content).length
}

async function fateOf(asking: Asking, message: { _id: string; conversationId: string }): Promise<'sent' | 'failed'> {
  const later = await inHistory(asking, message)
  if (!later) throw new CannotTell('the message is not in the history')
  if (later.status === 'failed') return 'failed'
  if (later.status === 'sent' || later.status === 'delivered') return 'sent'
  throw new Other(`the status is ${describe(later.status)}`)
}
