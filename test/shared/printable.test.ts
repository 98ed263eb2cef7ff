import { describe, expect, it } from 'vitest'
import { quote, quoteUnlessPlain, withoutControls } from '../../shared/text.ts'

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
  ])('shows %s', (_, text, quoted) => {
    expect(quote(text)).toBe(quoted)
  })

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
  ])('shows %j', (name, shown) => {
    expect(quoteUnlessPlain(name)).toBe(shown)
  })
})

describe('withoutControls', () => {
  it('keeps line ends, and replaces whatever else a terminal acts on', () => {
    expect(withoutControls('Größe\n\u001b[31m\u009b\u202e\t.')).toBe('Größe\n?[31m???.')
  })
})
