import { expect } from 'vitest'
import { completeMessage, type SingleSend } from '../../client/operations.ts'
import type { Tools } from '../../client/tools.ts'
import { BrokenPromise, Inconclusive } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { type Context, keeps } from './keeps.ts'
import {
  acceptsMedia,
  acceptsText,
  approvedTemplate,
  historyOf,
  makeConversation,
  makeReceiver,
  messagesOn,
  newAddress,
  onChannel,
  send,
} from './sends.ts'
import { anyAttachment, attachmentOf, optionalFields, pick } from './values.ts'

// Promises about the fields of a live chat message, an e-mail, an SMS or a WhatsApp message.

/** Expects a refusal of each operation of the promise, for a valid message with each of these fields in turn. */
async function refusesEach(context: Context, write: (tools: Tools) => readonly object[]): Promise<void> {
  for (const operation of context.requirement.operations as readonly SingleSend[])
    for (const fields of write(context))
      await context.refuses(operation, { body: { ...completeMessage[operation](context), ...fields } })
}

for (const id of [
  'message.liveIsChatOnly',
  'message.emailIsEmailOnly',
  'message.otherPhoneChannelsAreRefused',
] as const)
  keeps(id, async (context) => {
    const channels = [...context.requirement.values, 'pigeon']
    await refusesEach(context, (tools) => channels.map((channel) => onChannel(channel, tools)))
  })

const refusedFields = {
  'message.malformedPhoneIsRefused': ({ mint }: Tools) => [{ to: 'ada' }, { to: mint.phone().padEnd(17, '0') }],
  'message.nationalPhoneIsRefused': () => [{ to: '0301234567' }],
  'message.malformedEmailIsRefused': () => ['ada', 'ada.example.com', 'ada@'].map((to) => ({ to })),
  'message.otherAttachmentTypesAreRefused': (tools: Tools) => [
    { attachments: [{ ...anyAttachment(tools), mediaType: 'hologram' }] },
  ],
}

for (const id of Object.keys(refusedFields) as (keyof typeof refusedFields)[])
  keeps(id, (context) => refusesEach(context, refusedFields[id]))

keeps('message.liveTakesOptionalFields', async (context) => {
  const fields = pick(context.requirement.fields, optionalFields(context))
  await acceptsMedia(context, 'sendLiveMessage', context.some.chat({ to: context.recipient.phone(), ...fields }))
})

keeps('message.emailTakesOptionalFields', async (context) => {
  const fields = pick(context.requirement.fields, optionalFields(context))
  await acceptsMedia(context, 'sendEmailMessage', context.some.email({ to: context.recipient.email(), ...fields }))
})

keeps('message.phoneTakesOptionalFields', async (context) => {
  const { accepts, requirement, recipient, some, target } = context
  const fields = { to: recipient.phone(), ...pick(requirement.fields, optionalFields(context)) }
  const body = some.text(fields)
  try {
    await accepts('sendMessage', { body })
  } catch (error) {
    // A provider may send files by WhatsApp and not by SMS.
    if (!(error instanceof BrokenPromise) || body.channel !== 'sms' || !target.providers.whatsapp) throw error
    await acceptsText(context, { channel: 'whatsapp', ...fields })
  }
})

keeps('message.liveMediaMayBeNull', async ({ accepts, recipient, some }) => {
  await accepts('sendLiveMessage', { body: some.chat({ to: recipient.phone(), mediaUrl: null, mediaType: null }) })
})

keeps('message.attachmentsAreTaken', async (context) => {
  const { accepts, requirement } = context
  const attachments = [pick(requirement.fields, anyAttachment(context))]
  for (const operation of requirement.operations)
    await accepts(operation, { body: { ...completeMessage[operation](context), attachments } })
})

keeps('message.attachmentTypesAreTaken', async (context) => {
  const { accepts, requirement } = context
  const attachments = requirement.values.map((type) => attachmentOf(type, context))
  for (const operation of requirement.operations)
    await accepts(operation, { body: { ...completeMessage[operation](context), attachments } })
})

keeps('message.recipientIdsAloneAreEnough', async (context) => {
  const { _id } = await makeReceiver('sendEmailMessage', context)
  const { data } = await context.accepts('sendEmailMessage', { body: context.some.email({ recipientIds: [_id] }) })
  expect(data.contactId).toBe(_id)
})

keeps('message.recipientIdsMayJoinTo', async (context) => {
  const { accepts, recipient, some } = context
  const { _id } = await makeReceiver('sendEmailMessage', context)
  await accepts('sendEmailMessage', { body: some.email({ recipientIds: [_id], to: recipient.email() }) })
})

keeps('message.emailReachesToAndRecipientIds', async (context) => {
  const { ask, make, observe, some } = context
  const { to, fields } = newAddress('sendEmailMessage', context)
  const [one, other] = [await make.conversation(fields), await makeConversation('sendEmailMessage', context)]
  const body = some.email({ to, recipientIds: [other.contactId._id] })
  await ask('sendEmailMessage', { body })
  const counts: number[] = []
  for (const { _id } of [one, other]) {
    const sent = messagesOn(await historyOf(context, _id)).filter(({ content }) => content === body.content)
    counts.push(sent.length)
  }
  observe('severalRecipients', counts.every((count) => count > 0) ? 'oneMessageEach' : 'oneMessage')
  expect(counts).toEqual([1, 1])
})

keeps('message.emailTakesThreading', async (context) => {
  const { accepts, call, mint, requirement } = context
  const { body, message } = await send('sendEmailMessage', context)
  const thread = {
    replyToMessageId: message._id,
    quotedMessageId: '<order-1@mail.example.com>',
    threadId: 'thread-1',
  }
  const { replyToMessageId, ...external } = pick(requirement.fields, thread)
  // Each content is different: a server may refuse the same one twice.
  const reply = (fields: object) => ({ body: { ...body, content: `<p>${mint.name('Again')}</p>`, ...fields } })
  await accepts('sendEmailMessage', reply({ replyToMessageId }))
  if (!(await call('sendEmailMessage', reply(external))).succeeded)
    throw new Inconclusive('this server refuses unknown threads of other mail servers, and none is known')
})

keeps('message.phoneChannelsAreTaken', async (context) => {
  const { requirement, recipient } = context
  await each(requirement.values, async (channel) => acceptsText(context, { channel, to: recipient.phone() }))
})

keeps('message.whatsappTakesATemplate', async (context) => {
  const { accepts, requirement, recipient, some } = context
  const template = pick(requirement.fields, await approvedTemplate(context))
  await accepts('sendMessage', { body: some.text({ channel: 'whatsapp', to: recipient.phone(), ...template }) })
})

keeps('message.templateMustBeApproved', async ({ look, make, recipient, refuses, some }) => {
  const template = await make.template('whatsapp')
  if ((await look('template', template))?.status === 'approved') throw new Inconclusive('a new template is approved')
  const body = some.text({ channel: 'whatsapp', to: recipient.phone(), templateId: template._id })
  await refuses('sendMessage', { body })
})
