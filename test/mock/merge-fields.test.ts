import { describe, expect, it } from 'vitest'
import { fillPlaceholders } from '../../mock/rules/messages/merge-fields.ts'
import { inLinearTime, repeating } from '../longest-wait.ts'
import { type Call, openSandbox } from './helpers.ts'

const value = (path: string) => ({ name: 'Ada', braces: '{{name}}', empty: '' })[path]

describe('fillPlaceholders', () => {
  it.each([
    ['Hello {{name}}', 'Hello Ada'],
    ['{{name}}{{name}}', 'AdaAda'],
    ['{{nobody}} and {{name}}', '{{nobody}} and Ada'],
    ['{{empty}}', ''],
    ['{{braces}}', '{{name}}'],
    ['{{{{name}}}}', '{{Ada}}'],
    ['{{}}', '{{}}'],
  ])('turns %j into %j', (text, filled) => expect(fillPlaceholders(text, value)).toBe(filled))

  it.each(['{', '{{', '{{a', '{{name}}'])('takes linear time when it repeats %s', (unit) =>
    expect(inLinearTime(() => fillPlaceholders(repeating(unit), value))).not.toBe(''),
  )

  it('adds at most 64 KiB to a text, and leaves the rest unchanged', () => {
    const long = 'x'.repeat(100_000)
    const filled = fillPlaceholders('{{long}}'.repeat(1000), () => long)
    expect(filled.length).toBeLessThan(66 * 1024)
    expect(filled.endsWith('{{long}}')).toBe(true)
  })
})

const ada = { firstName: 'Ada', lastName: 'Lovelace', phone: '+14155550123', email: 'ada@example.com' }

/** The content of a chat message as such a contact gets it. */
async function chat(call: Call, content: string, contact: object = ada) {
  const contactId = (await call('createContact', { body: { ...ada, ...contact } })).body.data._id as string
  return call('sendLiveMessage', { body: { channel: 'chat', content, contactId } })
}

describe('A merge field', () => {
  it.each([
    ['{{contact.firstName}}', 'Ada'],
    ['{{ firstName }} {{lastName}}', 'Ada Lovelace'],
    ['{{contact.email}}, {{contact.phone}}', 'ada@example.com, +14155550123'],
    ['{{contact.source}} {{contact.status}}', 'Fair open'],
    ['{{contact.additionalFields.town}}', 'London'],
    ['{{additionalFields.age}}', '36'],
    ['{{additionalFields.first.name}}', 'Augusta'],
  ])('such as %s stands for %s', async (content, shown) => {
    const { call } = await openSandbox()
    const additionalFields = { town: 'London', age: 36, 'first.name': 'Augusta' }
    const { body } = await chat(call, content, { source: 'Fair', additionalFields })
    expect(body.data.content).toBe(shown)
  })

  it.each([
    '{{contact.pigeon}}',
    '{{contact.teamId}}',
    '{{contact.__proto__}}',
    '{{additionalFields.constructor}}',
    '{{additionalFields.nested}}',
    '{{contact.contact.firstName}}',
    '{{team.name}}',
  ])('%s has no value', async (content) => {
    const { call } = await openSandbox()
    const { body, assumed } = await chat(call, content, { additionalFields: { nested: { deep: 1 } } })
    expect(body.data.content).toBe(content)
    expect(assumed).toContain('unknownMergeField')
  })

  it('that is missing makes the answer rely on no assumption', async () => {
    const { call } = await openSandbox()
    const { body, assumed } = await chat(call, 'Dear Ada } } {{ {')
    expect(body.data.content).toBe('Dear Ada } } {{ {')
    expect(assumed).toEqual([])
  })
})
