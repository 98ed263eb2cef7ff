import { expect } from 'vitest'
import { seeEachChoice } from './each-choice.ts'
import type { Call } from './harness.ts'
import {
  ada,
  grace,
  chat,
  sms,
  email,
  unknownId,
  send,
  contact,
  met,
  history,
  idsIn,
  plan,
  withTemplates,
  texts,
  filled,
  sendTemplate,
} from './messaging.ts'

/** Creates Ada and Grace, and reads the messages to each. */
async function bothMet(call: Call) {
  const first = await met(call)
  const second = await met(call, grace)
  const seen = async () => [
    (await history(call, first.contactId)).length,
    (await history(call, second.contactId)).length,
  ]
  return { ada: first, grace: second, seen }
}

seeEachChoice({
  unknownTarget: {
    story: async (call) => {
      const told = await send(call, { ...chat, conversationId: unknownId })
      const others = [
        { ...sms, contactId: unknownId },
        { ...chat, recipientId: unknownId },
        { ...email, recipientIds: [unknownId] },
      ]
      const statuses = await Promise.all(others.map(async (body) => (await send(call, body)).status))
      return { told, seen: [told.status, ...statuses] }
    },
    shows: { notFound: [404, 404, 404, 404], badRequest: [400, 400, 400, 400] },
    otherwise: (call) => send(call, { ...chat, to: ada.phone }),
  },
  disagreeingTargets: {
    story: async (call) => {
      const { ada: hers, grace: other, seen } = await bothMet(call)
      const { conversationId } = hers
      const told = await send(call, { ...chat, conversationId, contactId: other.contactId })
      await send(call, { ...sms, conversationId, recipientId: other.contactId })
      await send(call, { ...sms, conversationId, to: grace.phone })
      await send(call, { ...email, conversationId, recipientIds: [hers.contactId, other.contactId] })
      await send(call, { ...email, conversationId, to: grace.email })
      return { told, seen: [told.status, ...(await seen())] }
    },
    shows: { conversationWins: [200, 5, 0], refused: [400, 0, 0] },
    otherwise: async (call) => send(call, { ...chat, ...(await met(call)), to: ada.phone }),
  },
  disagreeingReceivers: {
    story: async (call) => {
      const { ada: hers, grace: other, seen } = await bothMet(call)
      const told = await send(call, { ...chat, contactId: hers.contactId, recipientId: other.contactId })
      await send(call, { ...sms, recipientId: hers.contactId, to: grace.phone })
      return { told, seen: [told.status, ...(await seen())] }
    },
    shows: { contactIdWins: [200, 2, 0], refused: [400, 0, 0] },
    otherwise: async (call) => send(call, { ...chat, contactId: await contact(call), to: ada.phone }),
  },
  receiverWithoutAddress: {
    story: async (call) => {
      const { email: _, ...unreachable } = ada
      const { contactId, conversationId } = await met(call, unreachable)
      const told = await send(call, { ...email, recipientIds: [contactId] })
      const within = await send(call, { ...email, conversationId })
      const { phone: __, ...silent } = grace
      const texted = await send(call, { ...sms, contactId: await contact(call, silent) })
      return { told, seen: [told.status, within.status, texted.status, (await history(call, contactId)).length] }
    },
    shows: { refused: [400, 400, 400, 0], accepted: [200, 200, 200, 2] },
    otherwise: async (call) => send(call, { ...chat, contactId: await contact(call, { ...ada, phone: undefined }) }),
  },
  unknownProvider: {
    story: async (call) => {
      const told = await send(call, { ...email, to: ada.email, providerId: 'nobody' })
      const texted = await send(call, { ...sms, to: ada.phone, providerId: '+14155559999' })
      return { told, seen: [told.status, texted.status] }
    },
    shows: { refused: [400, 400], accepted: [200, 200] },
    otherwise: (call) => send(call, { ...email, to: ada.email }),
  },
  providerOfOtherChannel: {
    story: async (call) => {
      const told = await send(call, { ...sms, to: ada.phone, providerId: 'email-provider' })
      const mailed = await send(call, { ...email, to: ada.email, providerId: '+14155550100' })
      return { told, seen: [told.status, mailed.status] }
    },
    shows: { refused: [400, 400], accepted: [200, 200] },
    otherwise: (call) => send(call, { ...sms, to: ada.phone }),
  },
  contactIdOnEmail: {
    story: async (call) => {
      const { contactId, conversationId } = await met(call)
      const told = await send(call, { ...email, contactId })
      const alias = await send(call, { ...email, recipientId: contactId, conversationId })
      const bad = await send(call, { ...email, contactId: 5 })
      const { length } = await history(call, contactId)
      return { told, seen: [told.status, alias.status, bad.status, length] }
    },
    shows: { refused: [400, 400, 400, 0], accepted: [200, 200, 400, 2] },
    otherwise: async (call) => send(call, { ...email, recipientIds: [await contact(call)] }),
  },
  severalRecipients: {
    story: async (call) => {
      const { ada: hers, grace: other, seen } = await bothMet(call)
      const told = await send(call, { ...email, recipientIds: [hers.contactId, other.contactId] })
      return { told, seen: [idsIn(told).contactId === hers.contactId, ...(await seen())] }
    },
    shows: { oneMessageEach: [true, 1, 1], oneMessage: [true, 1, 0] },
    otherwise: async (call) => {
      const id = await contact(call)
      return send(call, { ...email, recipientIds: [id, id] })
    },
  },
  emailWithoutRecipientIds: {
    story: async (call) => {
      const { contactId, conversationId } = await met(call)
      const told = await send(call, { ...email, conversationId })
      return { told, seen: [told.status, (await history(call, contactId)).length] }
    },
    shows: { contactOfConversation: [200, 1], refused: [400, 0] },
    otherwise: async (call) => {
      const { contactId, conversationId } = await met(call)
      return send(call, { ...email, conversationId, recipientIds: [contactId] })
    },
  },
  replyToUnknown: {
    story: (call) => send(call, { ...email, to: ada.email, replyToMessageId: unknownId }),
    shows: { accepted: 200, refused: 400 },
    otherwise: async (call) => {
      const replyToMessageId = (await send(call, { ...email, to: ada.email })).body.data._id
      return send(call, { ...email, to: ada.email, replyToMessageId })
    },
  },
  attachmentFields: {
    story: async (call) => {
      const { fileSize, ...incomplete } = plan
      const insecure = { ...plan, mediaUrl: 'http://files.example.com/plan.pdf' }
      const told = await send(call, { ...chat, to: ada.phone, attachments: [plan, incomplete] })
      const others = [
        { ...email, to: ada.email, attachments: [insecure] },
        { ...sms, to: ada.phone, mediaUrl: 'plan.pdf' },
        { ...chat, to: ada.phone, mediaUrl: 'javascript:alert(1)' },
      ]
      const statuses = await Promise.all(others.map(async (body) => (await send(call, body)).status))
      return { told, seen: [told.status, ...statuses] }
    },
    shows: { accepted: [200, 200, 200, 200], refused: [400, 400, 400, 400] },
    otherwise: (call) => {
      const { mediaUrl } = plan
      return send(call, { ...chat, to: ada.phone, mediaUrl, attachments: [{ ...plan, mediaType: '' }] })
    },
  },
  messageFields: {
    story: async (call) => {
      const told = await send(call, { ...sms, to: ada.phone, source: 'Website', content: 'Hello {{phone}}' })
      const path = { conversationId: idsIn(told).conversationId }
      const read = await call('listMessages', { path })
      expect(read.body.data[0].messages).toEqual([told.body.data])
      expect(read.assumed).toContain('messageFields')
      const { _id, channel, direction, content, status, conversationId, contactId, createdAt, ...others } =
        told.body.data
      return { told, seen: others }
    },
    shows: { onlyShown: {}, allSent: { source: 'Website', providerId: sms.providerId, to: ada.phone } },
    otherwise: async (call) => send(call, { ...chat, ...(await met(call)) }),
  },
  unknownTemplate: {
    world: withTemplates,
    story: (call) => sendTemplate(call, { templateId: unknownId }),
    shows: { notFound: 404, badRequest: 400 },
    otherwise: (call) => sendTemplate(call, filled),
  },
  templateOnSms: {
    world: withTemplates,
    story: async (call) => {
      const told = await sendTemplate(call, filled, sms)
      const other = await sendTemplate(call, { bodyParameters: texts('Ada') }, sms)
      return { told, seen: [told.body.data?.content, other.body.data?.content] }
    },
    shows: { refused: [undefined, undefined], ignored: ['Hello', 'Hello'] },
    otherwise: (call) => sendTemplate(call, {}, sms),
  },
  templateOfOtherType: {
    world: withTemplates,
    story: async (call) => {
      const told = await sendTemplate(call, { templateId: 'sms-template' })
      return { told, seen: told.body.data?.content }
    },
    shows: { refused: undefined, ignored: 'Hello' },
    otherwise: (call) => sendTemplate(call, filled),
  },
  templateContent: {
    world: withTemplates,
    story: async (call) => {
      await contact(call)
      const sent = await sendTemplate(call, { ...filled, content: 'Hello {{firstName}}' })
      expect(sent.assumed).toContain('templateContent')
      const told = await call('listMessages', { path: { conversationId: idsIn(sent).conversationId } })
      return { told, seen: [sent.body.data.content, told.body.data[0].messages[0].content] }
    },
    shows: {
      filledTemplate: Array(2).fill('Dear Ada, your order {{1}} has left, Ada'),
      fallbackText: ['Hello Ada', 'Hello Ada'],
    },
    otherwise: (call) => sendTemplate(call, {}),
  },
  missingParameters: {
    world: withTemplates,
    story: async (call) => {
      const told = await sendTemplate(call, { ...filled, bodyParameters: texts('Ada') })
      const headless = await sendTemplate(call, { ...filled, templateId: 'with-header' })
      return { told, seen: [told.body.data?.content, headless.status] }
    },
    shows: { leftAsIs: ['Dear Ada, your order {{2}} has left, Ada', 200], refused: [undefined, 400] },
    otherwise: (call) => sendTemplate(call, filled),
  },
})
