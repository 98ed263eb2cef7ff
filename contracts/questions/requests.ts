import type { answers } from '../../spec/assumptions/answers.ts'
import type { requests } from '../../spec/assumptions/requests.ts'
import { deletesById, reads, recordUpdates } from '../../spec/operation-groups.ts'
import { fieldsOf } from '../client/answer.ts'
import { pathTo } from '../client/kinds.ts'
import { byRefusal, byStatus, byValue, CannotTell, describe, Other, requireThat } from './finding.ts'
import { askOddly, byOddInput, insteadOf, refusedOrAccepted } from './odd-requests.ts'
import { attachment, type ProbeContext, unknownId } from './probe.ts'
import { isDeleted, on, type Questions, sameInAll } from './question.ts'

const attachments = insteadOf(
  (context) => [attachment(context)],
  (context) => [{ ...attachment(context), pigeon: 'grey' }],
)

const inAMonth = () => ({ date: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10), time: '09:00' })

const oneConversation = async ({ make }: ProbeContext) =>
  ['getConversation', pathTo('conversation', (await make.conversation())._id)] as const

const oneProduct = ({ some }: ProbeContext) => ['createProduct', { body: some.product() }] as const

const oneContact = ({ some }: ProbeContext) => ['createContact', { body: some.contact() }] as const

export const requestQuestions: Questions<typeof requests> = {
  malformedId: async ({ call }, context) => {
    const unknown = await call('getConversation', {
      path: { conversationId: await unknownId(context, 'conversation') },
    })
    requireThat(unknown.status === 404, `an unknown id gets ${unknown.status}`)
    const malformed = await call('getConversation', { path: { conversationId: 'not an id' } })
    return byStatus(malformed, { 400: 'badRequest', 404: 'notFound', 500: 'serverError' })
  },

  unlistedFields: byOddInput(oneContact, ({ some }) => ({ body: { ...some.contact(), pigeon: 'grey' } }), {
    400: 'refused',
    ok: ({ data }) => byValue('the field', fieldsOf(data).pigeon, { kept: 'grey', dropped: undefined }),
  }),

  nestedUnlistedFields: sameInAll({
    'an attachment of a chat message': refusedOrAccepted('chat', { attachments }),
    'an attachment of an e-mail': refusedOrAccepted('email', { attachments }),
    'a scheduleTime': refusedOrAccepted('scheduledEmail', {
      scheduleTime: insteadOf(inAMonth, () => ({ ...inAMonth(), pigeon: 'grey' })),
    }),
  }),

  serverFieldsSent: async ({ ask, call, some, mint }) => {
    await ask('createProduct', { body: some.product() })
    const _id = mint.unknownId()
    const answer = await call('createProduct', { body: { ...some.product(), _id } })
    if (answer.succeeded && answer.data._id === _id) throw new Other('the record has the id that was sent')
    return byRefusal(answer, 'refused', 'ignored')
  },

  unlistedParameter: byOddInput(oneConversation, { query: { pigeon: 'grey' } }, { 400: 'refused', ok: 'ignored' }),

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
    'a text for a number': byOddInput(oneProduct, ({ some }) => ({ body: { ...some.product(), unitPrice: '12.5' } }), {
      400: 'refused',
      ok: ({ data }) => byValue('the price', fieldsOf(data).unitPrice ?? 12.5, { cast: 12.5 }),
    }),
    'a number for a text': byOddInput(oneContact, ({ some }) => ({ body: { ...some.contact(), source: 12 } }), {
      400: 'refused',
      ok: ({ data }) => byValue('the source', fieldsOf(data).source ?? '12', { cast: '12' }),
    }),
  }),

  emptyString: sameInAll({
    'the name of a product': refusedOrAccepted('product', { name: '' }),
    'the name in an update of a product': refusedOrAccepted('productUpdate', { name: '' }),
    'the name of a company': refusedOrAccepted('company', { name: '' }),
    'the name of a deal': refusedOrAccepted('deal', { name: '' }),
    'the first name of a contact': refusedOrAccepted('contact', { firstName: '' }),
    'the last name in an upsert': refusedOrAccepted('upsert', { lastName: '' }),
    'the content of a template': refusedOrAccepted('smsTemplate', { content: '' }),
    'the content of a chat message': refusedOrAccepted('chat', { content: '' }),
    'the subject of an e-mail': refusedOrAccepted('email', { subject: '' }),
  }),

  emptyOptionalField: bySource('', (before) => ({ stored: '', omitted: before, cleared: undefined })),

  nullField: bySource(null, (before) => ({ omitted: before, cleared: undefined })),

  emptyUpdate: {
    ask: askOddly(
      async ({ make, mint }) => [
        'updateProduct',
        { ...pathTo('product', (await make.product())._id), body: { name: mint.name('Changed') } },
      ],
      { body: {} },
    ),
    read: on(
      ['updateContact', ...recordUpdates],
      ({ answer, sent }) => Object.keys(sent).length === 0 && byRefusal(answer, 'refused', 'accepted'),
    ),
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

  undefinedCustomField: byOddInput(
    oneContact,
    ({ some }) => ({ body: some.contact({ additionalFields: { pigeon: 'grey' } }) }),
    { 400: 'refused', ok: ({ data }) => (data.additionalFields?.pigeon === 'grey' ? 'stored' : 'dropped') },
  ),

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

  deleteAgain: {
    ask: {
      'a deleted product': async ({ ask, call, make }) => {
        const product = pathTo('product', (await make.product())._id)
        await ask('deleteProduct', { ...product, key: null })
        await call('deleteProduct', { ...product, key: null })
      },
      'a product that never existed': async ({ call }, context) =>
        call('deleteProduct', { ...pathTo('product', await unknownId(context, 'company')), key: null }),
    },
    read: on(
      deletesById,
      ({ request, answer, facts }) =>
        !request.isKeyed &&
        isDeleted(facts, Object.values(request.path)[0]) &&
        byStatus(answer, { 404: 'notFound', ok: 'succeeds' }),
    ),
  },

  trailingSlash: byOddInput(oneConversation, { hasSlash: true }, { 404: 'notFound', ok: 'accepted' }),

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

export const answerQuestions: Questions<typeof answers> = {
  metaInEnvelope: {
    ask: ({ make }) => make.product(),
    read: ({ answer: { succeeded, fields } }) =>
      succeeded && fields.data !== undefined && byValue('the meta', fields.meta, { omitted: undefined, present: {} }),
  },

  statedEnvelope: {
    ask: async (context) => context.ask(...(await oneConversation(context))),
    // All writes have both, whatever the reads do.
    read: ({ answer: { operation, succeeded, fields } }) => {
      const { success, message, data } = fields
      if (!succeeded || data === undefined) return undefined
      const isRead = reads.some((id) => id === operation)
      if (success === true && typeof message === 'string') return isRead && 'none'
      if (isRead && success === undefined && message === undefined) return 'some'
      throw new Other(`success is ${describe(success)}, and the message ${describe(message)}`)
    },
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

/** Updates the source of a contact, with a second field, since a server may refuse an empty update. */
function bySource<Choice extends string>(
  odd: '' | null,
  choicesFor: (before: string) => Readonly<Record<Choice, unknown>>,
) {
  return async ({ ask, call, some, make }: ProbeContext): Promise<Choice | 'refused'> => {
    const { _id, source: before } = await make.contact()
    requireThat(before !== undefined, 'a contact does not show its source')
    const update = (fields: object) => ({ ...pathTo('contact', _id), body: { firstName: 'Ada', ...fields } })
    const answer = await call('updateContact', update({ source: odd }))
    if (answer.status === 400) await ask('updateContact', update({ source: some.contact().source }))
    if (!answer.succeeded) return byStatus(answer, { 400: 'refused' })
    const { source } = (await ask('updateContact', update({}))).data
    return byValue('the field', source, choicesFor(before))
  }
}
