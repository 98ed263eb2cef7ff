import { describe, expect, it } from 'vitest'
import { SecretWindows } from '../../shared/secret-windows.ts'

const key = 'Canary/7f3K+9xQ-2mLp8vR4tW6z="1'

const reversed = key.split('').reverse().join('')
const hex = (between: string) => [...Buffer.from(key)].map((byte) => byte.toString(16)).join(between)
const base64 = (text: string) => Buffer.from(text).toString('base64')

const spellings: readonly (readonly [string, string])[] = [
  ['as it is', key],
  ['in upper case', key.toUpperCase()],
  ['in lower case', key.toLowerCase()],
  ['reversed', reversed],
  ['with spaces between', key.split('').join(' ')],
  ['with line ends between', key.split('').join('\n')],
  ['with dashes between', key.split('').join('-')],
  ['in a URL', encodeURIComponent(key)],
  ['in a URL, every character', `%${hex('%')}`],
  ['in JSON', JSON.stringify(key)],
  ['in HTML', key.replace(/"/g, '&quot;')],
  ['in hex', hex('')],
  ['in hex, in upper case', hex('').toUpperCase()],
  ['in hex with spaces', hex(' ')],
  ['in hex with \\x', `\\x${hex('\\x')}`],
  ['in hex as a list', `0x${hex(', 0x')}`],
  ['in escapes of JSON', `\\u00${hex('\\u00')}`],
  ['in entities of HTML', `&#x${hex(';&#x')};`],
  ['as a list of bytes', [...Buffer.from(key)].join(', ')],
  ['in base64', base64(key)],
  ['in base64 after one byte', base64(`:${key}`)],
  ['in base64 after a name', base64(`Bearer ${key}`)],
  ['in base64 before more', base64(`key=${key}&page=1`)],
  ['in base64url', Buffer.from(`ab${key}`).toString('base64url')],
  ['in base64 of it reversed', base64(reversed)],
  ['in hex of its upper case', Buffer.from(key.toUpperCase()).toString('hex')],
  ['in a URL, every character twice', `%25${hex('%25')}`],
  ['in a URL in a URL', encodeURIComponent(encodeURIComponent(key))],
  ['in escapes of JavaScript', `\\u{${hex('}\\u{')}}`],
  ['in escapes of JSON in JSON', `\\\\u00${hex('\\\\u00')}`],
  ['in octal', [...Buffer.from(key)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')],
  ['in decimal entities', [...Buffer.from(key)].map((byte) => `&#${byte};`).join('')],
  ['in decimal entities with zeros', [...Buffer.from(key)].map((byte) => `&#00${byte};`).join('')],
  ['in entities in entities', [...Buffer.from(key)].map((byte) => `&amp;#${byte};`).join('')],
  ['in escapes of an old browser', `%u00${hex('%u00')}`],
  ['in quoted-printable', `=${hex('=').toUpperCase()}`],
  ['with entities between', key.split('').join('&nbsp;')],
  ['with numbered entities between', key.split('').join('&#8203;')],
  ['with elements between', key.split('').join('<wbr>')],
  ['in elements', `<b>${key.split('').join('</b><b>')}</b>`],
  ['with characters between that nobody sees', key.split('').join('\u200b')],
  ['in wide letters', key.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))],
  ['in bold letters', key.replace(/[a-z]/g, (one) => String.fromCodePoint(one.charCodeAt(0) - 97 + 0x1d41a))],
]

/** The longest part of one text that occurs in the other. */
function longestShared(one: string, other: string): number {
  let longest = 0
  for (let from = 0; from < one.length; from++)
    while (from + longest < one.length && other.includes(one.slice(from, from + longest + 1))) longest++
  return longest
}

describe('A secret', () => {
  const windows = new SecretWindows([key])

  it.each(spellings)('is hidden %s', (_, spelled) => {
    const redacted = windows.redact(`The key <${spelled}> is unknown`)
    expect(redacted).toContain('[redacted]')
    // What stands beside the secret in base64 is not hidden.
    expect(longestShared(spelled, redacted)).toBeLessThan(11)
    expect(redacted).toMatch(/^The key <.*> is unknown$/s)
  })

  it.each(spellings)('is hidden %s, when its end was cut off, or its beginning', (_, spelled) => {
    const most = Math.ceil(spelled.length * 0.9)
    for (const part of [spelled.slice(0, most), spelled.slice(-most)])
      expect(longestShared(part, windows.redact(`The key ${part}`)), part).toBeLessThan(part.length / 3)
  })

  it('leaves other texts as they are', () => {
    const text = 'Creating a contact returns 201: 66f0a1b2c3d4e5f6aaaa7009, +99912345670001, "data" is lost'
    expect(windows.redact(text)).toBe(text)
    expect(new SecretWindows(['', 'api']).redact('/api/apiKeys')).toBe('/api/apiKeys')
  })

  it('that is an e-mail address is only hidden as a whole', () => {
    const address = new SecretWindows([], ['contact@example.com'])
    expect(address.redact('contact.create at example.com: CONTACT@example.com')).toBe(
      'contact.create at example.com: [redacted]',
    )
  })

  it.each(['%40', '%2540', '\\u0040', '&#64;', '&#x40;', '&commat;', ' @ ', '=40'])(
    'that is an e-mail address is hidden with %s in it',
    (at) => {
      const address = new SecretWindows([], ['contact@example.com'])
      expect(address.redact(`To ${['Contact', 'example.com'].join(at)}.`)).toBe('To [redacted].')
    },
  )

  it('with few letters is hidden in hex', () => {
    const [secret, marks] = [new SecretWindows(['!@#$%^&*()!?']), Buffer.from('!@#$%^&*()!?').toString('hex')]
    expect(secret.redact(`The key ${marks}`)).toBe('The key [redacted]')
  })
})
