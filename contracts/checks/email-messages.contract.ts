import { expect } from 'vitest'
import { completeMessage } from '../../client/operations.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { historyOf, messagesOn } from './history.ts'
import { keeps } from './keeps.ts'
import { pick } from './records.ts'
import { acceptsMedia, extrasFor } from './media.ts'
import { makeConversation, makeReceiver, newAddress, onChannel, send } from './sends.ts'

keeps('message.emailAnswers200', async (given) => {
  const { call, requirement } = given
  expect((await call('sendEmailMessage', { body: completeMessage.sendEmailMessage(given) })).status).toBe(
    requirement.status,
  )
})

keeps('message.emailRequires', async (given) => {
  await given.requires('sendEmailMessage', () => ({ body: completeMessage.sendEmailMessage(given) }))
})

keeps('message.emailIsEmailOnly', async (given) => {
  for (const channel of [...given.requirement.values, 'pigeon'])
    await given.refuses('sendEmailMessage', {
      body: { ...completeMessage.sendEmailMessage(given), ...onChannel(channel, given) },
    })
})

keeps('message.malformedEmailIsRefused', async (given) => {
  for (const to of ['ada', 'ada.example.com', 'ada@'])
    await given.refuses('sendEmailMessage', { body: { ...completeMessage.sendEmailMessage(given), to } })
})

keeps('message.recipientIdsAloneAreEnough', async (given) => {
  const { _id } = await makeReceiver('sendEmailMessage', given)
  const { data } = await given.accepts('sendEmailMessage', { body: given.some.email({ recipientIds: [_id] }) })
  expect(data.contactId).toBe(_id)
})

keeps('message.recipientIdsMayJoinTo', async (given) => {
  const { accepts, recipient } = given
  const { _id } = await makeReceiver('sendEmailMessage', given)
  await accepts('sendEmailMessage', { body: given.some.email({ recipientIds: [_id], to: recipient.email() }) })
})

keeps('message.emailReachesToAndRecipientIds', async (given) => {
  const { ask, make, observe, some } = given
  const { to, fields } = newAddress('sendEmailMessage', given)
  const [one, other] = [await make.conversation(fields), await makeConversation('sendEmailMessage', given)]
  const body = some.email({ to, recipientIds: [other.contactId._id] })
  await ask('sendEmailMessage', { body })
  const counts: number[] = []
  for (const { _id } of [one, other]) {
    const sent = messagesOn(await historyOf(given, _id)).filter(({ content }) => content === body.content)
    counts.push(sent.length)
  }
  observe('severalRecipients', counts.every((count) => count > 0) ? 'oneMessageEach' : 'oneMessage')
  expect(counts).toEqual([1, 1])
})

keeps('message.emailTakesOptionalFields', async (given) => {
  const { requirement, recipient } = given
  const body = given.some.email({ to: recipient.email(), ...pick(requirement.fields, extrasFor(given)) })
  await acceptsMedia(given, 'sendEmailMessage', body)
})

keeps('message.emailTakesThreading', async (given) => {
  const { accepts, call, mint, requirement } = given
  const { body, message } = await send('sendEmailMessage', given)
  const thread = {
    replyToMessageId: message._id,
    quotedMessageId: '<order-1@mail.example.com>',
    threadId: 'thread-1',
  }
  const { replyToMessageId, ...external } = pick(requirement.fields, thread)
  // Other words each time: a server may refuse the same twice.
  const reply = (fields: object) => ({ body: { ...body, content: `<p>${mint.name('Again')}</p>`, ...fields } })
  await accepts('sendEmailMessage', reply({ replyToMessageId }))
  if (!(await call('sendEmailMessage', reply(external))).succeeded)
    throw new Inconclusive('this server refuses unknown threads of other mail servers, and none is known')
})
