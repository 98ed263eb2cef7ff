import { expect } from 'vitest'
import { completeMessage } from '../../client/operations.ts'
import { keeps } from './keeps.ts'
import { pick } from './records.ts'
import { acceptsMedia, anyAttachment, attachmentOf, extrasFor } from './media.ts'

keeps('message.liveAnswers200', async (given) => {
  const { call, requirement } = given
  expect((await call('sendLiveMessage', { body: completeMessage.sendLiveMessage(given) })).status).toBe(
    requirement.status,
  )
})

keeps('message.liveRequires', async (given) => {
  await given.requires('sendLiveMessage', () => ({ body: completeMessage.sendLiveMessage(given) }))
})

keeps('message.liveIsChatOnly', async (given) => {
  for (const channel of [...given.requirement.values, 'pigeon'])
    await given.refuses('sendLiveMessage', { body: { ...completeMessage.sendLiveMessage(given), channel } })
})

keeps('message.liveTakesOptionalFields', async (given) => {
  const { requirement, recipient } = given
  const body = given.some.chat({ to: recipient.phone(), ...pick(requirement.fields, extrasFor(given)) })
  await acceptsMedia(given, 'sendLiveMessage', body)
})

keeps('message.liveMediaMayBeNull', async (given) => {
  const { accepts, recipient } = given
  const body = given.some.chat({ to: recipient.phone(), mediaUrl: null, mediaType: null })
  await accepts('sendLiveMessage', { body })
})

keeps('message.malformedPhoneIsRefused', async (given) => {
  const { mint, requirement, refuses } = given
  const tooLong = mint.phone().padEnd(17, '0')
  for (const operation of requirement.operations)
    for (const to of ['ada', tooLong]) await refuses(operation, { body: { ...completeMessage[operation](given), to } })
})

keeps('message.nationalPhoneIsRefused', async (given) => {
  for (const operation of given.requirement.operations)
    await given.refuses(operation, { body: { ...completeMessage[operation](given), to: '0301234567' } })
})

keeps('message.attachmentsAreTaken', async (given) => {
  const { accepts, requirement } = given
  const attachments = [pick(requirement.fields, anyAttachment(given))]
  for (const operation of requirement.operations)
    await accepts(operation, { body: { ...completeMessage[operation](given), attachments } })
})

keeps('message.attachmentTypesAreTaken', async (given) => {
  const { accepts, requirement } = given
  const attachments = requirement.values.map((type) => attachmentOf(type, given))
  for (const operation of requirement.operations)
    await accepts(operation, { body: { ...completeMessage[operation](given), attachments } })
})

keeps('message.otherAttachmentTypesAreRefused', async (given) => {
  const { requirement, refuses } = given
  const attachments = [{ ...anyAttachment(given), mediaType: 'hologram' }]
  for (const operation of requirement.operations)
    await refuses(operation, { body: { ...completeMessage[operation](given), attachments } })
})
