import { describe, expect, it } from 'vitest'
import { Redactor } from '../../shared/redactor.ts'
import { growthOf, linear, repeating } from '../cpu-growth.ts'

const key = 'a/key+of "ours"?'

describe('A secret', () => {
  it.each([
    ['as it is', key],
    ['in a URL', encodeURIComponent(key)],
    ['in base64', Buffer.from(key).toString('base64')],
    ['in base64 without padding', Buffer.from(key).toString('base64').replace(/=+$/, '')],
    ['in base64url', Buffer.from(key).toString('base64url')],
  ])('is hidden %s', (_, form) => {
    expect(new Redactor([key]).redact(`<${form}>`)).toBe('<[redacted]>')
  })

  it('is hidden as a whole when another one is a part of it', () => {
    const secrets = new Redactor(['demo-key'])
    secrets.add(['demo-key-of-acme'])
    expect(secrets.redact('demo-key demo-key-of-acme')).toBe('[redacted] [redacted]')
  })

  it.each(['', 'api', 'apiKe'])('is left alone when it is as short as %j, and part of too many words', (short) => {
    expect(new Redactor([short]).redact('/api/apiKeys')).toBe('/api/apiKeys')
  })

  it.each([
    ['a token', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmVk.', 'Bearer [redacted].'],
    ['a token without its signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.', '[redacted]'],
    ['the key of a sandbox', 'key=sandbox_0123456789abcdef01', 'key=[redacted]'],
    ['a token in base64', `<${btoa('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmVk')}>`, '<[redacted]>'],
    ['the key of a sandbox in base64', `<${btoa('sandbox_0123456789abcdef01')}>`, '<[redacted]>'],
  ])('is recognised by its form: %s', (_, text, redacted) => {
    expect(new Redactor().redact(text)).toBe(redacted)
  })
})

describe('A long text', () => {
  it.each(['eyJ-', 'eyJa.', 'eyJ', 'sandbox_-', 'ZXlK-', 'c2FuZGJveF-', 'a.', '-'])(
    'takes linear time when it repeats %j',
    async (unit) => {
      const secrets = new Redactor([key])
      expect(await growthOf(secrets.redact, repeating(unit), 200_000)).toBeLessThan(linear)
    },
  )
})

it.each([
  ['of one letter', Array.from({ length: 200 }, (_, at) => 'a'.repeat(6 + at))],
  ['that almost match', Array.from({ length: 200 }, (_, at) => `${'a'.repeat(6 + at)}b`)],
  ['that begin alike', Array.from({ length: 10_000 }, (_, at) => `aaaaaa-key-of-team-${at}`)],
])('many secrets %s do not make a long text slow', async (_, secrets) => {
  const { redact } = new Redactor(secrets)
  expect(await growthOf(redact, repeating('a'), 20_000)).toBeLessThan(linear)
})

it('secrets that overlap are hidden together', () => {
  expect(new Redactor(['first-second', 'second-third']).redact('<first-second-third>')).toBe('<[redacted]>')
})
