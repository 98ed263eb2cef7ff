import { byRefusal, byStatus, byValue, CannotTell, describe, Other, requireUnchanged, requireThat } from './finding.ts'
import {
  attachment,
  type ProbeContext,
  type Probes,
  refusedOrAccepted,
  sameInAll,
  toEmail,
  toNewContact,
  unknownId,
} from './probe.ts'
import type { answers } from '../../spec/assumptions/answers.ts'
import type { requests } from '../../spec/assumptions/requests.ts'

const withOddAttachment = (context: ProbeContext) => ({ attachments: [{ ...attachment(context), pigeon: 'grey' }] })

const inAMonth = () => ({ date: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10), time: '09:00' })

export const requestProbes: Probes<typeof requests> = {
  malformedId: async ({ call }, context) => {
    const unknown = await call('getConversation', {
      path: { conversationId: await unknownId(context, 'conversation') },
    })
    requireThat(unknown.status === 404, `an unknown id gets ${unknown.status}`)
    const malformed = await call('getConversation', { path: { conversationId: 'not an id' } })
    return byStatus(malformed, { 400: 'badRequest', 404: 'notFound', 500: 'serverError' })
  },

  unlistedFields: async ({ ask, call, some }) => {
    await ask('createContact', { body: some.contact() })
    const answer = await call('createContact', { body: { ...some.contact(), pigeon: 'grey' } })
    if (answer.status === 400) return 'refused'
    if (!answer.succeeded) throw new Other(answer.summary)
    return byValue('the field', (answer.data as { pigeon?: unknown }).pigeon, { kept: 'grey', dropped: undefined })
  },

  nestedUnlistedFields: sameInAll({
    'an attachment of a chat message': refusedOrAccepted('chat', withOddAttachment, async (context) => ({
      ...(await toNewContact(context)),
      attachments: [attachment(context)],
    })),
    'an attachment of an e-mail': refusedOrAccepted('email', withOddAttachment, (context) => ({
      ...toEmail(context),
      attachments: [attachment(context)],
    })),
    'a scheduleTime': refusedOrAccepted(
      'bulkEmail',
      { scheduleTime: { ...inAMonth(), pigeon: 'grey' } },
      { scheduleType: 'scheduled', scheduleTime: inAMonth() },
    ),
  }),

  serverFieldsSent: async ({ ask, call, some, mint }) => {
    await ask('createProduct', { body: some.product() })
    const _id = mint.unknownId()
    const answer = await call('createProduct', { body: { ...some.product(), _id } })
    if (answer.succeeded && answer.data._id === _id) throw new Other('the record has the id that was sent')
    return byRefusal(answer, 'refused', 'ignored')
  },

  unlistedParameter: async ({ ask, call, make }) => {
    const { _id: conversationId } = await make.conversation()
    await ask('getConversation', { path: { conversationId } })
    const answer = await call('getConversation', { path: { conversationId }, query: { pigeon: 'grey' } })
    return byRefusal(answer, 'refused', 'ignored')
  },

  repeatedParameter: async ({ ask, call, some, make }) => {
    const { _id: contactId } = await make.contact()
    const { conversationId } = (await ask('sendLiveMessage', { body: some.chat({ contactId }) })).data
    const query = { page: 1, limit: 10, channel: 'chat' }
    await ask('listMessages', { path: { conversationId }, query })
    const answer = await call('listMessages', {
      path: { conversationId },
      query: { ...query, channel: ['chat', 'sms'] },
    })
    if (answer.succeeded && answer.data.length === 0) throw new Other('the history is empty')
    return byRefusal(answer, 'refused', 'first')
  },

  missingContentType: async ({ ask, call, some }) => {
    await ask('createProduct', { body: some.product() })
    const body = some.product()
    const answer = await call('createProduct', { text: JSON.stringify(body), contentType: null })
    if (answer.succeeded && answer.data.name !== body.name) throw new Other(`the name is ${describe(answer.data.name)}`)
    return byRefusal(answer, 'refused', 'readAsJson')
  },

  wrongType: sameInAll({
    'a text for a number': async ({ ask, call, some }) => {
      await ask('createProduct', { body: some.product() })
      const answer = await call('createProduct', { body: { ...some.product(), unitPrice: '12.5' } })
      if (answer.succeeded) requireUnchanged('the price', answer.data.unitPrice, 12.5)
      return byRefusal(answer, 'refused', 'cast')
    },
    'a number for a text': async ({ ask, call, some }) => {
      await ask('createContact', { body: some.contact() })
      const answer = await call('createContact', { body: { ...some.contact(), source: 12 } })
      if (answer.succeeded) requireUnchanged('the source', answer.data.source, '12')
      return byRefusal(answer, 'refused', 'cast')
    },
  }),

  emptyString: sameInAll({
    'the name of a product': refusedOrAccepted('product', { name: '' }),
    'the name in an update of a product': refusedOrAccepted('productUpdate', { name: '' }),
    'the name of a company': refusedOrAccepted('company', { name: '' }),
    'the name of a deal': refusedOrAccepted('deal', { name: '' }),
    'the first name of a contact': refusedOrAccepted('contact', { firstName: '' }),
    'the last name in an upsert': refusedOrAccepted('upsert', { lastName: '' }),
    'the content of a template': refusedOrAccepted('smsTemplate', { content: '' }),
    'the content of a chat message': refusedOrAccepted('chat', { content: '' }, toNewContact),
    'the subject of an e-mail': refusedOrAccepted('email', { subject: '' }, toEmail),
  }),

  emptyOptionalField: async ({ ask, call, some, make }) => {
    const contact = await make.contact()
    const path = { contactId: contact._id }
    requireThat(contact.source !== undefined, 'a contact does not show its source')
    const answer = await call('updateContact', { path, body: { firstName: 'Ada', source: '' } })
    if (answer.status === 400) {
      await ask('updateContact', { path, body: { firstName: 'Ada', source: some.contact().source } })
      return 'refused'
    }
    if (!answer.succeeded) throw new Other(answer.summary)
    const { source } = (await ask('updateContact', { path, body: { firstName: 'Ada' } })).data
    return byValue('the field', source, { stored: '', omitted: contact.source, cleared: undefined })
  },

  nullField: async ({ ask, call, some, make }) => {
    const contact = await make.contact()
    const path = { contactId: contact._id }
    requireThat(contact.source !== undefined, 'a contact does not show its source')
    // With a second field, since a server may refuse an empty update.
    const answer = await call('updateContact', { path, body: { firstName: 'Ada', source: null } })
    if (answer.status === 400) {
      await ask('updateContact', { path, body: { firstName: 'Ada', source: some.contact().source } })
      return 'refused'
    }
    if (!answer.succeeded) throw new Other(answer.summary)
    return byValue('the field', (await ask('updateContact', { path, body: { firstName: 'Ada' } })).data.source, {
      omitted: contact.source,
      cleared: undefined,
    })
  },

  emptyUpdate: async ({ ask, call, make, mint }) => {
    const path = { productId: (await make.product())._id }
    await ask('updateProduct', { path, body: { name: mint.name('Changed') } })
    return byRefusal(await call('updateProduct', { path, body: {} }), 'refused', 'accepted')
  },

  emptyFormField: async ({ call, some }) => {
    const answerTo = async (fields: Record<string, string>) =>
      call('createTemplate', { form: { ...some.template.whatsapp(), ...fields } })
    const plain = await answerTo({})
    requireThat(plain.succeeded, `a form is refused: ${plain.summary}`)
    const bad = await answerTo({ isHeader: 'perhaps' })
    requireThat(bad.status === 400, `a form takes isHeader=perhaps: ${bad.summary}`)
    return byRefusal(await answerTo({ isHeader: '' }), 'sent', 'omitted')
  },

  formList: async ({ ask, make, mint }) => {
    const { _id: templateId } = await make.template('whatsapp')
    const form = { templateType: 'whatsapp', name: mint.name('Changed'), variables: '["name","order"]' }
    const { data } = await ask('updateTemplate', { path: { templateId }, form })
    const { variables } = data as { variables?: unknown }
    requireThat(variables !== undefined, 'a changed template is returned without its variables')
    return byValue('the list', variables, { list: ['name', 'order'], oneItem: ['["name","order"]'] })
  },

  undefinedCustomField: async ({ ask, call, some }) => {
    await ask('createContact', { body: some.contact() })
    const additionalFields = { pigeon: 'grey' }
    const answer = await call('createContact', { body: some.contact({ additionalFields }) })
    if (answer.status === 400) return 'refused'
    if (!answer.succeeded) throw new Other(answer.summary)
    return answer.data.additionalFields?.pigeon === 'grey' ? 'stored' : 'dropped'
  },

  nestedUpdate: async ({ ask, call, some }) => {
    const body = some.contact({ additionalFields: { pigeon: 'grey', crow: 'black' } })
    const made = await call('createContact', { body })
    requireThat(
      made.succeeded && made.data.additionalFields?.crow === 'black',
      'custom fields that are not defined are not stored (undefinedCustomField)',
    )
    const path = { contactId: made.data._id }
    const { data } = await ask('updateContact', { path, body: { additionalFields: { pigeon: 'white' } } })
    return byValue('the custom fields', data.additionalFields, {
      replaced: { pigeon: 'white' },
      merged: { pigeon: 'white', crow: 'black' },
    })
  },

  deleteAgain: sameInAll({
    'a deleted product': async ({ ask, make, ...context }) => {
      const { _id: productId } = await make.product()
      await ask('deleteProduct', { path: { productId }, key: null })
      return deleteUnknown(productId, context)
    },
    'a product that never existed': async (context) => deleteUnknown(await unknownId(context, 'company'), context),
  }),

  trailingSlash: async ({ ask, call, make }) => {
    const { _id: conversationId } = await make.conversation()
    const path = { conversationId }
    await ask('getConversation', { path })
    return byStatus(await call('getConversation', { path, hasSlash: true }), { 404: 'notFound', ok: 'accepted' })
  },

  wrongMethod: async ({ call }) =>
    byStatus(await call('createProduct', { method: 'GET' }), { 404: 'notFound', 400: 'badRequest' }),

  rateLimit: () =>
    Promise.reject(new CannotTell('to find the limit, it would have to be reached, and others share the service')),

  bodyLimit: async ({ ask, call, some }) => {
    await ask('createProduct', { body: some.product() })
    const isRefused = async (mebibytes: number) => {
      const description = 'x'.repeat(mebibytes * 1024 * 1024)
      return byRefusal(await call('createProduct', { body: { ...some.product(), description } }), true, false)
    }
    for (const [size, limit] of [[0.09], [0.2, 'hundredKiB'], [0.9], [2, 'oneMiB'], [9], [11, 'tenMiB']] as const) {
      if (!(await isRefused(size))) continue
      if (limit === undefined) throw new Other(`a body of ${size} MiB is refused`)
      return limit
    }
    return 'none'
  },
}

export const answerProbes: Probes<typeof answers> = {
  metaInEnvelope: async ({ ask, some }) => {
    const { fields } = await ask('createProduct', { body: some.product() })
    return byValue('the meta', fields.meta, { omitted: undefined, present: {} })
  },

  statedEnvelope: async ({ ask, make }) => {
    const { _id: conversationId } = await make.conversation()
    const { fields } = await ask('getConversation', { path: { conversationId } })
    const { success, message } = fields
    if (success === true && typeof message === 'string') return 'none'
    if (success === undefined && message === undefined) return 'some'
    throw new Other(`a read has success ${String(success)} and the message ${String(message)}`)
  },

  badRequestMessage: async ({ call, some }) => {
    const { unitPrice: _, ...withoutPrice } = some.product()
    const answer = await call('createProduct', { body: withoutPrice })
    const { name: __, ...withoutName } = some.product()
    const other = await call('createProduct', { body: withoutName })
    for (const { status } of [answer, other]) requireThat(status === 400, `a missing field gets ${status}`)
    if (answer.message.includes('unitPrice') && other.message.includes('name')) return 'namesTheField'
    if (answer.message === other.message) return 'general'
    throw new Other(`the messages are ${JSON.stringify([answer.message, other.message])}`)
  },
}

async function deleteUnknown(
  productId: string,
  { call }: Pick<ProbeContext, 'call'>,
): Promise<'notFound' | 'succeeds'> {
  const answer = await call('deleteProduct', { path: { productId }, key: null })
  return byStatus(answer, { 404: 'notFound', ok: 'succeeds' })
}
