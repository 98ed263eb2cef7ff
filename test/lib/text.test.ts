import { describe, expect, it } from 'vitest'
import { quote, quoteUnlessPlain, withoutControls } from '../../lib/text.ts'
import { LatestSecrets, Redactor } from '../../lib/redactor.ts'
import { inLinearTime, repeating } from '../longest-wait.ts'
import { once } from '../../lib/async.ts'

describe('quote', () => {
  it.each([
    ['a plain word', 'team', '"team"'],
    ['nothing', '', '""'],
    ['a quote and a line end', 'a"\n', String.raw`"a\"\n"`],
    ['a terminal colour', '\u001b[31m', String.raw`"\u001b[31m"`],
    ['a control character of one byte', 'a\u009b', String.raw`"a\u{9b}"`],
    ['what turns the text around', 'a\u202eb', String.raw`"a\u{202e}b"`],
    ['a line separator', 'a\u2028b', String.raw`"a\u{2028}b"`],
    ['letters of any script', 'Größe 大', '"Größe 大"'],
  ])('shows %s', (_, text, quoted) => expect(quote(text)).toBe(quoted))

  it('cuts a long text, even between the halves of a character', () => {
    expect(quote('x'.repeat(1e6))).toBe(`"${'x'.repeat(40)}…"`)
    expect(quote(`${'x'.repeat(39)}😀`)).toBe(String.raw`"${'x'.repeat(39)}\ud83d…"`)
  })
})

describe('quoteUnlessPlain', () => {
  it.each([
    ['firstName', 'firstName'],
    ['$ref-1', '$ref-1'],
    ['first name', '"first name"'],
    ['a.b', '"a.b"'],
    ['', '""'],
    ['x'.repeat(61), `"${'x'.repeat(40)}…"`],
  ])('shows %j', (name, shown) => expect(quoteUnlessPlain(name)).toBe(shown))
})

describe('withoutControls', () => {
  it('keeps line ends, and replaces other control characters and invisible characters', () =>
    expect(withoutControls('Größe\n\u001b[31m\u009b\u202e\t.')).toBe('Größe\n?[31m???.'))
})

const key = 'a/key+of "ours"?'

describe('A secret', () => {
  it.each([
    ['as it is', key],
    ['in a URL', encodeURIComponent(key)],
    ['in base64', Buffer.from(key).toString('base64')],
    ['in base64 without padding', Buffer.from(key).toString('base64').replace(/=+$/, '')],
    ['in base64url', Buffer.from(key).toString('base64url')],
  ])('is hidden %s', (_, form) => expect(new Redactor([key]).redact(`<${form}>`)).toBe('<[redacted]>'))

  it('is hidden as a whole when another one is a part of it', () => {
    const secrets = new Redactor(['demo-key'])
    secrets.add(['demo-key-of-acme'])
    expect(secrets.redact('demo-key demo-key-of-acme')).toBe('[redacted] [redacted]')
  })

  it.each(['', 'api', 'apiKe'])(
    'is not redacted when it is as short as %j, since many words would contain it',
    (short) => expect(new Redactor([short]).redact('/api/apiKeys')).toBe('/api/apiKeys'),
  )

  it.each([
    ['a token', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmVk.', 'Bearer [redacted].'],
    ['a token without its signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.', '[redacted]'],
    ['the key of a sandbox', 'key=sandbox_0123456789abcdef01', 'key=[redacted]'],
    ['a token in base64', `<${btoa('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmVk')}>`, '<[redacted]>'],
    ['the key of a sandbox in base64', `<${btoa('sandbox_0123456789abcdef01')}>`, '<[redacted]>'],
  ])('is recognised by its form: %s', (_, text, redacted) => expect(new Redactor().redact(text)).toBe(redacted))
})

it('stays hidden while it is used, and is forgotten after thousands of others', () => {
  const secrets = new LatestSecrets()
  const another = (at: number) => `${at}-${'x'.repeat(1_000)}`
  for (let at = 0; at < 1_000; at++) for (const secret of [key, another(at)]) secrets.add(secret)
  expect(secrets.redact(`${key} ${another(999)} ${another(1)}`)).toBe(`[redacted] [redacted] ${another(1)}`)
})

describe('A long text', () => {
  it.each(['eyJ-', 'eyJa.', 'eyJ', 'sandbox_-', 'ZXlK-', 'c2FuZGJveF-', 'a.', '-'])(
    'takes linear time when it repeats %j',
    (unit) => expect(inLinearTime(() => new Redactor([key]).redact(repeating(unit)))).not.toBe(''),
  )
})

it.each([
  ['of one letter', '[redacted]', Array.from({ length: 200 }, (_, at) => 'a'.repeat(6 + at))],
  ['that almost match', 'a'.repeat(1_000), Array.from({ length: 200 }, (_, at) => `${'a'.repeat(6 + at)}b`)],
  ['that begin alike', 'a'.repeat(1_000), Array.from({ length: 1_000 }, (_, at) => `aaaaaa-key-of-team-${at}`)],
])('of many secrets %s, a long text hides those that it contains', (_, redacted, secrets) =>
  expect(inLinearTime(() => new Redactor(secrets).redact('a'.repeat(1_000)))).toBe(redacted),
)

it('secrets that open nothing any more stay hidden, until there are too many', () => {
  const secrets = new Redactor(['first-key', 'second-key', 'third-key'])
  expect(secrets.retire(['first-key', 'second-key'])).toBe(false)
  expect(secrets.redact('first-key second-key')).toBe('[redacted] [redacted]')
  secrets.add(['second-key'])
  expect(secrets.retire(Array.from({ length: 10_000 }, (_, at) => `first-key-${at}`))).toBe(true)
  expect(secrets.redact('first-key second-key third-key')).toBe('first-key [redacted] [redacted]')
})

it('secrets that overlap are hidden together', () =>
  expect(new Redactor(['first-second', 'second-third']).redact('<first-second-third>')).toBe('<[redacted]>'))

it('makes a value once, and what failed again', async () => {
  let attempts = 0
  const read = once(async () => {
    await Promise.resolve()
    if (++attempts < 3) throw new Error(`attempt ${attempts} failed`)
    return `attempt ${attempts}`
  })
  await expect(read()).rejects.toThrow('attempt 1 failed')
  await expect(read()).rejects.toThrow('attempt 2 failed')
  expect([await read(), await read()]).toEqual(['attempt 3', 'attempt 3'])
})

it('tries again what throws at once', () => {
  let attempts = 0
  const read = once(() => {
    if (++attempts === 1) throw new Error('not yet')
    return attempts
  })
  expect(read).toThrow('not yet')
  expect([read(), read()]).toEqual([2, 2])
})
