import { describe, expect, it } from 'vitest'
import type { WrittenChoices } from '../../../spec/choices.ts'
import { promises } from '../../../spec/promises.ts'
import { bearerOf, type CallOptions, openSandbox } from '../helpers.ts'
import type { OperationId } from '../../../spec/operations.ts'
import { whatsapp } from '../template-requests.ts'

const unknown = '66f0a1b2c3d4e5f60fffffff'
const contact = { firstName: 'Ada', lastName: 'Lovelace' }
const missing = 'Creating a contact returns 400 when a required field is missing.'
const bearer = { authorization: 'Bearer x' }
const plainText = { body: '{}', headers: { 'content-type': 'text/plain' } }
const longKey = { body: contact, headers: { 'idempotency-key': 'x'.repeat(256) } }
const byEmail = { body: { channel: 'sms', content: 'Hello', to: '+14155550123', providerId: 'email-provider' } }
const contactWith = (fields: object): CallOptions => ({ body: { ...contact, ...fields } })
const chat = (fields: object): CallOptions => ({
  body: { channel: 'chat', content: 'Hello', to: '+14155550123', ...fields },
})
const attached = (attachment: object) => chat({ attachments: [attachment] })
const at = (path: Record<string, string>, body?: object): CallOptions => ({ path, body })
const twoEmails: CallOptions = { query: { email: ['ada@example.com', 'grace@example.com'] } }

/** A request, and the reason in the journal. */
const cases: [OperationId, CallOptions, why: object, assume?: WrittenChoices][] = [
  ['createContact', { key: null, body: contact }, { promise: 'access.noCredentialIs401' }],
  ['createContact', { key: 'nobody', body: contact }, { promise: 'access.wrongKeyIs401' }],
  ['createContact', { key: null, headers: bearer }, { promise: 'access.wrongTokenIs401', field: 'authorization' }],
  ['createContact', { body: { firstName: 'Ada' } }, { promise: 'contact.createRequires', field: 'lastName' }],
  ['createContact', { body: { firstName: 'Ada' } }, { words: missing }],
  ['createContact', contactWith({ status: 'won' }), { promise: 'contact.otherStatusesAreRefused', field: 'status' }],
  ['createContact', contactWith({ phone: 5 }), { assumption: 'wrongType', field: 'phone' }],
  ['createContact', contactWith({ status: 5 }), { promise: 'contact.otherStatusesAreRefused', field: 'status' }],
  ['findOrCreateConversation', { body: { phone: '030 1234567' } }, { assumption: 'nationalPhone', field: 'phone' }],
  ['findOrCreateConversation', { body: { phone: 'x' } }, { promise: 'conversation.malformedPhoneIsRefused' }],
  [
    'createContact',
    contactWith({ firstName: '' }),
    { assumption: 'emptyString', choice: 'refused', field: 'firstName' },
  ],
  ['createContact', contactWith({ email: 'ada' }), { assumption: 'contactEmailForm', field: 'email' }],
  ['createTemplate', { body: { templateType: 'whatsapp', name: 'A' } }, { promise: 'template.whatsappRequires' }],
  ['createTemplate', { body: {} }, { promise: 'template.createRequires', field: 'templateType' }],
  ['sendLiveMessage', chat({ colour: 'teal' }), { promise: 'message.unlistedFieldsAreRefused', field: 'colour' }],
  ['sendLiveMessage', chat({ channel: 'sms' }), { promise: 'message.liveIsChatOnly', field: 'channel' }],
  [
    'sendLiveMessage',
    attached({ mediaType: 'pdf' }),
    { promise: 'message.otherAttachmentTypesAreRefused', field: 'attachments[0].mediaType' },
  ],
  [
    'sendLiveMessage',
    attached({}),
    { assumption: 'attachmentFields', field: 'attachments[0].fileName' },
    { attachmentFields: 'refused' },
  ],
  [
    'createTemplate',
    { body: { ...whatsapp, headerText: 'To {{1}}', headerVariables: ['a', 'b'] } },
    { assumption: 'templatePlaceholders', field: 'headerVariables' },
    { templatePlaceholders: 'refused' },
  ],
  ['sendLiveMessage', attached({ fileSize: 12 }), { assumption: 'wrongType', field: 'attachments[0].fileSize' }],
  ['sendLiveMessage', chat({ attachments: {} }), { assumption: 'wrongType', field: 'attachments' }],
  ['sendLiveMessage', chat({ mediaType: 5 }), { assumption: 'wrongType', field: 'mediaType' }],
  ['sendLiveMessage', chat({ to: undefined }), { promise: 'message.needsATarget' }],
  [
    'sendLiveMessage',
    chat({ to: undefined, contactId: unknown }),
    { assumption: 'unknownTarget', choice: 'notFound', field: 'contactId' },
  ],
  ['sendMessage', byEmail, { assumption: 'providerOfOtherChannel', field: 'providerId' }],
  ['sendBulkMessages', byEmail, { promise: 'message.bulkProviderMatchesTheChannel', field: 'providerId' }],
  ['getTemplate', at({ templateId: unknown }), { promise: 'error.readingTheUnknownIs404', field: 'templateId' }],
  ['updateContact', at({ contactId: unknown }, {}), { promise: 'error.updatingTheUnknownIs404', field: 'contactId' }],
  ['deleteDeal', at({ dealId: unknown }), { assumption: 'deleteAgain', field: 'dealId' }],
  ['getTemplate', at({ templateId: 'not-an-id' }), { assumption: 'malformedId', field: 'templateId' }],
  ['listTemplates', {}, { promise: 'template.listRequires' }],
  ['deleteContactsByEmail', {}, { promise: 'contact.deleteByEmailRequires', field: 'email' }],
  ['createOrUpdateContact', plainText, { promise: 'contact.upsertRefusesPlainText', field: 'Content-Type' }],
  ['createContact', { body: '{"firstName":' }, { limit: 'json', field: 'body' }],
  ['createContact', { body: `{"a":${'['.repeat(50)}${']'.repeat(50)}}` }, { limit: 'json', field: 'body' }],
  ['createContact', { body: '{"__proto__":1}' }, { limit: 'json', field: 'body' }],
  ['deleteContactsByEmail', twoEmails, { assumption: 'repeatedParameter', field: 'email' }],
  ['createContact', longKey, { assumption: 'unusableKey', field: 'Idempotency-Key' }],
  [
    'createContact',
    { body: contact },
    { assumption: 'rateLimit', choice: 'perMinute:1' },
    { rateLimit: 'perMinute:1' },
  ],
]

describe('why a request was refused', () => {
  it.each(cases)('%s %j: %j', async (id, ask, why, assume = {}) => {
    const { sandbox, call } = await openSandbox({ assume })
    if (assume.rateLimit !== undefined) await call(id, ask)
    const { status } = await call(id, ask)
    expect(status).toBeGreaterThanOrEqual(400)
    const [seen] = await sandbox.requests.find({ last: 1 })
    expect(seen).toMatchObject({ status, refused: true, why })
    expect(seen?.why?.words).toMatch(/\w{3}.*\.$/)
  })

  it('names the earlier request when a repeated key gets its refusal again', async () => {
    const { sandbox, call } = await openSandbox({ assume: { failuresKept: 'yes' } })
    const ask = { body: { firstName: 'Ada' }, headers: { 'idempotency-key': 'one' } }
    await call('createContact', ask)
    await call('createContact', ask)
    const [seen] = await sandbox.requests.find({ last: 1 })
    expect(seen?.why).toMatchObject({ assumption: 'repeatedKey', field: 'Idempotency-Key' })
  })

  it('is the choice about two credentials also when a profile has it', async () => {
    const { sandbox, call } = await openSandbox({ profile: { bothCredentials: 'refuse' } })
    const headers = await bearerOf(sandbox, { teamId: 'acme', role: 'admin' })
    await call('createContact', { key: 'nobody', body: contact, headers })
    const [seen] = await sandbox.requests.find({ last: 1 })
    expect(seen).toMatchObject({ status: 401, why: { assumption: 'bothCredentials' } })
  })

  it('exists for each promise that requires an error status', async () => {
    const { promiseOfFault } = await import('../../../spec/promise-of-a-fault.ts')
    const found = promises
      .filter(({ status, fields }) => status === 400 && fields !== undefined)
      .filter(({ id, operations, fields = [] }) => {
        const [operation] = operations === 'all' ? [] : operations
        const kinds = ['missing', 'value'] as const
        const types = ['sms', 'email', 'whatsapp', undefined]
        return !fields.every((field) =>
          kinds.some((kind) =>
            types.some(
              (templateType) => operation && promiseOfFault(operation, { field, kind }, { templateType }) === id,
            ),
          ),
        )
      })
    // These say the same as another promise of the field, for values of another form.
    expect(found.map(({ id }) => id)).toEqual([
      'conversation.nationalPhoneIsRefused',
      'message.nationalPhoneIsRefused',
      'product.numericTextsAreRefused',
      'deal.numericTextsAreRefused',
    ])
  })
})
