import { expect } from 'vitest'
import { completeMessage } from '../../client/operations.ts'
import { BrokenPromise, Inconclusive } from '../judge/outcome.ts'
import { approvedTemplate } from './approved-template.ts'
import { each } from './each-operation.ts'
import { keeps } from './keeps.ts'
import { pick } from './records.ts'
import { extrasFor } from './media.ts'
import { acceptsText, onChannel } from './sends.ts'

keeps('message.phoneAnswers200', async (given) => {
  const { call, requirement } = given
  expect((await call('sendMessage', { body: completeMessage.sendMessage(given) })).status).toBe(requirement.status)
})

keeps('message.phoneRequires', async (given) => {
  await given.requires('sendMessage', () => ({ body: completeMessage.sendMessage(given) }))
})

keeps('message.phoneChannelsAreTaken', async (given) => {
  const { requirement, recipient } = given
  await each(requirement.values, async (channel) => acceptsText(given, { channel, to: recipient.phone() }))
})

keeps('message.otherPhoneChannelsAreRefused', async (given) => {
  for (const channel of [...given.requirement.values, 'pigeon'])
    await given.refuses('sendMessage', {
      body: { ...completeMessage.sendMessage(given), ...onChannel(channel, given) },
    })
})

keeps('message.phoneTakesOptionalFields', async (given) => {
  const { accepts, requirement, recipient, some, target } = given
  const fields = { to: recipient.phone(), ...pick(requirement.fields, extrasFor(given)) }
  const body = some.text(fields)
  try {
    await accepts('sendMessage', { body })
  } catch (error) {
    // A provider may send no files by SMS, and those of WhatsApp do.
    if (!(error instanceof BrokenPromise) || body.channel !== 'sms' || !target.providers.whatsapp) throw error
    await acceptsText(given, { channel: 'whatsapp', ...fields })
  }
})

keeps('message.whatsappTakesATemplate', async (given) => {
  const { accepts, requirement, recipient } = given
  const template = pick(requirement.fields, await approvedTemplate(given))
  await accepts('sendMessage', { body: given.some.text({ channel: 'whatsapp', to: recipient.phone(), ...template }) })
})

keeps('message.templateMustBeApproved', async ({ look, make, recipient, refuses, some }) => {
  const template = await make.template('whatsapp')
  if ((await look('template', template))?.status === 'approved') throw new Inconclusive('a new template is approved')
  const body = some.text({ channel: 'whatsapp', to: recipient.phone(), templateId: template._id })
  await refuses('sendMessage', { body })
})
