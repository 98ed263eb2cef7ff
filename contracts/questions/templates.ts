import type { templates, templateSends } from '../../spec/assumptions/templates.ts'
import { isSnakeCase, templateCategories } from '../../spec/forms.ts'
import { fieldsOf, idOf } from '../client/answer.ts'
import { byRefusal, byValue, describe, Other, requireThat } from './finding.ts'
import { byOddFields, insteadOf, outside, refusedOrAccepted, unless } from './odd-requests.ts'
import { idOfNone, type ProbeContext, unknownId } from './probe.ts'
import { byDeleted, byRefusalOf, isText, on, onSuccess, type Questions } from './question.ts'
import { approvedTemplate, isApproved, sendUnapproved, timeOfApproval, timeToApprove } from './templates-to-send.ts'

export const templateQuestions: Questions<typeof templates> = {
  whatsappApproval: {
    probe: async (context) => {
      const isInTime = (await timeToApprove(context)) !== undefined
      requireThat(isInTime, 'a template was still pending: it may be approved later, by somebody, or never')
      const delay = await timeOfApproval(context)
      requireThat(delay !== undefined, 'a template was approved in time, and then one was not')
      return delay === 0 ? 'atOnce' : `afterDelay:${delay}`
    },
    read: onSuccess(
      ['createTemplate'],
      ({ data }) => data.templateType === 'whatsapp' && data.status === 'approved' && 'atOnce',
    ),
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

  smsCategory: byOddFields(
    'smsTemplate',
    ['sameValues', 'anyString'],
    { category: insteadOf('UTILITY', 'service') },
    outside(templateCategories),
  ),

  uniqueNameForm: refusedOrAccepted(
    'smsTemplate',
    { uniqueName: ({ mint }) => `Opening hours ${mint.slug('x')}` },
    unless((name) => /^[a-z0-9_-]+$/.test(name)),
  ),

  whatsappNameForm: refusedOrAccepted(
    'whatsappTemplate',
    { uniqueName: ({ mint }) => `Order has left ${mint.slug('x')}` },
    unless(isSnakeCase),
  ),

  languageForm: refusedOrAccepted('smsTemplate', { language: 'not a language' }),

  templateProvider: refusedOrAccepted('smsTemplate', { provider: idOfNone() }),

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

  templateVariables: refusedOrAccepted('smsTemplate', {
    content: insteadOf('Dear {{contact.firstName}}', 'Dear {{contact.firstName}}'),
    variables: insteadOf(['contact.firstName'], ['pigeon']),
  }),

  templateAfterUpdate: {
    probe: async ({ ask, make, mint }) => {
      const { _id } = await make.template('sms')
      const name = mint.name('Changed')
      const { data } = await ask('updateTemplate', { ...path(_id), body: { templateType: 'sms', name } })
      requireThat(fieldsOf(data).name === name, 'the response does not show the new name')
      return fieldsOf(data).content === undefined ? 'changedFields' : 'wholeTemplate'
    },
    read: onSuccess(['updateTemplate'], ({ sent, data }) => {
      const unsent = ['name', 'templateType', 'uniqueName', 'createdAt'].filter((field) => sent[field] === undefined)
      const shown = unsent.filter((field) => data[field] !== undefined)
      if (idOf(data) === undefined || (shown.length > 0 && shown.length < unsent.length)) return undefined
      return shown.length > 0 ? 'wholeTemplate' : 'changedFields'
    }),
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

export const templateSendQuestions: Questions<typeof templateSends> = {
  unknownTemplate: {
    ask: async ({ call, some, recipient }, context) => {
      const template = { templateId: await unknownId(context, 'template'), headerParameters: [], bodyParameters: [] }
      await call('sendMessage', { body: some.text({ channel: 'whatsapp', to: recipient.phone(), ...template }) })
    },
    read: byDeleted(['sendMessage', 'sendBulkMessages'], 'templateId'),
  },

  unapprovedTemplate: ({ call, some }, context) =>
    sendUnapproved(context, (fields) => call('sendBulkMessages', { body: some.bulk('whatsapp', fields) })),

  unapprovedInSingleSend: ({ call, some }, context) =>
    sendUnapproved(context, (fields) => call('sendMessage', { body: some.text({ channel: 'whatsapp', ...fields }) })),

  whatsappWithoutTemplate: {
    ask: ({ call, some, recipient }) =>
      call('sendMessage', { body: some.text({ channel: 'whatsapp', to: recipient.phone() }) }),
    read: on(['sendMessage'], (exchange) => {
      const { channel, templateId } = exchange.sent
      const hasNone = channel === 'whatsapp' && !isText(templateId)
      return hasNone && byRefusalOf('templateId', exchange, 'refused', 'accepted')
    }),
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

  missingParameters: byOddFields('fromTemplate', ['refused', 'leftAsIs'], { bodyParameters: [] }),
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
