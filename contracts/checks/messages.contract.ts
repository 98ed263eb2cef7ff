import { expect } from 'vitest'
import { bulkChannel } from '../client/bodies.ts'
import { findApprovedTemplate, fromTemplate, historyOf, messagesOn } from '../client/messages.ts'
import { completeMessage, sending, type SingleSend } from '../client/operations.ts'
import type { Tools } from '../client/tools.ts'
import { singleSends } from '../../spec/operation-groups.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { BodyOf, OperationId, Schemas } from '../../spec/types.ts'
import { BrokenPromise, Inconclusive, Skipped } from '../judge/outcome.ts'
import { checkAccepted, checkRefused, each } from './each-operation.ts'
import { type Context, keeps } from './keeps.ts'
import { asOtherCallers } from './other-records.ts'
import { acceptsMedia, approvedTemplate, makeConversation, newAddress } from './sends.ts'
import {
  anyAttachment,
  asShown,
  attachmentOf,
  oncePerRun,
  optionalFields,
  pick,
  severalLines,
  withLineFeeds,
} from './values.ts'

type Conversation = Schemas['Conversation']

/** Defines a check that a promise holds for each single send that it is about. */
function keepsForEachSend<Id extends PromiseId>(
  id: Id,
  check: (operation: SingleSend, context: Context<Id>) => Promise<void>,
): void {
  keeps(id, async (context) => {
    const about: readonly string[] | 'all' = context.requirement.operations
    for (const operation of singleSends) if (about.includes(operation)) await check(operation, context)
  })
}

const makeReceiver = (operation: SingleSend, tools: Tools): Promise<Schemas['Contact']> =>
  tools.make.contact(newAddress(operation, tools).fields)

/** A contact with an address for this operation, one for all checks. */
const anyReceiver = (operation: SingleSend, tools: Tools) =>
  oncePerRun(tools, `receiver of ${operation}`, () => makeReceiver(operation, tools))

/** Sends a message with these fields into a new conversation. */
const send = async (operation: SingleSend, tools: Tools, fields: object = {}) =>
  sendInto(await makeConversation(operation, tools), operation, tools, fields)

/** Returns the body of the request and the message in the answer. */
async function sendInto(conversation: Conversation, operation: SingleSend, tools: Tools, fields: object = {}) {
  const { into, message } = sending[operation]
  const body = { ...message(tools, into(conversation)), ...fields }
  return { conversation, body, message: (await tools.ask(operation, { body })).data }
}

keepsForEachSend('message.addressAloneIsEnough', async (operation, context) => {
  const { to } = newAddress(operation, context)
  await context.accepts(operation, { body: sending[operation].message(context, { to }) })
})

keepsForEachSend('message.contactAloneIsEnough', async (operation, context) => {
  const { _id: contactId } = await anyReceiver(operation, context)
  const { data } = await context.accepts(operation, { body: sending[operation].message(context, { contactId }) })
  expect(data.contactId).toBe(contactId)
})

keepsForEachSend('message.recipientIdMeansContactId', async (operation, context) => {
  const { message } = sending[operation]
  const { _id } = await anyReceiver(operation, context)
  const byAlias = await context.accepts(operation, { body: { ...message(context), recipientId: _id } })
  const byName = await context.ask(operation, { body: message(context, { contactId: _id }) })
  expect(byAlias.data.contactId).toBe(_id)
  expect(byAlias.data.conversationId).toBe(byName.data.conversationId)
})

keepsForEachSend('message.missingContactIsMade', async (operation, context) => {
  const { accepts, ask, readRecord, target } = context
  if (!target.loopback)
    throw new Skipped('people who may be written to may be contacts already, so it is tried on this machine only')
  const { message, address } = sending[operation]
  const [known, { to }] = [await anyReceiver(operation, context), newAddress(operation, context)]
  const { contactId, conversationId } = (await accepts(operation, { body: message(context, { to }) })).data
  expect(contactId).not.toBe(known._id)
  const shown = await readRecord('contact', { _id: contactId, firstName: 'Ada' })
  expect(shown).toMatchObject(asShown({ _id: contactId, [address]: to }))
  const { data } = await ask('getConversation', { path: { conversationId } })
  expect(data.contactId._id).toBe(contactId)
})

keepsForEachSend('message.missingConversationIsMade', async (operation, context) => {
  const { message, toContact } = sending[operation]
  const contact = await makeReceiver(operation, context)
  const { data } = await context.accepts(operation, { body: message(context, toContact(contact)) })
  const { conversationId } = data
  const { body } = await context.call('getConversation', { path: { conversationId } })
  expect(body).toMatchObject({ data: { _id: conversationId, contactId: { _id: contact._id } } })
})

/** Accepts an SMS or a WhatsApp message. WhatsApp may require a template for a contact without earlier messages. */
async function acceptsText(context: Context, fields: Partial<BodyOf<'sendMessage'>>): Promise<void> {
  const body = context.some.text(fields)
  const isFree = fields.channel !== 'whatsapp' || (await context.call('sendMessage', { body })).succeeded
  const template = isFree ? undefined : await findApprovedTemplate(context)
  if (!isFree && !template)
    throw new Inconclusive(
      'WhatsApp messages to strangers may need a template, and the team has none: --whatsapp-template',
    )
  await context.accepts('sendMessage', { body: { ...body, ...(template && fromTemplate(template)) } })
}

/** Sends on each channel by its provider, named by its id or by its address. */
for (const [id, by] of [
  ['message.providerById', 'id'],
  ['message.providerByAddress', 'address'],
] as const)
  keeps(id, async ({ accepts, provider, recipient, some }, context) => {
    const providerId = provider('email', by)
    await accepts('sendEmailMessage', { body: some.email({ providerId, to: recipient.email() }) })
    await accepts('sendBulkMessages', { body: some.bulk('email', { providerId }) })
    await each(['sms', 'whatsapp'] as const, async (channel) =>
      acceptsText(context, { channel, providerId: provider(channel, by), to: recipient.phone() }),
    )
  })

keepsForEachSend('message.needsATarget', async (operation, context) => {
  await context.refuses(operation, { body: sending[operation].message(context) })
})

keepsForEachSend('message.unknownConversationIsRefused', async (operation, context) => {
  const { mint, refuses } = context
  const { message, toContact } = sending[operation]
  const contact = await anyReceiver(operation, context)
  for (const receiver of [{}, toContact(contact)])
    await refuses(operation, { body: message(context, { ...receiver, conversationId: mint.unknownId() }) })
})

/** A message as its answer and the history show it. A server may add messages to the history. */
async function readBack(conversation: Conversation, message: Schemas['Message'], tools: Tools) {
  const listed = messagesOn(await historyOf(tools, conversation._id))
  return [message, ...listed.filter(({ _id }) => _id === message._id)]
}

keepsForEachSend('message.keepsItsLineBreaks', async (operation, context) => {
  const content = `${context.mint.name('Text')}\n${severalLines}`
  const { conversation, message } = await send(operation, context, { content })
  for (const shown of await readBack(conversation, message, context))
    expect(withLineFeeds(shown.content)).toContain(content)
})

keepsForEachSend('message.historyHoldsEverySend', async (operation, context) => {
  const { call, requirement, target } = context
  const conversation = await makeConversation(operation, context)
  // A server with a stale cache would repeat this answer.
  await call('listMessages', { path: { conversationId: conversation._id }, query: { page: 1, limit: 10 } })
  const { message } = await sendInto(conversation, operation, context)
  const history = await findInHistory(conversation, message, context)
  expect(history.map((one) => pick(requirement.fields, one))).toEqual([pick(requirement.fields, message)])
  for (const { createdAt } of history) expect(minutesBetween(createdAt, message.createdAt)).toBeLessThan(1)
  if (!target.loopback || operation !== 'sendLiveMessage') return
  await asOtherCallers(context, async (caller) => {
    const sent = await send(operation, caller)
    if ((await findInHistory(sent.conversation, sent.message, caller)).length === 0)
      throw new BrokenPromise('the message that was sent', `the history of ${sent.conversation._id} lacks it`)
  })
})

const minutesBetween = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other) || 0) / 60_000

async function findInHistory({ _id }: Conversation, message: Schemas['Message'], tools: Tools) {
  const history = messagesOn(await historyOf(tools, _id))
  return history.filter((one) => one._id === message._id || one.content === message.content)
}

keeps('message.mergeFieldsAreTaken', async ({ accepts, observe, some, target }, context) => {
  const content = 'Dear {{contact.firstName}}, dear {{firstName}}'
  const { _id: conversationId } = await makeConversation('sendLiveMessage', context)
  const { data } = await accepts('sendLiveMessage', { body: some.chat({ content, conversationId }) })
  observe('mergeFields', data.content === content ? 'raw' : 'rendered')
  await accepts('sendBulkMessages', { body: some.bulk(bulkChannel(target), { content }) })
})

const parameters = ['headerParameters', 'bodyParameters']

const listsAndObjects: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  sendLiveMessage: ['attachments'],
  sendEmailMessage: ['attachments', 'recipientIds'],
  sendMessage: parameters,
  sendBulkMessages: ['attachments', 'scheduleTime', ...parameters],
}

checkRefused({
  'message.wrongTypesAreRefused': ({ requirement: { fields = [] }, target }, operation) => {
    // On another machine a run may send only a few messages.
    const all = target.loopback ? [...fields, ...(listsAndObjects[operation] ?? [])] : ['content', 'source']
    return all.map((field) => ({ [field]: 7 }))
  },
  'message.nationalPhoneIsRefused': () => [{ to: '0301234567' }],
  'message.otherAttachmentTypesAreRefused': (tools) => [
    { attachments: [{ ...anyAttachment(tools), mediaType: 'hologram' }] },
  ],
})

checkAccepted({
  'message.liveMediaMayBeNull': ({ target: { mediaUrl } }) => [
    { mediaUrl: null, mediaType: null },
    ...(mediaUrl === undefined ? [] : [{ mediaUrl, mediaType: null }]),
  ],
  'message.attachmentsAreTaken': (context) => [{ attachments: [anyAttachment(context)] }],
  'message.attachmentTypesAreTaken': ({ requirement: { values = [] }, ...tools }) => [
    { attachments: values.map((type) => attachmentOf(type, tools)) },
  ],
})

for (const id of ['message.liveTakesOptionalFields', 'message.emailTakesOptionalFields'] as const)
  keepsForEachSend(id, async (operation, context) => {
    const fields = pick(context.requirement.fields, optionalFields(context))
    await acceptsMedia(context, operation, { ...completeMessage[operation](context), ...fields })
  })

keeps('message.phoneTakesOptionalFields', async ({ accepts, requirement, recipient, some, target }, context) => {
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

keeps('message.recipientIdsAloneAreEnough', async (context) => {
  const { _id } = await anyReceiver('sendEmailMessage', context)
  const { data } = await context.accepts('sendEmailMessage', { body: context.some.email({ recipientIds: [_id] }) })
  expect(data.contactId).toBe(_id)
})

keeps('message.recipientIdsMayJoinTo', async ({ accepts, recipient, some }, context) => {
  const { _id } = await anyReceiver('sendEmailMessage', context)
  await accepts('sendEmailMessage', { body: some.email({ recipientIds: [_id], to: recipient.email() }) })
})

keeps('message.emailReachesToAndRecipientIds', async ({ ask, make, observe, some }, context) => {
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

keeps('message.emailTakesThreading', async ({ accepts, call, mint, requirement }, context) => {
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

keeps('message.phoneChannelsAreTaken', async ({ requirement, recipient }, context) => {
  await each(requirement.values, async (channel) => acceptsText(context, { channel, to: recipient.phone() }))
})

keeps('message.whatsappTakesATemplate', async ({ accepts, requirement, recipient, some }, context) => {
  const template = pick(requirement.fields, await approvedTemplate(context))
  const { headerParameters: _, ...withoutHeader } = template
  for (const fields of [template, withoutHeader])
    await accepts('sendMessage', { body: some.text({ channel: 'whatsapp', to: recipient.phone(), ...fields }) })
})

keeps('message.templateMustBeApproved', async ({ readRecord, make, recipient, refuses, some }) => {
  const template = await make.template('whatsapp')
  if ((await readRecord('template', template))?.status === 'approved')
    throw new Inconclusive('a new template is approved')
  const body = some.text({ channel: 'whatsapp', to: recipient.phone(), templateId: template._id })
  await refuses('sendMessage', { body })
})
