import { expect } from 'vitest'
import { singleSends } from '../../spec/operation-groups.ts'
import { firstPageOf, historyOf, idsOn, messagesOn } from './history.ts'
import { Inconclusive, Skipped } from '../judge/outcome.ts'
import { type Given, keeps, timestamp } from './keeps.ts'
import {
  addressee,
  addressFor,
  bulk,
  bulkChannel,
  chat,
  complete,
  email,
  listedOf,
  said,
  sending,
  saidIn,
  talkBy,
  text,
} from './sends.ts'
import type { Tools } from '../../client/tools.ts'

keeps('message.goesToTheConversationNamed', async (given) => {
  for (const operation of given.promise.operations) {
    const { message, into } = sending[operation]
    const conversation = await talkBy(operation, given)
    const { data } = await given.accepted(operation, { body: message(given, into(conversation)) })
    expect(data.conversationId).toBe(conversation._id)
    expect(idsOn(await historyOf(given, conversation._id))).toContain(data._id)
  }
})

keeps('message.addressAloneIsEnough', async (given) => {
  for (const operation of given.promise.operations) {
    const { to } = addressFor(operation, given)
    await given.accepted(operation, { body: sending[operation].message(given, { to }) })
  }
})

keeps('message.contactAloneIsEnough', async (given) => {
  for (const operation of given.promise.operations) {
    const { _id: contactId } = await addressee(operation, given)
    const { data } = await given.accepted(operation, { body: sending[operation].message(given, { contactId }) })
    expect(data.contactId).toBe(contactId)
  }
})

keeps('message.recipientIdMeansContactId', async (given) => {
  for (const operation of given.promise.operations) {
    const { message } = sending[operation]
    const { _id } = await addressee(operation, given)
    const byAlias = await given.accepted(operation, { body: { ...message(given), recipientId: _id } })
    const byName = await given.ask(operation, { body: message(given, { contactId: _id }) })
    expect(byAlias.data.contactId).toBe(_id)
    expect(byAlias.data.conversationId).toBe(byName.data.conversationId)
  }
})

keeps('message.missingContactIsMade', async (given) => {
  const { accepted, ask, look, promise, target } = given
  if (!target.loopback) throw new Skipped('whoever may be written to may be known, so it is tried on this machine only')
  for (const operation of promise.operations) {
    const { message, address } = sending[operation]
    const [known, { to }] = [await addressee(operation, given), addressFor(operation, given)]
    const { contactId, conversationId } = (await accepted(operation, { body: message(given, { to }) })).data
    expect(contactId).not.toBe(known._id)
    expect(await look('contact', { _id: contactId, firstName: 'Ada' })).toMatchObject({ _id: contactId, [address]: to })
    const { data } = await ask('getConversation', { path: { conversationId } })
    expect(data.contactId._id).toBe(contactId)
  }
})

keeps('message.missingConversationIsMade', async (given) => {
  const { accepted, call, promise } = given
  for (const operation of promise.operations) {
    const { message, toContact } = sending[operation]
    const contact = await addressee(operation, given)
    const { conversationId } = (await accepted(operation, { body: message(given, toContact(contact)) })).data
    const { body } = await call('getConversation', { path: { conversationId } })
    expect(body).toMatchObject({ data: { _id: conversationId, contactId: { _id: contact._id } } })
  }
})

keeps('message.knownContactIsReached', async (given) => {
  const { accepted, made, promise, target } = given
  for (const operation of promise.operations) {
    const { to, fields } = addressFor(operation, given)
    const known = await made.conversation(fields)
    const { data } = await accepted(operation, { body: sending[operation].message(given, { to }) })
    // Whom that means of several is left open, and elsewhere others may have the address.
    if (!target.loopback && data.contactId !== known.contactId._id)
      throw new Inconclusive('somebody else who has the same address was reached')
    expect(data.contactId).toBe(known.contactId._id)
    expect(data.conversationId).toBe(known._id)
  }
})

/** Each channel by a provider of its own, named in this way. */
async function sentByProviders(
  by: 'id' | 'address',
  given: Given<'message.providerById' | 'message.providerByAddress'>,
) {
  const { accepted, provider, recipient } = given
  for (const channel of ['sms', 'whatsapp'] as const) {
    const providerId = provider(channel, by)
    await accepted('sendMessage', { body: text(given, { channel, providerId, to: recipient.phone() }) })
  }
  const providerId = provider('email', by)
  await accepted('sendEmailMessage', { body: email(given, { providerId, to: recipient.email() }) })
  await accepted('sendBulkMessages', { body: bulk('email', given, { providerId }) })
}

keeps('message.providerById', async (given) => {
  await sentByProviders('id', given)
})

keeps('message.providerByAddress', async (given) => {
  await sentByProviders('address', given)
})

keeps('message.needsATarget', async (given) => {
  for (const operation of given.promise.operations)
    await given.refused(operation, { body: sending[operation].message(given) })
})

keeps('message.unknownConversationIsRefused', async (given) => {
  const { mint, promise, refused } = given
  for (const operation of promise.operations) {
    const { message, toContact } = sending[operation]
    const contact = await addressee(operation, given)
    for (const person of [{}, toContact(contact)])
      await refused(operation, { body: message(given, { ...person, conversationId: mint.unknownId() }) })
  }
})

keeps('message.answersWithTheMessage', async (given) => {
  const { promise } = given
  for (const operation of promise.operations) {
    const { conversation, message } = await said(operation, given)
    for (const field of promise.fields) expect(message).toHaveProperty(field, expect.stringMatching(/./))
    expect(message.conversationId).toBe(conversation._id)
    // It cannot be older than its conversation; the clocks of two machines may differ a little.
    expect(Date.parse(message.createdAt)).toBeGreaterThan((Date.parse(conversation.createdAt) || 0) - minute)
  }
})

const minute = 60_000

/** A message on each channel. */
const saidOn = {
  chat: (given: Tools) => said('sendLiveMessage', given),
  email: (given: Tools) => said('sendEmailMessage', given),
  sms: (given: Tools) => said('sendMessage', given, (_, fields) => text(given, { ...fields, channel: 'sms' })),
  whatsapp: (given: Tools) =>
    said('sendMessage', given, (_, fields) => text(given, { ...fields, channel: 'whatsapp' })),
}

keeps('message.keepsItsChannel', async (given) => {
  for (const channel of given.promise.values) expect((await saidOn[channel](given)).message.channel).toBe(channel)
})

keeps('message.keepsItsContent', async (given) => {
  for (const operation of given.promise.operations) {
    const { body, message } = await said(operation, given)
    expect(message.content).toBe(body.content)
  }
})

keeps('message.isOutgoing', async (given) => {
  for (const operation of given.promise.operations)
    expect((await said(operation, given)).message.direction).toBe('outgoing')
})

keeps('message.isSent', async (given) => {
  for (const operation of given.promise.operations) expect((await said(operation, given)).message.status).toBe('sent')
})

keeps('message.contactIsAnId', async (given) => {
  for (const operation of given.promise.operations) {
    const { conversation, message } = await said(operation, given)
    expect(message.contactId).toBe(conversation.contactId._id)
  }
})

keeps('message.createdAtIsIso', async (given) => {
  for (const operation of singleSends) {
    const { conversation, message } = await said(operation, given)
    for (const one of [message, ...messagesOn(await historyOf(given, conversation._id))])
      expect(one).toHaveProperty('createdAt', timestamp)
  }
})

keeps('message.emailKeepsItsSubject', async (given) => {
  const subject = given.mint.name('Your order')
  const { conversation, message } = await said('sendEmailMessage', given, (_, fields) =>
    email(given, { ...fields, subject }),
  )
  for (const one of [message, ...messagesOn(await historyOf(given, conversation._id))])
    expect(one).toHaveProperty('subject', subject)
})

keeps('message.onlyEmailHasASubject', async (given) => {
  for (const channel of ['chat', 'sms', 'whatsapp'] as const)
    expect((await saidOn[channel](given)).message).not.toHaveProperty('subject')
})

keeps('message.historyHoldsEverySend', async (given) => {
  const { promise } = given
  for (const operation of singleSends) {
    const conversation = await talkBy(operation, given)
    // Also before: whoever remembers that answer would give it again.
    await given.call('listMessages', firstPageOf(conversation._id))
    const { message } = await saidIn(conversation, operation, given)
    const history = messagesOn(await historyOf(given, conversation._id))
    expect(history.map((one) => listedOf(one, promise.fields))).toEqual([listedOf(message, promise.fields)])
  }
})

/** Fields that nobody lists, and fields that only others list. */
const unlisted = {
  sendLiveMessage: { nickname: 'Ada', subject: 'Your order' },
  sendEmailMessage: { nickname: 'Ada', preheader: 'Also on Sundays' },
  sendMessage: { nickname: 'Ada', attachments: [] },
  sendBulkMessages: { nickname: 'Ada', threadId: 'thread-1' },
}

keeps('message.unlistedFieldsAreRefused', async (given) => {
  for (const operation of given.promise.operations)
    for (const [field, value] of Object.entries(unlisted[operation]))
      await given.refused(operation, { body: { ...complete[operation](given), [field]: value } })
})

keeps('message.wrongTypesAreRefused', async (given) => {
  const { promise, refused } = given
  for (const operation of promise.operations)
    for (const field of promise.fields)
      await refused(operation, { body: { ...complete[operation](given), [field]: 7 } })
})

keeps('message.mergeFieldsAreTaken', async (given) => {
  const { accepted, observe, target } = given
  const content = 'Dear {{contact.firstName}}, dear {{firstName}}'
  const { _id: conversationId } = await talkBy('sendLiveMessage', given)
  const { data } = await accepted('sendLiveMessage', { body: chat(given, { content, conversationId }) })
  observe('mergeFields', data.content === content ? 'raw' : 'rendered')
  await accepted('sendBulkMessages', { body: bulk(bulkChannel(target), given, { content }) })
})
