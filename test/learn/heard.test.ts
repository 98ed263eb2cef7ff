import { describe, expect, it } from 'vitest'
import { Answer } from '../../client/answer.ts'
import { createMint, newMarks } from '../../client/mint.ts'
import { formOf } from '../../learn/voice/heard-forms.ts'
import { VoiceListener } from '../../learn/voice/listener.ts'
import { writeVoice } from '../../learn/voice/write-voice.ts'
import { readYaml } from '../../shared/read-yaml.ts'
import { profileOf } from '../../spec/profile.ts'
import type { OperationId } from '../../spec/types.ts'
import { writeIdForm } from '../../spec/voice/voice.ts'

const mint = createMint(newMarks())

interface Heard {
  readonly operation: OperationId
  readonly path?: string
  readonly sent?: object
  readonly status: number
  readonly message?: string
  readonly data?: unknown
}

function listenTo(...all: readonly Heard[]) {
  const listener = new VoiceListener(mint, (text) => text.replaceAll('hunter2', '[redacted]'))
  for (const { operation, path = '/api/x', sent, status, message = 'Done', data } of all) {
    const text = JSON.stringify({ success: status < 400, message, data })
    const body = sent === undefined ? {} : { body: Buffer.from(JSON.stringify(sent)) }
    const request = {
      method: 'POST',
      url: `http://h.test${path}`,
      headers: { 'content-type': 'application/json' },
      ...body,
    }
    const incoming = { status, headers: {}, text }
    listener.onAnswer(new Answer(operation, status, text), { operation, caller: 'team', request, incoming })
  }
  return listener.heard().voice
}

const email = mint.email()
const contact = { firstName: 'Ada', lastName: 'Lovelace', email }

describe('a text', () => {
  it('keeps a place for what the run has sent or made', () => {
    const data = { _id: '66f0a1b2c3d4e5f601234567', ...contact }
    const message = `Saved ${email} as ${data._id}`
    expect(listenTo({ operation: 'createContact', sent: contact, status: 201, message, data })).toMatchObject({
      messages: { createContact: { 201: 'Saved {email} as {id}' } },
    })
    const path = '/api/contacts/66f0a1b2c3d4e5f601234568'
    const unknown = 'No contact 66f0a1b2c3d4e5f601234568'
    expect(listenTo({ operation: 'deleteContact', path, status: 404, message: unknown }).messages).toEqual({
      deleteContact: { 404: 'No contact {id}' },
    })
  })

  it.each([
    'Saved for bob@customer.test',
    'Saved as 4711',
    'See https://crm.test/help',
    'Saved by AbCdEfGhIjKlMnOpQrStUvWxYz',
    'The password is hunter2',
    `Saved ${mint.name('Engine')}`,
    'Saved for Grace Hopper',
    'One\u001b[31m',
    'x'.repeat(1_000),
    'Saved {nobody}',
  ])('is left out when it has anything else that may be data: %s', (message) => {
    const data = { _id: 'one', owner: { name: 'Grace Hopper' } }
    expect(listenTo({ operation: 'createContact', sent: contact, status: 201, message, data }).messages).toBeUndefined()
  })

  it('is left out when it is not always the same', () => {
    const heard = (message: string): Heard => ({ operation: 'createContact', sent: contact, status: 201, message })
    expect(listenTo(heard('Created'), heard('Updated')).messages).toBeUndefined()
    expect(listenTo(heard('Created'), heard('Created')).messages).toEqual({ createContact: { 201: 'Created' } })
  })

  it('about a field has a place for its name, whatever the field', () => {
    const { firstName, lastName } = contact
    const voice = listenTo(
      { operation: 'createContact', sent: { firstName }, status: 400, message: '"lastName" fehlt' },
      { operation: 'createContact', sent: { lastName }, status: 400, message: '"firstName" fehlt' },
      { operation: 'createContact', sent: { firstName, lastName: {} }, status: 400, message: '"lastName" ist falsch' },
    )
    expect(voice).toEqual({ badField: { missing: '"{field}" fehlt', wrong: '"{field}" ist falsch' } })
  })

  it('never is one that the specification shows', () => {
    expect(listenTo({ operation: 'createContact', status: 401, message: 'Wer da?' })).toEqual({})
  })
})

it('learns of additional fields the name and the type, and no value', () => {
  const secret = { owner: 'Grace Hopper', __v: 3, ref: 'usr_8f3k2m1n4b5v', at: '2026-03-01T09:30:00Z', tags: ['vip'] }
  const record = (_id: string) => ({ ...contact, _id, id: _id, ...secret, pigeon: 'grey' })
  const heard = (_id: string): Heard => ({
    operation: 'createContact',
    sent: { ...contact, pigeon: 'grey' },
    status: 201,
    data: record(_id),
  })
  const voice = listenTo(heard('66f0a1b2c3d4e5f601234567'), heard('66f0a1b2c3d4e5f601234568'))
  expect(voice.fields).toEqual({
    contacts: { id: 'sameId', owner: 'text', __v: 'number', ref: 'id', at: 'time', tags: 'list' },
  })
  expect(JSON.stringify(voice)).not.toMatch(/Grace|usr_|vip|grey|2026/)
})

it.each([
  [['66f0a1b2c3d4e5f601234567'], '{hex:24}'],
  [['0b0e4a5c-77aa-4c11-9d2e-0000000000ab'], '{uuid}'],
  [['9', '10'], '{digits:2}'],
  [['con_7gk2m1', 'con_8gk2m1'], 'con_{lowercase:6}'],
  [['con_A7gk2m1'], 'con_{alphanumeric:7}'],
  [['con_1', 'deal_2'], undefined],
  [['ada@example.com'], undefined],
  [[], undefined],
])('tells the form of %j', (ids, form) => {
  const found = formOf(ids)
  expect(found && writeIdForm(found)).toBe(form)
})

it('writes a voice that is read as it was', async () => {
  const { voice = {} } = profileOf({
    voice: {
      messages: { createContact: { 201: 'Ja: "so" # {firstName} \\ é' } },
      ids: { contacts: 'con_{hex:20}' },
      fields: { contacts: { on: 'text', null: 'number', __v: 'number', y: 'list', $ref: 'id' } },
      headers: { 'x-ratelimit-limit': 100 },
    },
  })
  expect(profileOf(await readYaml(writeVoice(voice).join('\n'))).voice).toEqual(voice)
})
