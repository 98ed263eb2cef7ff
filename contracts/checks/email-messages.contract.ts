import { expect } from 'vitest'
import { keeps } from './keeps.ts'
import { addressee, complete, email, extras, listedOf, onChannel, said } from './sends.ts'

keeps('message.emailAnswers200', async (given) => {
  const { call, promise } = given
  expect((await call('sendEmailMessage', { body: complete.sendEmailMessage(given) })).status).toBe(promise.status)
})

keeps('message.emailRequires', async (given) => {
  await given.requires('sendEmailMessage', () => ({ body: complete.sendEmailMessage(given) }))
})

keeps('message.emailIsEmailOnly', async (given) => {
  for (const channel of [...given.promise.values, 'pigeon'])
    await given.refused('sendEmailMessage', {
      body: { ...complete.sendEmailMessage(given), ...onChannel(channel, given) },
    })
})

keeps('message.malformedEmailIsRefused', async (given) => {
  for (const to of ['ada', 'ada.example.com', 'ada@'])
    await given.refused('sendEmailMessage', { body: { ...complete.sendEmailMessage(given), to } })
})

keeps('message.recipientIdsAloneAreEnough', async (given) => {
  const { _id } = await addressee('sendEmailMessage', given)
  const { data } = await given.accepted('sendEmailMessage', { body: email(given, { recipientIds: [_id] }) })
  expect(data.contactId).toBe(_id)
})

keeps('message.recipientIdsMayJoinTo', async (given) => {
  const { accepted, recipient } = given
  const { _id } = await addressee('sendEmailMessage', given)
  await accepted('sendEmailMessage', { body: email(given, { recipientIds: [_id], to: recipient.email() }) })
})

keeps('message.emailTakesOptionalFields', async (given) => {
  const { accepted, promise, recipient } = given
  const body = email(given, { to: recipient.email(), ...listedOf(extras, promise.fields) })
  await accepted('sendEmailMessage', { body })
})

keeps('message.emailTakesThreading', async (given) => {
  const { accepted, promise } = given
  const { body, message } = await said('sendEmailMessage', given)
  const thread = {
    replyToMessageId: message._id,
    quotedMessageId: '<order-1@mail.example.com>',
    threadId: 'thread-1',
  }
  await accepted('sendEmailMessage', { body: { ...body, ...listedOf(thread, promise.fields) } })
})
