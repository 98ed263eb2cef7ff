import { describe, expect, it, vi } from 'vitest'
import { Secrets } from '../../shared/redaction.ts'
import { growthOf, linear } from '../cpu-growth.ts'

const key = 'a/key+of "ours"?'

describe('A secret', () => {
  it.each([
    ['as it is', key],
    ['in a URL', encodeURIComponent(key)],
    ['in JSON', JSON.stringify(key).slice(1, -1)],
    ['in base64', Buffer.from(key).toString('base64')],
    ['in base64 without padding', Buffer.from(key).toString('base64').replace(/=+$/, '')],
    ['in base64url', Buffer.from(key).toString('base64url')],
  ])('is hidden %s', (_, form) => {
    expect(new Secrets(key).redact(`<${form}>`)).toBe('<[redacted]>')
  })

  it('is hidden as a whole when another one is a part of it', () => {
    const secrets = new Secrets('demo-key')
    secrets.add('demo-key-of-acme')
    expect(secrets.redact('demo-key demo-key-of-acme')).toBe('[redacted] [redacted]')
  })

  it('is forgotten when it is removed, but for what others still have of it', () => {
    const secrets = new Secrets('demo-key', 'demo-key', 'other-key')
    secrets.remove('demo-key', 'other-key')
    expect(secrets.redact('demo-key other-key')).toBe('[redacted] other-key')
    secrets.remove('demo-key')
    expect(secrets.redact('demo-key other-key')).toBe('demo-key other-key')
  })

  it.each(['', 'api', 'apiKe'])('is left alone when it is as short as %j, and part of too many words', (short) => {
    expect(new Secrets(short).redact('/api/apiKeys')).toBe('/api/apiKeys')
  })

  it.each([
    ['a token', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmVk.', 'Bearer [redacted].'],
    ['a token without its signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.', '[redacted]'],
    ['the key of a sandbox', 'key=sandbox_0123456789abcdef01', 'key=[redacted]'],
    ['a token in base64', `<${btoa('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmVk')}>`, '<[redacted]>'],
    ['the key of a sandbox in base64', `<${btoa('sandbox_0123456789abcdef01')}>`, '<[redacted]>'],
  ])('is recognised by its form: %s', (_, text, redacted) => {
    expect(new Secrets().redact(text)).toBe(redacted)
  })
})

describe('A long text', () => {
  it.each(['eyJ-', 'eyJa.', 'eyJ', 'sandbox_-', 'ZXlK-', 'c2FuZGJveF-', 'a.', '-'])(
    'takes linear time when it repeats %j',
    (unit) => {
      const secrets = new Secrets(key)
      expect(growthOf((text) => secrets.redact(text), unit, 200_000)).toBeLessThan(linear)
    },
  )
})

it('many secrets cost a line no more than few', () => {
  const secrets = new Secrets(...Array.from({ length: 10_000 }, (_, at) => `a-key-of-team-${at}`))
  const spies = (['includes', 'indexOf', 'replaceAll', 'startsWith', 'slice'] as const).map((name) =>
    vi.spyOn(String.prototype, name),
  )
  const redacted = secrets.redact('GET /api/contacts 200 a-key-of-team-77 a-key-of')
  const calls = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  expect(redacted).toBe('GET /api/contacts 200 [redacted] a-key-of')
  expect(calls).toBeLessThan(200)
})

it('secrets that overlap are hidden together', () => {
  expect(new Secrets('first-second', 'second-third').redact('<first-second-third>')).toBe('<[redacted]>')
})
