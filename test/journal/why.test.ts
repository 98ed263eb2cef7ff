import { describe, expect, it } from 'vitest'
import type { WrittenChoices } from '../../spec/choices.ts'
import { promises } from '../../spec/promises.ts'
import { type Ask, openSandbox } from '../mock/harness.ts'
import type { OperationId } from '../../spec/operations.ts'

interface Case {
  readonly id: OperationId
  readonly ask: Ask
  readonly why: object
  readonly assume?: WrittenChoices
}

const unknown = '66f0a1b2c3d4e5f60fffffff'
const contact = { firstName: 'Ada', lastName: 'Lovelace' }
const chat = { channel: 'chat', content: 'Hello', to: '+14155550123' }
const sms = { channel: 'sms', content: 'Hello', to: '+14155550123', providerId: 'sms-provider' }

const cases: Case[] = [
  { id: 'createContact', ask: { key: null, body: contact }, why: { promise: 'access.noCredentialIs401' } },
  { id: 'createContact', ask: { key: 'nobody', body: contact }, why: { promise: 'access.wrongKeyIs401' } },
  {
    id: 'createContact',
    ask: { key: null, headers: { authorization: 'Bearer x' }, body: contact },
    why: { promise: 'access.wrongTokenIs401', field: 'authorization' },
  },
  {
    id: 'createContact',
    ask: { body: { firstName: 'Ada' } },
    why: {
      promise: 'contact.createRequires',
      field: 'lastName',
      words: 'Creating a contact returns 400 when a required field is missing.',
    },
  },
  {
    id: 'createContact',
    ask: { body: { ...contact, status: 'won' } },
    why: { promise: 'contact.otherStatusesAreRefused', field: 'status' },
  },
  { id: 'createContact', ask: { body: { ...contact, phone: 5 } }, why: { document: 'createContact', field: 'phone' } },
  {
    id: 'createContact',
    ask: { body: { ...contact, firstName: '' } },
    why: { assumption: 'emptyString', choice: 'refused', field: 'firstName' },
  },
  {
    id: 'createContact',
    ask: { body: { ...contact, email: 'ada' } },
    why: { assumption: 'contactEmailForm', field: 'email' },
  },
  {
    id: 'createTemplate',
    ask: { body: { templateType: 'whatsapp', name: 'A' } },
    why: { promise: 'template.whatsappRequires' },
  },
  { id: 'createTemplate', ask: { body: {} }, why: { promise: 'template.createRequires', field: 'templateType' } },
  {
    id: 'sendLiveMessage',
    ask: { body: { ...chat, colour: 'teal' } },
    why: { promise: 'message.unlistedFieldsAreRefused', field: 'colour' },
  },
  {
    id: 'sendLiveMessage',
    ask: { body: { ...chat, channel: 'sms' } },
    why: { promise: 'message.liveIsChatOnly', field: 'channel' },
  },
  {
    id: 'sendLiveMessage',
    ask: { body: { channel: 'chat', content: 'Hello' } },
    why: { promise: 'message.needsATarget' },
  },
  {
    id: 'sendLiveMessage',
    ask: { body: { ...chat, to: undefined, contactId: unknown } },
    why: { assumption: 'unknownTarget', choice: 'notFound', field: 'contactId' },
  },
  {
    id: 'sendMessage',
    ask: { body: { ...sms, providerId: 'email-provider' } },
    why: { assumption: 'providerOfOtherChannel', field: 'providerId' },
  },
  {
    id: 'sendBulkMessages',
    ask: { body: { ...sms, providerId: 'email-provider' } },
    why: { promise: 'message.bulkProviderMatchesTheChannel', field: 'providerId' },
  },
  {
    id: 'getTemplate',
    ask: { path: { templateId: unknown } },
    why: { promise: 'error.readingTheUnknownIs404', field: 'templateId' },
  },
  {
    id: 'updateContact',
    ask: { path: { contactId: unknown }, body: {} },
    why: { promise: 'error.updatingTheUnknownIs404', field: 'contactId' },
  },
  {
    id: 'deleteDeal',
    ask: { path: { dealId: unknown } },
    why: { promise: 'error.deletingTheUnknownIs404', field: 'dealId' },
  },
  {
    id: 'getTemplate',
    ask: { path: { templateId: 'not-an-id' } },
    why: { assumption: 'malformedId', field: 'templateId' },
  },
  { id: 'listTemplates', ask: {}, why: { promise: 'template.listRequires' } },
  { id: 'deleteContactsByEmail', ask: {}, why: { promise: 'contact.deleteByEmailRequires', field: 'email' } },
  {
    id: 'createOrUpdateContact',
    ask: { body: '{}', headers: { 'content-type': 'text/plain' } },
    why: { promise: 'contact.upsertRefusesPlainText', field: 'Content-Type' },
  },
  { id: 'createContact', ask: { body: '{"firstName":' }, why: { limit: 'json', field: 'body' } },
  {
    id: 'createContact',
    ask: { body: `{"a":${'['.repeat(50)}${']'.repeat(50)}}` },
    why: { assumption: 'unusualJson', field: 'body' },
  },
  {
    id: 'createContact',
    ask: { body: '{"__proto__":1}' },
    why: { assumption: 'unusualJson', choice: 'refused', field: 'body' },
  },
  {
    id: 'createContact',
    ask: { body: contact, headers: { 'idempotency-key': 'x'.repeat(256) } },
    why: { assumption: 'unusableKey', field: 'Idempotency-Key' },
  },
  {
    id: 'createContact',
    ask: { body: contact },
    assume: { rateLimit: 'perMinute:1' },
    why: { assumption: 'rateLimit', choice: 'perMinute:1' },
  },
]

describe('why a request was refused', () => {
  it.each(cases)('$id: $why', async ({ id, ask, why, assume = {} }) => {
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

  it('exists for each promise that requires an error status', async () => {
    const { promiseOfFault } = await import('../../spec/promise-of-a-fault.ts')
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
      'message.nationalPhoneIsRefused',
      'product.numericTextsAreRefused',
      'deal.numericTextsAreRefused',
    ])
  })
})
