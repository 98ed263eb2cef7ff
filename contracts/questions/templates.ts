import { approvedTemplate, isApproved, sendUnapproved, timeOfApproval, timeToApprove } from './templates-to-send.ts'
import { byRefusal, byStatus, byValue, describe, Other, requireThat } from './finding.ts'
import { byOddFields, type ProbeContext, type Probes, refusedOrAccepted, withUnknownId, unknownId } from './probe.ts'
import type { templates, templateSends } from '../../spec/assumptions/templates.ts'

export const templateProbes: Probes<typeof templates> = {
  whatsappApproval: async (context) => {
    const isInTime = (await timeToApprove(context)) !== undefined
    requireThat(isInTime, 'a template was still pending: it may be approved later, by somebody, or never')
    const delay = await timeOfApproval(context)
    requireThat(delay !== undefined, 'a template was approved in time, and then one was not')
    return delay === 0 ? 'atOnce' : `afterDelay:${delay}`
  },

  whatsappAfterUpdate: async ({ ask, make }, context) => {
    const notInTime = 'a new template is not approved in time (whatsappApproval)'
    requireThat((await timeToApprove(context)) !== undefined, notInTime)
    const { _id } = await make.template('whatsapp')
    const delay = await context.timeUntil(() => isApproved(context, _id))
    requireThat(delay !== undefined, notInTime)
    await ask('updateTemplate', { ...path(_id), body: { templateType: 'whatsapp', content: 'Order {{1}} has left' } })
    const { status } = (await ask('getTemplate', path(_id))).data
    requireThat(delay > 0 || status !== 'approved', 'a pending template is approved at once (whatsappApproval)')
    return byValue('the status', status, { pendingAgain: 'pending', unchanged: 'approved' })
  },

  uniqueNameScope: async ({ ask, call, make, some, mint }) => {
    const uniqueName = mint.slug('taken')
    await make.template('sms', { uniqueName })
    const twin = await call('createTemplate', { body: some.template.sms({ uniqueName }) })
    if (twin.succeeded) throw new Other('two templates of one type can have one uniqueName')
    await ask('createTemplate', { body: some.template.email() })
    return byRefusal(await call('createTemplate', { body: some.template.email({ uniqueName }) }), 'team', 'type')
  },

  smsCategory: async ({ ask, call, some }) => {
    await ask('createTemplate', { body: some.template.sms() })
    const answer = await call('createTemplate', { body: some.template.sms({ category: 'service' }) })
    if (answer.succeeded) return 'anyString'
    const named = await call('createTemplate', { body: some.template.sms({ category: 'UTILITY' }) })
    if (!named.succeeded) throw new Other(`a template of another type can have no category: ${named.summary}`)
    return byStatus(answer, { 400: 'sameValues' })
  },

  uniqueNameForm: refusedOrAccepted('smsTemplate', ({ mint }) => ({ uniqueName: `Opening hours ${mint.slug('x')}` })),

  whatsappNameForm: refusedOrAccepted('whatsappTemplate', ({ mint }) => ({
    uniqueName: `Order has left ${mint.slug('x')}`,
  })),

  languageForm: refusedOrAccepted('smsTemplate', { language: 'not a language' }),

  templateProvider: refusedOrAccepted('smsTemplate', withUnknownId('provider')),

  templateTypeChange: async ({ ask, call, make, mint }) => {
    const { _id } = await make.template('sms')
    await ask('updateTemplate', { ...path(_id), body: { templateType: 'sms', name: mint.name('Changed') } })
    const body = { templateType: 'email', name: mint.name('Changed again') }
    const answer = await call('updateTemplate', { ...path(_id), body })
    const { data } = await ask('getTemplate', path(_id))
    if (answer.succeeded && data.templateType !== 'sms') throw new Other(`the type is ${describe(data.templateType)}`)
    return byRefusal(answer, 'refused', 'ignored')
  },

  templatePlaceholders: refusedOrAccepted('whatsappTemplate', {
    content: 'Your order {{2}} has left',
    bodyVariableSampleValues: [],
  }),

  templateHeaderFields: refusedOrAccepted('whatsappTemplate', { headerText: 'Your order' }),

  templateVariables: refusedOrAccepted(
    'smsTemplate',
    { variables: ['pigeon'] },
    { content: 'Dear {{contact.firstName}}', variables: ['contact.firstName'] },
  ),

  templateAfterUpdate: async ({ ask, make, mint }) => {
    const { _id } = await make.template('sms')
    const name = mint.name('Changed')
    const { data } = await ask('updateTemplate', { ...path(_id), body: { templateType: 'sms', name } })
    requireThat((data as { name?: unknown }).name === name, 'the response does not show the new name')
    return (data as { content?: unknown }).content === undefined ? 'changedFields' : 'wholeTemplate'
  },

  templateFields: async ({ ask, make }) => {
    const { _id } = await make.template('sms', { content: 'Dear {{firstName}}', variables: ['firstName'] })
    const { data } = await ask('getTemplate', path(_id))
    return byValue('the variables', (data as { variables?: unknown }).variables, {
      onlyShown: undefined,
      allSent: ['firstName'],
    })
  },
}

export const templateSendProbes: Probes<typeof templateSends> = {
  unknownTemplate: async ({ call, some, recipient }, context) => {
    const template = { templateId: await unknownId(context, 'template'), headerParameters: [], bodyParameters: [] }
    const body = some.text({ channel: 'whatsapp', to: recipient.phone(), ...template })
    return byStatus(await call('sendMessage', { body }), { 404: 'notFound', 400: 'badRequest' })
  },

  unapprovedTemplate: async ({ call, some, recipient }, context) => {
    const answer = await sendUnapproved(context, (templateId) => {
      const fields = { to: recipient.phone(), templateId, bodyParameters: [{ type: 'text', text: '42' }] }
      return call('sendBulkMessages', { body: some.bulk('whatsapp', fields) })
    })
    return byRefusal(answer, 'refused', 'accepted')
  },

  unapprovedInSingleSend: async ({ call, some, recipient }, context) => {
    const answer = await sendUnapproved(context, (templateId) => {
      const fields = { to: recipient.phone(), templateId, bodyParameters: [{ type: 'text', text: '42' }] }
      return call('sendMessage', { body: some.text({ channel: 'whatsapp', ...fields }) })
    })
    return byRefusal(answer, 'refused', 'accepted')
  },

  whatsappWithoutTemplate: async ({ call, some, recipient }) => {
    const answer = await call('sendMessage', { body: some.text({ channel: 'whatsapp', to: recipient.phone() }) })
    return byRefusal(answer, 'refused', 'accepted')
  },

  templateOnSms: (context) => withTemplate(context, 'sms', async () => (await approvedTemplate(context)).templateId),

  templateOfOtherType: (context) =>
    withTemplate(context, 'whatsapp', async () => (await context.make.template('sms'))._id),

  templateContent: async ({ ask, some, recipient }, context) => {
    const { content, ...template } = await approvedTemplate(context)
    const body = some.text({ channel: 'whatsapp', to: recipient.phone(), ...template })
    const { data } = await ask('sendMessage', { body })
    return byValue('the content', data.content, { filledTemplate: content, fallbackText: body.content })
  },

  missingParameters: byOddFields('text', ['refused', 'leftAsIs'], { bodyParameters: [] }, async (context) => {
    const { content: _, ...template } = await approvedTemplate(context)
    requireThat(template.bodyParameters.length > 0, 'needs an approved WhatsApp template with a placeholder')
    return { channel: 'whatsapp', to: context.recipient.phone(), ...template }
  }),
}

/** Sends a message and then another one, with a template of another channel. */
async function withTemplate(
  { call, some, recipient }: ProbeContext,
  channel: 'sms' | 'whatsapp',
  findTemplate: () => Promise<string>,
): Promise<'refused' | 'ignored'> {
  const to = recipient.phone()
  const plain = await call('sendMessage', { body: some.text({ channel, to }) })
  requireThat(plain.succeeded, `needs a template (whatsappWithoutTemplate): ${plain.summary}`)
  const body = some.text({ channel, to, templateId: await findTemplate() })
  const answer = await call('sendMessage', { body })
  if (answer.succeeded && answer.data.content !== body.content)
    throw new Other('the text of the template of another channel is sent')
  return byRefusal(answer, 'refused', 'ignored')
}

const path = (templateId: string) => ({ path: { templateId } })
