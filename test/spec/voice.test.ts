import { describe, expect, it } from 'vitest'
import { UnreadableChoice } from '../../spec/choices.ts'
import { profileOf } from '../../spec/profile.ts'
import { readYaml } from '../../shared/read-yaml.ts'

const read = (voice: unknown) => profileOf({ voice }).voice

describe('a voice', () => {
  it('is read with all its parts', () => {
    expect(
      read({
        messages: { createContact: { 201: 'Contact {firstName} saved' } },
        badField: { missing: '"{field}" is required' },
        ids: { contacts: 'con_{lowercase:16}', deals: '{digits:9}', quotes: '{uuid}' },
        times: { offset: '-03:30', precision: 'minutes' },
        fields: { contacts: { __v: 'number', seenAt: 'time' } },
        meta: { requestId: 'id' },
        headers: { 'x-ratelimit-limit': 100, 'ratelimit-remaining': '{remaining}', 'x-request-id': 'req_{hex:20}' },
      }),
    ).toMatchObject({
      ids: { contacts: { prefix: 'con_', alphabet: 'lowercase', length: 16 } },
      headers: { 'x-ratelimit-limit': '100' },
    })
  })

  it.each([
    ['hello', 'voice must be an object.'],
    [{ mesages: {} }, 'voice.mesages names no part of a voice; did you mean messages?'],
    [
      { messages: { createContcat: {} } },
      'voice.messages.createContcat names no operation; did you mean createContact?',
    ],
    [{ messages: { createContact: { 418: 'x' } } }, 'voice.messages.createContact.418 names no documented status'],
    [{ messages: { createContact: { 201: 7 } } }, 'voice.messages.createContact.201 must be a text of one line'],
    [{ messages: { createContact: { 201: 'x'.repeat(1_000_000) } } }, 'of 1 to 300 characters.'],
    [{ messages: { createContact: { 201: 'one\ntwo' } } }, 'must be a text of one line'],
    [{ messages: { createContact: { 201: '\u001b[31m' } } }, 'must be a text of one line'],
    [{ badField: { missing: 'nothing' } }, 'voice.badField.missing must name the field, as {field}.'],
    [{ ids: { contacts: 'con' } }, 'voice.ids.contacts must be a form of ids'],
    [{ ids: { contacts: '{hex:9999}' } }, 'voice.ids.contacts must be a form of ids'],
    [{ ids: { users: '{uuid}' } }, 'voice.ids.users names no kind of records'],
    [{ times: { offset: '+2' } }, 'voice.times.offset must be Z or such as +02:00.'],
    [{ times: { precision: 'years' } }, 'voice.times.precision must be one of minutes'],
    [{ fields: { contacts: { email: 'number' } } }, 'voice.fields.contacts.email is a field of the specification'],
    [{ fields: { contacts: { owner: 'Ada' } } }, 'voice.fields.contacts.owner must be one of text'],
    [{ fields: { contacts: { 'a b': 'text' } } }, 'voice.fields.contacts."a b" has no name that a field can have.'],
    [{ headers: { 'set-cookie': '1' } }, 'voice.headers.set-cookie is no header of a rate limit'],
    [{ headers: { 'x-request-id': 'a\r\nset-cookie: b' } }, 'voice.headers.x-request-id must be a number'],
    [{ headers: { 'x-ratelimit-limit': [1] } }, 'voice.headers.x-ratelimit-limit must be a number'],
    [JSON.parse('{"__proto__":{}}'), 'voice.__proto__ names no part of a voice'],
    [JSON.parse('{"fields":{"contacts":{"__proto__":"text"}}}'), 'voice.fields.contacts.__proto__ has no name'],
    [JSON.parse('{"meta":{"constructor":"text"}}'), 'voice.meta.constructor has no name'],
  ])('is refused with a sentence that names the place: %#', (voice, sentence) => {
    expect(() => read(voice)).toThrow(UnreadableChoice)
    expect(() => read(voice)).toThrow(sentence)
  })

  it('is refused from a file in the same way', async () => {
    const text = 'badPage: clamped\nvoice:\n  __proto__:\n    messages: {}\n'
    const value = await readYaml(text)
    expect(() => profileOf(value)).toThrow('voice.__proto__ names no part of a voice')
  })
})
