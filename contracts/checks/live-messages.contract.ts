import { expect } from 'vitest'
import { keeps } from './keeps.ts'
import { attachment, chat, complete, extras, listedOf } from './sends.ts'

keeps('message.liveAnswers200', async (given) => {
  const { call, promise } = given
  expect((await call('sendLiveMessage', { body: complete.sendLiveMessage(given) })).status).toBe(promise.status)
})

keeps('message.liveRequires', async (given) => {
  await given.requires('sendLiveMessage', () => ({ body: complete.sendLiveMessage(given) }))
})

keeps('message.liveIsChatOnly', async (given) => {
  for (const channel of [...given.promise.values, 'pigeon'])
    await given.refused('sendLiveMessage', { body: { ...complete.sendLiveMessage(given), channel } })
})

keeps('message.liveTakesOptionalFields', async (given) => {
  const { accepted, promise, recipient } = given
  const body = chat(given, { to: recipient.phone(), ...listedOf(extras, promise.fields) })
  await accepted('sendLiveMessage', { body })
})

keeps('message.liveMediaMayBeNull', async (given) => {
  const { accepted, recipient } = given
  const body = chat(given, { to: recipient.phone(), mediaUrl: null, mediaType: null })
  await accepted('sendLiveMessage', { body })
})

keeps('message.malformedPhoneIsRefused', async (given) => {
  const { mint, promise, refused } = given
  const tooLong = `${mint.phone()}00`
  for (const operation of promise.operations)
    for (const to of ['ada', '0301234567', tooLong])
      await refused(operation, { body: { ...complete[operation](given), to } })
})

keeps('message.attachmentsAreTaken', async (given) => {
  const { accepted, promise } = given
  const attachments = [listedOf(attachment, promise.fields)]
  for (const operation of promise.operations)
    await accepted(operation, { body: { ...complete[operation](given), attachments } })
})

keeps('message.attachmentTypesAreTaken', async (given) => {
  const { accepted, promise } = given
  const attachments = promise.values.map((mediaType) => ({ ...attachment, mediaType }))
  for (const operation of promise.operations)
    await accepted(operation, { body: { ...complete[operation](given), attachments } })
})

keeps('message.otherAttachmentTypesAreRefused', async (given) => {
  const { promise, refused } = given
  const attachments = [{ ...attachment, mediaType: 'hologram' }]
  for (const operation of promise.operations)
    await refused(operation, { body: { ...complete[operation](given), attachments } })
})
