import { expect } from 'vitest'
import { fieldsOf } from '../../client/answer.ts'
import { bulkChannel } from '../../client/bodies.ts'
import { completeMessage, sending, type SingleSend } from '../../client/operations.ts'
import type { Tools } from '../../client/tools.ts'
import { sendsByPhone, singleSends } from '../../spec/operation-groups.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive, Skipped } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { firstPageOf, historyOf, idsOn, messagesOn } from './history.ts'
import { type Given, keeps } from './keeps.ts'
import { keepsMessagesOfOthers } from './other-callers.ts'
import { pick } from './records.ts'
import { acceptsText, makeConversation, makeReceiver, newAddress, send, sendInto } from './sends.ts'
import { asShown } from './shown.ts'
import { tellingLines, tellingText } from './telling-values.ts'
import { timestamp } from './times.ts'

keeps('message.goesToTheConversationNamed', async (given) => {
  for (const operation of given.requirement.operations) {
    const { message, into } = sending[operation]
    const conversation = await makeConversation(operation, given)
    const { data } = await given.accepts(operation, { body: message(given, into(conversation)) })
    expect(data.conversationId).toBe(conversation._id)
    expect(idsOn(await historyOf(given, conversation._id))).toContain(data._id)
  }
})

keeps('message.addressAloneIsEnough', async (given) => {
  for (const operation of given.requirement.operations) {
    const { to } = newAddress(operation, given)
    await given.accepts(operation, { body: sending[operation].message(given, { to }) })
  }
})

keeps('message.contactAloneIsEnough', async (given) => {
  for (const operation of given.requirement.operations) {
    const { _id: contactId } = await makeReceiver(operation, given)
    const { data } = await given.accepts(operation, { body: sending[operation].message(given, { contactId }) })
    expect(data.contactId).toBe(contactId)
  }
})

keeps('message.recipientIdMeansContactId', async (given) => {
  for (const operation of given.requirement.operations) {
    const { message } = sending[operation]
    const { _id } = await makeReceiver(operation, given)
    const byAlias = await given.accepts(operation, { body: { ...message(given), recipientId: _id } })
    const byName = await given.ask(operation, { body: message(given, { contactId: _id }) })
    expect(byAlias.data.contactId).toBe(_id)
    expect(byAlias.data.conversationId).toBe(byName.data.conversationId)
  }
})

keeps('message.missingContactIsMade', async (given) => {
  const { accepts, ask, look, requirement, target } = given
  if (!target.loopback)
    throw new Skipped('people who may be written to may be contacts already, so it is tried on this machine only')
  for (const operation of requirement.operations) {
    const { message, address } = sending[operation]
    const [known, { to }] = [await makeReceiver(operation, given), newAddress(operation, given)]
    const { contactId, conversationId } = (await accepts(operation, { body: message(given, { to }) })).data
    expect(contactId).not.toBe(known._id)
    const shown = await look('contact', { _id: contactId, firstName: 'Ada' })
    expect(shown).toMatchObject(asShown({ _id: contactId, [address]: to }))
    const { data } = await ask('getConversation', { path: { conversationId } })
    expect(data.contactId._id).toBe(contactId)
  }
})

keeps('message.missingConversationIsMade', async (given) => {
  const { accepts, call, requirement } = given
  for (const operation of requirement.operations) {
    const { message, toContact } = sending[operation]
    const contact = await makeReceiver(operation, given)
    const { conversationId } = (await accepts(operation, { body: message(given, toContact(contact)) })).data
    const { body } = await call('getConversation', { path: { conversationId } })
    expect(body).toMatchObject({ data: { _id: conversationId, contactId: { _id: contact._id } } })
  }
})

keeps('message.knownContactIsReached', async (given) => {
  const { accepts, make, requirement, target } = given
  for (const operation of requirement.operations) {
    const { to, fields } = newAddress(operation, given)
    const known = await make.conversation(fields)
    const { data } = await accepts(operation, { body: sending[operation].message(given, { to }) })
    // Which of several contacts it means is left open, and on a shared service others may have the address.
    if (!target.loopback && data.contactId !== known.contactId._id)
      throw new Inconclusive('another contact with the same address was reached')
    expect(data.contactId).toBe(known.contactId._id)
    expect(data.conversationId).toBe(known._id)
  }
})

/** Sends on each channel by its provider, named by its id or by its address. */
async function sendByProviders(
  by: 'id' | 'address',
  given: Given<'message.providerById' | 'message.providerByAddress'>,
) {
  const { accepts, provider, recipient } = given
  const providerId = provider('email', by)
  await accepts('sendEmailMessage', { body: given.some.email({ providerId, to: recipient.email() }) })
  await accepts('sendBulkMessages', { body: given.some.bulk('email', { providerId }) })
  await each(['sms', 'whatsapp'] as const, async (channel) =>
    acceptsText(given, { channel, providerId: provider(channel, by), to: recipient.phone() }),
  )
}

keeps('message.providerById', async (given) => {
  await sendByProviders('id', given)
})

keeps('message.providerByAddress', async (given) => {
  await sendByProviders('address', given)
})

keeps('message.needsATarget', async (given) => {
  for (const operation of given.requirement.operations)
    await given.refuses(operation, { body: sending[operation].message(given) })
})

keeps('message.unknownConversationIsRefused', async (given) => {
  const { mint, requirement, refuses } = given
  for (const operation of requirement.operations) {
    const { message, toContact } = sending[operation]
    const contact = await makeReceiver(operation, given)
    for (const person of [{}, toContact(contact)])
      await refuses(operation, { body: message(given, { ...person, conversationId: mint.unknownId() }) })
  }
})

keeps('message.answersWithTheMessage', async (given) => {
  const { requirement } = given
  for (const operation of requirement.operations) {
    const { conversation, message } = await send(operation, given)
    for (const field of requirement.fields) expect(message).toHaveProperty(field, expect.stringMatching(/./))
    expect(message.conversationId).toBe(conversation._id)
    // It cannot be older than its conversation, within what the clocks of two machines may differ.
    expect(Date.parse(message.createdAt)).toBeGreaterThan((Date.parse(conversation.createdAt) || 0) - minute)
  }
})

const minute = 60_000

/** Sends a message on each channel. */
const sendOn = {
  chat: (given: Tools) => send('sendLiveMessage', given),
  email: (given: Tools) => send('sendEmailMessage', given),
  sms: (given: Tools) => send('sendMessage', given, (_, fields) => given.some.text({ ...fields, channel: 'sms' })),
  whatsapp: (given: Tools) =>
    send('sendMessage', given, (_, fields) => given.some.text({ ...fields, channel: 'whatsapp' })),
}

keeps('message.keepsItsChannel', async (given) => {
  await each(given.requirement.values, async (channel) => {
    expect((await sendOn[channel](given)).message.channel).toBe(channel)
  })
})

keeps('message.keepsItsContent', async (given) => {
  for (const operation of given.requirement.operations) {
    const { body, conversation, message } = await send(operation, given)
    // A service may add to it, such as how to unsubscribe.
    expect(message.content).toContain(body.content)
    await keepsTellingText(operation, conversation, given)
  }
})

/** In the answer and in the history, unless the text is refused, since how long one may be is left open. */
async function keepsTellingText(operation: SingleSend, conversation: Schemas['Conversation'], given: Tools) {
  if (!given.target.loopback) return // each message counts there
  const { message, into } = sending[operation]
  for (const text of [tellingText, tellingText.repeat(6)]) {
    const body = { ...message(given, into(conversation)), content: `${given.mint.name('Text')} ${text}` }
    const { fields, succeeded } = await given.call(operation, { body })
    if (!succeeded) continue
    const { _id, content } = fieldsOf(fields.data)
    expect(content).toContain(body.content)
    const listed = messagesOn(await historyOf(given, conversation._id)).find((one) => one._id === _id)
    if (listed) expect(listed.content).toContain(body.content)
  }
}

keeps('message.keepsItsLineBreaks', async (given) => {
  for (const operation of sendsByPhone) {
    const conversation = await makeConversation(operation, given)
    const content = `${given.mint.name('Text')}\n${tellingLines}`
    const body = { ...sending[operation].message(given, sending[operation].into(conversation)), content }
    const { data } = await given.ask(operation, { body })
    const listed = messagesOn(await historyOf(given, conversation._id)).filter(({ _id }) => _id === data._id)
    // How a line break is written is left open.
    for (const one of [data, ...listed]) expect(one.content.replaceAll(/\r\n?/g, '\n')).toContain(content)
  }
})

keeps('message.isOutgoing', async (given) => {
  for (const operation of given.requirement.operations)
    expect((await send(operation, given)).message.direction).toBe('outgoing')
})

keeps('message.isSent', async (given) => {
  for (const operation of given.requirement.operations)
    expect((await send(operation, given)).message.status).toBe('sent')
})

keeps('message.contactIsAnId', async (given) => {
  for (const operation of given.requirement.operations) {
    const { conversation, message } = await send(operation, given)
    expect(message.contactId).toBe(conversation.contactId._id)
  }
})

keeps('message.createdAtIsIso', async (given) => {
  for (const operation of singleSends) {
    const { conversation, message } = await send(operation, given)
    for (const one of [message, ...messagesOn(await historyOf(given, conversation._id))])
      expect(one).toHaveProperty('createdAt', timestamp)
  }
})

keeps('message.emailKeepsItsSubject', async (given) => {
  const subject = given.mint.name('Your order')
  const { conversation, message } = await send('sendEmailMessage', given, (_, fields) =>
    given.some.email({ ...fields, subject }),
  )
  // The service may add messages of its own.
  const listed = messagesOn(await historyOf(given, conversation._id)).filter(({ _id }) => _id === message._id)
  for (const one of [message, ...listed]) expect(one).toHaveProperty('subject', subject)
})

keeps('message.onlyEmailHasASubject', async (given) => {
  await each(['chat', 'sms', 'whatsapp'] as const, async (channel) => {
    expect((await sendOn[channel](given)).message.subject ?? '').toBe('')
  })
})

keeps('message.historyHoldsEverySend', async (given) => {
  const { requirement } = given
  for (const operation of singleSends) {
    const conversation = await makeConversation(operation, given)
    // Read before the send too: a server with a stale cache would give that answer again.
    await given.call('listMessages', firstPageOf(conversation._id))
    const { message } = await sendInto(conversation, operation, given)
    // The service may add messages of its own.
    const history = messagesOn(await historyOf(given, conversation._id)).filter(
      ({ _id, content }) => _id === message._id || content === message.content,
    )
    expect(history.map((one) => pick(requirement.fields, one))).toEqual([pick(requirement.fields, message)])
  }
  await keepsMessagesOfOthers(given)
})

/** Fields that no operation lists, and fields that only other operations list. */
const unlisted = {
  sendLiveMessage: { nickname: 'Ada', subject: 'Your order' },
  sendEmailMessage: { nickname: 'Ada', preheader: 'Also on Sundays' },
  sendMessage: { nickname: 'Ada', attachments: [] },
  sendBulkMessages: { nickname: 'Ada', threadId: 'thread-1' },
}

keeps('message.unlistedFieldsAreRefused', async (given) => {
  for (const operation of given.requirement.operations)
    for (const [field, value] of Object.entries(unlisted[operation]))
      await given.refuses(operation, { body: { ...completeMessage[operation](given), [field]: value } })
})

keeps('message.wrongTypesAreRefused', async (given) => {
  const { requirement, refuses, target } = given
  for (const operation of requirement.operations) {
    // Where each message counts, these two have to do.
    const fields = target.loopback ? [...requirement.fields, ...listsAndObjects[operation]] : ['content', 'source']
    for (const field of fields) await refuses(operation, { body: { ...completeMessage[operation](given), [field]: 7 } })
  }
})

const parameters = ['headerParameters', 'bodyParameters']

const listsAndObjects = {
  sendLiveMessage: ['attachments'],
  sendEmailMessage: ['attachments', 'recipientIds'],
  sendMessage: parameters,
  sendBulkMessages: ['attachments', 'scheduleTime', ...parameters],
}

keeps('message.mergeFieldsAreTaken', async (given) => {
  const { accepts, observe, target } = given
  const content = 'Dear {{contact.firstName}}, dear {{firstName}}'
  const { _id: conversationId } = await makeConversation('sendLiveMessage', given)
  const { data } = await accepts('sendLiveMessage', { body: given.some.chat({ content, conversationId }) })
  observe('mergeFields', data.content === content ? 'raw' : 'rendered')
  await accepts('sendBulkMessages', { body: given.some.bulk(bulkChannel(target), { content }) })
})
