import { expect } from 'vitest'
import { approvedTemplate } from './approved-template.ts'
import { keeps } from './keeps.ts'
import { complete, extras, listedOf, onChannel, text } from './sends.ts'

keeps('message.phoneAnswers200', async (given) => {
  const { call, promise } = given
  expect((await call('sendMessage', { body: complete.sendMessage(given) })).status).toBe(promise.status)
})

keeps('message.phoneRequires', async (given) => {
  await given.requires('sendMessage', () => ({ body: complete.sendMessage(given) }))
})

keeps('message.phoneChannelsAreTaken', async (given) => {
  const { accepted, promise, recipient } = given
  for (const channel of promise.values)
    await accepted('sendMessage', { body: text(given, { channel, to: recipient.phone() }) })
})

keeps('message.otherPhoneChannelsAreRefused', async (given) => {
  for (const channel of [...given.promise.values, 'pigeon'])
    await given.refused('sendMessage', { body: { ...complete.sendMessage(given), ...onChannel(channel, given) } })
})

keeps('message.phoneTakesOptionalFields', async (given) => {
  const { accepted, promise, recipient } = given
  const body = text(given, { to: recipient.phone(), ...listedOf(extras, promise.fields) })
  await accepted('sendMessage', { body })
})

keeps('message.whatsappTakesATemplate', async (given) => {
  const { accepted, promise, recipient } = given
  const template = listedOf(await approvedTemplate(given), promise.fields)
  await accepted('sendMessage', { body: text(given, { channel: 'whatsapp', to: recipient.phone(), ...template }) })
})
