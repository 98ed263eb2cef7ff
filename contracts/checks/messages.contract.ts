import { expect } from 'vitest'
import { bulkChannel } from '../../client/bodies.ts'
import { fieldsOf } from '../../client/answer.ts'
import { completeMessage, sending, type SingleSend } from '../../client/operations.ts'
import type { Tools } from '../../client/tools.ts'
import { sendsByPhone, singleSends } from '../../spec/operation-groups.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'
import { BrokenPromise, Inconclusive, Skipped } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { type Context, keeps } from './keeps.ts'
import { asOtherCallers, unlessRefused } from './other-records.ts'
import {
  acceptsMedia,
  acceptsText,
  approvedTemplate,
  firstPageOf,
  historyOf,
  idsOn,
  makeConversation,
  makeReceiver,
  messagesOn,
  newAddress,
  onChannel,
  send,
  sendInto,
} from './sends.ts'
import {
  anyAttachment,
  anyText,
  asShown,
  attachmentOf,
  longText,
  optionalFields,
  pick,
  severalLines,
  timestamp,
  withLineFeeds,
} from './values.ts'

keeps('message.goesToTheConversationNamed', async (context) => {
  for (const operation of context.requirement.operations) {
    const { message, into } = sending[operation]
    const conversation = await makeConversation(operation, context)
    const { data } = await context.accepts(operation, { body: message(context, into(conversation)) })
    expect(data.conversationId).toBe(conversation._id)
    expect(idsOn(await historyOf(context, conversation._id))).toContain(data._id)
  }
})

keeps('message.addressAloneIsEnough', async (context) => {
  for (const operation of context.requirement.operations) {
    const { to } = newAddress(operation, context)
    await context.accepts(operation, { body: sending[operation].message(context, { to }) })
  }
})

keeps('message.contactAloneIsEnough', async (context) => {
  for (const operation of context.requirement.operations) {
    const { _id: contactId } = await makeReceiver(operation, context)
    const { data } = await context.accepts(operation, { body: sending[operation].message(context, { contactId }) })
    expect(data.contactId).toBe(contactId)
  }
})

keeps('message.recipientIdMeansContactId', async (context) => {
  for (const operation of context.requirement.operations) {
    const { message } = sending[operation]
    const { _id } = await makeReceiver(operation, context)
    const byAlias = await context.accepts(operation, { body: { ...message(context), recipientId: _id } })
    const byName = await context.ask(operation, { body: message(context, { contactId: _id }) })
    expect(byAlias.data.contactId).toBe(_id)
    expect(byAlias.data.conversationId).toBe(byName.data.conversationId)
  }
})

keeps('message.missingContactIsMade', async (context) => {
  const { accepts, ask, look, requirement, target } = context
  if (!target.loopback)
    throw new Skipped('people who may be written to may be contacts already, so it is tried on this machine only')
  for (const operation of requirement.operations) {
    const { message, address } = sending[operation]
    const [known, { to }] = [await makeReceiver(operation, context), newAddress(operation, context)]
    const { contactId, conversationId } = (await accepts(operation, { body: message(context, { to }) })).data
    expect(contactId).not.toBe(known._id)
    const shown = await look('contact', { _id: contactId, firstName: 'Ada' })
    expect(shown).toMatchObject(asShown({ _id: contactId, [address]: to }))
    const { data } = await ask('getConversation', { path: { conversationId } })
    expect(data.contactId._id).toBe(contactId)
  }
})

keeps('message.missingConversationIsMade', async (context) => {
  const { accepts, call, requirement } = context
  for (const operation of requirement.operations) {
    const { message, toContact } = sending[operation]
    const contact = await makeReceiver(operation, context)
    const { conversationId } = (await accepts(operation, { body: message(context, toContact(contact)) })).data
    const { body } = await call('getConversation', { path: { conversationId } })
    expect(body).toMatchObject({ data: { _id: conversationId, contactId: { _id: contact._id } } })
  }
})

keeps('message.knownContactIsReached', async (context) => {
  const { accepts, make, requirement, target } = context
  for (const operation of requirement.operations) {
    const { to, fields } = newAddress(operation, context)
    const known = await make.conversation(fields)
    const { data } = await accepts(operation, { body: sending[operation].message(context, { to }) })
    // On a shared server older contacts may have the address, and the server may choose any of them.
    if (!target.loopback && data.contactId !== known.contactId._id)
      throw new Inconclusive('another contact with the same address was reached')
    expect(data.contactId).toBe(known.contactId._id)
    expect(data.conversationId).toBe(known._id)
  }
})

/** Sends on each channel by its provider, named by its id or by its address. */
for (const [id, by] of [
  ['message.providerById', 'id'],
  ['message.providerByAddress', 'address'],
] as const)
  keeps(id, async (context) => {
    const { accepts, provider, recipient, some } = context
    const providerId = provider('email', by)
    await accepts('sendEmailMessage', { body: some.email({ providerId, to: recipient.email() }) })
    await accepts('sendBulkMessages', { body: some.bulk('email', { providerId }) })
    await each(['sms', 'whatsapp'] as const, async (channel) =>
      acceptsText(context, { channel, providerId: provider(channel, by), to: recipient.phone() }),
    )
  })

keeps('message.needsATarget', async (context) => {
  for (const operation of context.requirement.operations)
    await context.refuses(operation, { body: sending[operation].message(context) })
})

keeps('message.unknownConversationIsRefused', async (context) => {
  const { mint, requirement, refuses } = context
  for (const operation of requirement.operations) {
    const { message, toContact } = sending[operation]
    const contact = await makeReceiver(operation, context)
    for (const receiver of [{}, toContact(contact)])
      await refuses(operation, { body: message(context, { ...receiver, conversationId: mint.unknownId() }) })
  }
})

keeps('message.answersWithTheMessage', async (context) => {
  const { requirement } = context
  for (const operation of requirement.operations) {
    const { conversation, message } = await send(operation, context)
    for (const field of requirement.fields) expect(message).toHaveProperty(field, anyText)
    expect(message.conversationId).toBe(conversation._id)
    // A message is not older than its conversation. The clocks of two machines may differ.
    expect(Date.parse(message.createdAt)).toBeGreaterThan((Date.parse(conversation.createdAt) || 0) - 60_000)
  }
})

/** Fields of the message in the answer to a single send. */
const expectedFields: Readonly<Partial<Record<PromiseId, (conversation: Schemas['Conversation']) => object>>> = {
  'message.isOutgoing': () => ({ direction: 'outgoing' }),
  'message.isSent': () => ({ status: 'sent' }),
  'message.contactIsAnId': ({ contactId }) => ({ contactId: contactId._id }),
}

for (const [id, fieldsFor] of Object.entries(expectedFields) as [
  keyof typeof expectedFields,
  (typeof expectedFields)[PromiseId],
][])
  keeps(id, async (context) => {
    for (const operation of singleSends) {
      const { conversation, message } = await send(operation, context)
      expect(message).toMatchObject(fieldsFor?.(conversation) ?? {})
    }
  })

/** Sends a message on each channel. */
const sendOn = (channel: 'chat' | 'email' | 'sms' | 'whatsapp', tools: Tools) =>
  channel === 'chat'
    ? send('sendLiveMessage', tools)
    : channel === 'email'
      ? send('sendEmailMessage', tools)
      : send('sendMessage', tools, ({ some }, fields) => some.text({ ...fields, channel }))

keeps('message.keepsItsChannel', async (context) => {
  await each(context.requirement.values, async (channel) => {
    expect((await sendOn(channel, context)).message.channel).toBe(channel)
  })
})

keeps('message.onlyEmailHasASubject', async (context) => {
  await each(['chat', 'sms', 'whatsapp'] as const, async (channel) => {
    expect((await sendOn(channel, context)).message.subject ?? '').toBe('')
  })
})

keeps('message.keepsItsContent', async (context) => {
  for (const operation of context.requirement.operations) {
    const { body, conversation, message } = await send(operation, context)
    // A server may append a text, such as how to unsubscribe.
    expect(message.content).toContain(body.content)
    await keepsLongTexts(operation, conversation, context)
  }
})

/** Expects a text that the server accepts in the answer and in the history. Its longest length is left open. */
async function keepsLongTexts(operation: SingleSend, conversation: Schemas['Conversation'], tools: Tools) {
  if (!tools.target.loopback) return // on another machine a run may send only a few messages
  const { message, into } = sending[operation]
  for (const text of [longText, longText.repeat(6)]) {
    const body = { ...message(tools, into(conversation)), content: `${tools.mint.name('Text')} ${text}` }
    const { fields, succeeded } = await tools.call(operation, { body })
    if (!succeeded) continue
    const { _id, content } = fieldsOf(fields.data)
    expect(content).toContain(body.content)
    const listed = messagesOn(await historyOf(tools, conversation._id)).find((one) => one._id === _id)
    if (listed) expect(listed.content).toContain(body.content)
  }
}

/** A message as its answer and the history show it. A server may add messages to the history. */
async function readBack(conversation: Schemas['Conversation'], message: Schemas['Message'], tools: Tools) {
  const listed = messagesOn(await historyOf(tools, conversation._id))
  return [message, ...listed.filter(({ _id }) => _id === message._id)]
}

keeps('message.keepsItsLineBreaks', async (context) => {
  for (const operation of sendsByPhone) {
    const content = `${context.mint.name('Text')}\n${severalLines}`
    const { conversation, message } = await send(operation, context, (tools, fields) => ({
      ...sending[operation].message(tools, fields),
      content,
    }))
    for (const shown of await readBack(conversation, message, context))
      expect(withLineFeeds(shown.content)).toContain(content)
  }
})

keeps('message.createdAtIsIso', async (context) => {
  for (const operation of singleSends) {
    const { conversation, message } = await send(operation, context)
    for (const one of [message, ...messagesOn(await historyOf(context, conversation._id))])
      expect(one).toHaveProperty('createdAt', timestamp)
  }
})

keeps('message.emailKeepsItsSubject', async (context) => {
  const subject = context.mint.name('Your order')
  const { conversation, message } = await send('sendEmailMessage', context, ({ some }, fields) =>
    some.email({ ...fields, subject }),
  )
  for (const shown of await readBack(conversation, message, context)) expect(shown).toHaveProperty('subject', subject)
})

keeps('message.historyHoldsEverySend', async (context) => {
  const { requirement, target } = context
  for (const operation of singleSends) {
    const conversation = await makeConversation(operation, context)
    // A server with a stale cache would repeat this answer.
    await context.call('listMessages', firstPageOf(conversation._id))
    const { message } = await sendInto(conversation, operation, context)
    const history = messagesOn(await historyOf(context, conversation._id)).filter(
      ({ _id, content }) => _id === message._id || content === message.content,
    )
    expect(history.map((one) => pick(requirement.fields, one))).toEqual([pick(requirement.fields, message)])
  }
  if (!target.loopback) return
  await asOtherCallers(context, async (caller) => {
    for (const operation of singleSends) await unlessRefused(() => keepsMessage(operation, caller))
  })
})

async function keepsMessage(operation: SingleSend, caller: Tools): Promise<void> {
  const { conversation, message } = await send(operation, caller)
  const history = messagesOn(await historyOf(caller, conversation._id))
  if (!history.some(({ _id, content }) => _id === message._id || content === message.content))
    throw new BrokenPromise('the message that was sent', `the history of ${conversation._id} lacks it`)
}

/** Fields that no operation lists, and fields that only other operations list. */
const unlisted = {
  sendLiveMessage: { nickname: 'Ada', subject: 'Your order' },
  sendEmailMessage: { nickname: 'Ada', preheader: 'Also on Sundays' },
  sendMessage: { nickname: 'Ada', attachments: [] },
  sendBulkMessages: { nickname: 'Ada', threadId: 'thread-1' },
}

keeps('message.unlistedFieldsAreRefused', async (context) => {
  for (const operation of context.requirement.operations)
    for (const [field, value] of Object.entries(unlisted[operation]))
      await context.refuses(operation, { body: { ...completeMessage[operation](context), [field]: value } })
})

keeps('message.wrongTypesAreRefused', async (context) => {
  const { requirement, refuses, target } = context
  for (const operation of requirement.operations) {
    // On another machine a run may send only a few messages.
    const fields = target.loopback ? [...requirement.fields, ...listsAndObjects[operation]] : ['content', 'source']
    for (const field of fields)
      await refuses(operation, { body: { ...completeMessage[operation](context), [field]: 7 } })
  }
})

const parameters = ['headerParameters', 'bodyParameters']

const listsAndObjects = {
  sendLiveMessage: ['attachments'],
  sendEmailMessage: ['attachments', 'recipientIds'],
  sendMessage: parameters,
  sendBulkMessages: ['attachments', 'scheduleTime', ...parameters],
}

keeps('message.mergeFieldsAreTaken', async (context) => {
  const { accepts, observe, some, target } = context
  const content = 'Dear {{contact.firstName}}, dear {{firstName}}'
  const { _id: conversationId } = await makeConversation('sendLiveMessage', context)
  const { data } = await accepts('sendLiveMessage', { body: some.chat({ content, conversationId }) })
  observe('mergeFields', data.content === content ? 'raw' : 'rendered')
  await accepts('sendBulkMessages', { body: some.bulk(bulkChannel(target), { content }) })
})

// The fields of a live chat message, an e-mail, an SMS or a WhatsApp message.

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
