import { describe, expect, test } from 'vitest'
import type { Schema } from '../../spec/document.ts'
import { shapesOf } from '../../spec/shapes.ts'

describe('an error message says what the field must be', () => {
  test.each<[sentence: string, schema: Schema, value: unknown]>([
    ['subject is required', { type: 'object', required: ['subject'] }, {}],
    ['subject must be a string', field('subject', { type: 'string' }), { subject: 7 }],
    ['unitPrice must be a number', field('unitPrice', { type: 'number' }), { unitPrice: '7' }],
    ['page must be an integer', field('page', { type: 'integer' }), { page: 1.5 }],
    ['isHeader must be true or false', field('isHeader', { type: 'boolean' }), { isHeader: 'yes' }],
    ['mediaUrl must be a string or null', field('mediaUrl', { type: ['string', 'null'] }), { mediaUrl: 7 }],
    ['scheduleTime must be a JSON object', field('scheduleTime', { type: 'object' }), { scheduleTime: 'noon' }],
    ['channel must be one of sms, whatsapp', field('channel', { enum: ['sms', 'whatsapp'] }), { channel: 'fax' }],
    ['channel must be chat', field('channel', { const: 'chat' }), { channel: 'sms' }],
    ['page must be at least 1', field('page', { type: 'number', minimum: 1 }), { page: 0 }],
    ['name must have at most 3 characters', field('name', { type: 'string', maxLength: 3 }), { name: 'Grace' }],
    ['to must not be empty', field('to', { type: 'array', minItems: 1 }), { to: [] }],
    ['sku must match ^[A-Z]+$', field('sku', { type: 'string', pattern: '^[A-Z]+$' }), { sku: 'de-1' }],
    ['data must not be given', field('data', { not: {} }), { data: [] }],
    ['the body must not have data', { type: 'object', not: { required: ['data'] } }, { data: [] }],
    ['name must not be admin', field('name', { not: { const: 'admin' } }), { name: 'admin' }],
    ['the body must be a JSON object', { type: 'object' }, 'ada'],
  ])('%s', (sentence, schema, value) => expect(sentenceOn(schema, value)).toBe(sentence))
})

describe('an error message shows an example of the format', () => {
  test.each([
    ['email', 'email must be an e-mail address, such as ada@example.com'],
    ['date-time', 'email must be an ISO 8601 timestamp, such as 2026-03-01T09:30:00.000Z'],
    ['date', 'email must be an ISO 8601 date, such as 2026-03-01'],
    ['uri', 'email must be a URI, such as https://files.example.com/plan.pdf'],
  ])('of a %s', (format, sentence) =>
    expect(sentenceOn(field('email', { type: 'string', format }), { email: 'x' })).toBe(sentence),
  )

  test.each([{ pattern: '^[+]' }, { format: 'email' }, { enum: ['+1'] }, { not: { type: 'string' } }])(
    'or the x-form of the schema, instead of %j',
    (keyword) => {
      const phone = { type: 'string', 'x-form': 'in E.164 form, such as +14155550123', ...keyword }
      expect(sentenceOn(field('phone', phone), { phone: '0' })).toBe(
        'phone must be in E.164 form, such as +14155550123',
      )
      expect(sentenceOn(field('phone', phone), { phone: 0 })).toBe('phone must be a string')
    },
  )
})

test('the field is named with its path', () => {
  const attachment = field('mediaType', { enum: ['image'] })
  const schema = field('attachments', { type: 'array', items: { ...attachment, required: ['fileName'] } })
  expect(sentenceOn(schema, { attachments: [{ fileName: 'a' }, { fileName: 'b', mediaType: 'x' }] })).toBe(
    'attachments[1].mediaType must be image',
  )
  expect(sentenceOn(schema, { attachments: [{}] })).toBe('attachments[0].fileName is required')
})

test('a field name with special characters is quoted', () =>
  expect(sentenceOn(field('a/b~c', { type: 'string' }), { 'a/b~c': 7 })).toBe('"a/b~c" must be a string'))

test('a condition is not mentioned, only what it requires', () => {
  const schema = { type: 'object', if: field('channel', { const: 'email' }), then: { required: ['subject'] } }
  expect(sentenceOn(schema, { channel: 'email' })).toBe('subject is required')
  expect(sentenceOn({ anyOf: [schema] }, { channel: 'email' })).toBe('subject is required')
})

describe('an unlisted field', () => {
  const contact = { ...field('firstName', {}), additionalProperties: false }

  test.each([contact, { type: 'object', allOf: [field('firstName', {})], unevaluatedProperties: false }])(
    'is named with a suggestion, by %j',
    (schema) => {
      expect(sentenceOn(schema, { age: 36 })).toBe('age is not a field of this request')
      expect(sentenceOn(schema, { firstname: 'Ada' })).toBe(
        'firstname is not a field of this request (did you mean firstName?)',
      )
      expect(sentenceOn(schema, { firstNameOfUser: 'Ada' })).toContain('(did you mean firstName?)')
    },
  )

  test.each([
    ['a space', 'first name', '"first name" is not'],
    ['a line end and a quote', 'a"\n', String.raw`"a\"\n" is not`],
    ['an invisible character', 'a\u200b', String.raw`"a\u{200b}" is not`],
    ['a prototype', '__proto__', '__proto__ is not'],
  ])('is shown escaped if its name has %s', (_, name, sentence) =>
    expect(sentenceOn(contact, JSON.parse(`{${JSON.stringify(name)}: 1}`))).toContain(sentence),
  )
})

describe('with several branches', () => {
  test('the branch that the discriminator selects is explained, or the values of the discriminator', () => {
    const variant = (type: string, required: string) => ({
      ...field('templateType', { type: 'string', const: type }),
      required: ['templateType', required],
    })
    const schema = {
      type: 'object',
      discriminator: { propertyName: 'templateType', mapping: {} },
      oneOf: [variant('sms', 'content'), variant('email', 'subject')],
    }
    expect(sentenceOn(schema, { templateType: 'fax' })).toBe('templateType must be one of sms, email')
    expect(sentenceOn(schema, { templateType: 7 })).toBe('templateType must be one of sms, email')
    expect(sentenceOn(schema, {})).toBe('templateType must be one of sms, email')
    expect(sentenceOn(schema, { templateType: 'email' })).toBe('subject is required')
  })

  test.each<[string, Schema, unknown]>([
    ['to or contactId is required', { type: 'object', anyOf: [{ required: ['to'] }, { required: ['contactId'] }] }, {}],
    ['to must be a string or null', field('to', { oneOf: [{ type: 'string' }, { type: 'null' }] }), { to: 7 }],
    [
      'to must be one of all, none or an e-mail address, such as ada@example.com',
      field('to', { type: 'string', anyOf: [{ enum: ['all', 'none'] }, { format: 'email' }] }),
      { to: 'x' },
    ],
    [
      'to.phone must be a string',
      field('to', { anyOf: [{ type: 'string' }, { type: 'object', ...field('phone', { type: 'string' }) }] }),
      { to: { phone: 7 } },
    ],
    [
      'to.phone is required',
      field('to', { anyOf: [{ type: 'object', ...field('phone', {}), required: ['phone'] }, { type: 'null' }] }),
      { to: {} },
    ],
    ['the body must fit only one of the documented forms', { oneOf: [{ type: 'object' }, {}] }, {}],
  ])('%s', (sentence, schema, value) => expect(sentenceOn(schema, value)).toBe(sentence))
})

test('a message never contains the value', () => {
  const secret = 'sk_live_'.repeat(1000)
  for (const keyword of [{ maxLength: 1 }, { enum: ['a'] }, { const: 'a' }, { format: 'email' }, { pattern: '^a$' }])
    expect(sentenceOn(field('name', { type: 'string', ...keyword }), { name: secret })).not.toContain('sk_live')
})

function field(name: string, schema: Schema): Schema {
  return { type: 'object', properties: { [name]: schema } }
}

function sentenceOn(schema: Schema, value: unknown): string | undefined {
  const subject = { whole: 'the body', member: 'a field of this request' }
  return shapesOf({ info: { title: 'Test' }, paths: {}, components: { schemas: {} } })(schema, 'json', subject).check(
    value,
  )
}
