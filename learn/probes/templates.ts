import type { templates, templateSends } from '../../spec/assumptions/templates.ts'
import { firstName, inParameter, isFilled } from '../merge-field-places.ts'
import {
  type Asking,
  byRefusal,
  byStatus,
  byValue,
  describe,
  Other,
  type Probes,
  requireKept,
  requireThat,
} from '../probe.ts'
import {
  findApprovedTemplate,
  isApproved,
  sendUnapproved,
  timeOfApproval,
  timeToApprove,
} from '../templates-to-send.ts'

export const templateProbes: Probes<typeof templates> = {
  whatsappApproval: async (asking) => {
    const isInTime = (await timeToApprove(asking)) !== undefined
    requireThat(isInTime, 'a template was still pending: it may be approved later, by somebody, or never')
    const delay = await timeOfApproval(asking)
    requireThat(delay !== undefined, 'a template was approved in time, and then one was not')
    return delay === 0 ? 'atOnce' : `afterDelay:${delay}`
  },

  whatsappAfterUpdate: async (asking) => {
    const { ask, make, mint } = asking
    const notInTime = 'a new template is not approved in time (whatsappApproval)'
    requireThat((await timeToApprove(asking)) !== undefined, notInTime)
    const { _id } = await make.template('whatsapp')
    const delay = await asking.timeUntil(() => isApproved(asking, _id))
    requireThat(delay !== undefined, notInTime)
    await ask('updateTemplate', { ...path(_id), body: { templateType: 'whatsapp', name: mint.name('Changed') } })
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

  uniqueNameForm: async ({ ask, call, some, mint }) => {
    await ask('createTemplate', { body: some.template.sms() })
    const uniqueName = `Opening hours ${mint.slug('x')}`
    const answer = await call('createTemplate', { body: some.template.sms({ uniqueName }) })
    if (answer.succeeded) {
      const { data } = await ask('getTemplate', path(answer.data._id))
      requireKept('the uniqueName', data.uniqueName, uniqueName)
    }
    return byRefusal(answer, 'refused', 'accepted')
  },

  whatsappNameForm: async ({ ask, call, some, mint }) => {
    await ask('createTemplate', { body: some.template.whatsapp() })
    const uniqueName = `Order has left ${mint.slug('x')}`
    return byRefusal(
      await call('createTemplate', { body: some.template.whatsapp({ uniqueName }) }),
      'refused',
      'accepted',
    )
  },

  languageForm: async ({ ask, call, some }) => {
    await ask('createTemplate', { body: some.template.sms() })
    const answer = await call('createTemplate', { body: some.template.sms({ language: 'not a language' }) })
    return byRefusal(answer, 'refused', 'accepted')
  },

  templateProvider: async ({ ask, call, some, mint }) => {
    await ask('createTemplate', { body: some.template.sms() })
    const answer = await call('createTemplate', { body: some.template.sms({ provider: mint.unknownId() }) })
    return byRefusal(answer, 'refused', 'accepted')
  },

  templateTypeChange: async ({ ask, call, make, mint }) => {
    const { _id } = await make.template('sms')
    await ask('updateTemplate', { ...path(_id), body: { templateType: 'sms', name: mint.name('Changed') } })
    const answer = await call('updateTemplate', {
      ...path(_id),
      body: { templateType: 'email', name: mint.name('Changed again') },
    })
    const { data } = await ask('getTemplate', path(_id))
    if (answer.succeeded && data.templateType !== 'sms') throw new Other(`the type is ${describe(data.templateType)}`)
    return byRefusal(answer, 'refused', 'ignored')
  },

  templateHeaderFields: (asking) =>
    byOddTemplate(asking, { isHeader: false, headerType: 'text', headerText: 'Good news' }),

  templateButtonForm: (asking) => byOddTemplate(asking, { templateButtons: [{ type: 'PIGEON', text: 'Coo' }] }),

  templatePlaceholders: (asking) =>
    byOddTemplate(asking, { content: 'Your order {{2}} has left', bodyVariableSampleValues: [] }),

  templateVariables: async ({ ask, call, some }) => {
    await ask('createTemplate', {
      body: some.template.sms({ content: 'Dear {{contact.firstName}}', variables: ['contact.firstName'] }),
    })
    const answer = await call('createTemplate', { body: some.template.sms({ variables: ['pigeon'] }) })
    return byRefusal(answer, 'refused', 'accepted')
  },

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
  unknownTemplate: async (asking) => {
    const { call, some, recipient, mint } = asking
    const to = recipient.phone()
    const body = some.text({
      channel: 'whatsapp',
      to,
      templateId: mint.unknownId(),
      headerParameters: [],
      bodyParameters: [],
    })
    return byStatus(await call('sendMessage', { body }), { 404: 'notFound', 400: 'badRequest' })
  },

  unapprovedTemplate: async (asking) => {
    const { call, some, recipient } = asking
    const answer = await sendUnapproved(asking, (templateId) => {
      const fields = { to: recipient.phone(), templateId, bodyParameters: [{ type: 'text', text: '42' }] }
      return call('sendBulkMessages', { body: some.bulk('whatsapp', fields) })
    })
    return byRefusal(answer, 'refused', 'accepted')
  },

  templateOnSms: async (asking) => {
    const { ask, call, some, recipient } = asking
    const to = recipient.phone()
    await ask('sendMessage', { body: some.text({ channel: 'sms', to }) })
    const { templateId } = await findApprovedTemplate(asking)
    const body = some.text({ channel: 'sms', to, templateId })
    const answer = await call('sendMessage', { body })
    if (answer.succeeded && answer.data.content !== body.content) throw new Other('an SMS has the text of the template')
    return byRefusal(answer, 'refused', 'ignored')
  },

  templateOfOtherType: async (asking) => {
    const { ask, call, make, some, recipient } = asking
    const to = recipient.phone()
    await ask('sendMessage', { body: some.text({ channel: 'whatsapp', to }) })
    const { _id: templateId } = await make.template('sms')
    const body = some.text({ channel: 'whatsapp', to, templateId })
    const answer = await call('sendMessage', { body })
    if (answer.succeeded && answer.data.content !== body.content)
      throw new Other('the text of the SMS template is sent')
    return byRefusal(answer, 'refused', 'ignored')
  },

  templateContent: async (asking) => {
    const { ask, some, recipient } = asking
    const { content, ...template } = await findApprovedTemplate(asking)
    const body = some.text({ channel: 'whatsapp', to: recipient.phone(), ...template })
    const { data } = await ask('sendMessage', { body })
    return byValue('the content', data.content, { filledTemplate: content, fallbackText: body.content })
  },

  mergeFieldsInParameters: async (asking) => {
    const seen = await inParameter(asking, firstName)
    if (isFilled(seen)) return 'rendered'
    if (seen.includes(firstName)) return 'raw'
    throw new Other(`the content is ${describe(seen)}`)
  },

  missingParameters: async (asking) => {
    const { ask, call, some, recipient } = asking
    const { content: _, ...template } = await findApprovedTemplate(asking)
    requireThat(template.bodyParameters.length > 0, 'needs an approved WhatsApp template with a placeholder')
    const to = recipient.phone()
    await ask('sendMessage', { body: some.text({ channel: 'whatsapp', to, ...template }) })
    const answer = await call('sendMessage', {
      body: some.text({ channel: 'whatsapp', to, ...template, bodyParameters: [] }),
    })
    return byRefusal(answer, 'refused', 'leftAsIs')
  },

  unusedParameters: async ({ ask, call, some, recipient }) => {
    const body = some.text({ channel: 'whatsapp', to: recipient.phone() })
    await ask('sendMessage', { body })
    const answer = await call('sendMessage', { body: { ...body, bodyParameters: [{ type: 'text', text: '42' }] } })
    return byRefusal(answer, 'refused', 'ignored')
  },
}

/** Whether a WhatsApp template is refused for these fields. */
async function byOddTemplate({ ask, call, some }: Asking, fields: object) {
  await ask('createTemplate', { body: some.template.whatsapp() })
  return byRefusal(await call('createTemplate', { body: some.template.whatsapp(fields) }), 'refused', 'accepted')
}

const path = (templateId: string) => ({ path: { templateId } })
