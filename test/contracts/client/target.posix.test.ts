import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CannotRun } from '../../../contracts/client/errors.ts'
import { createTarget, redactorFor, type TargetOptions } from '../../../contracts/client/target/target.ts'
import { gatherSettings } from '../../../contracts/client/target/target-file.ts'
import { key } from './helpers.ts'
import { countOfNumbers, fictionalNumber, indexOfNumber } from '../../../contracts/client/fictional-numbers.ts'
import { loadLocale, localeNames } from '../../../fixtures/generate/locale.ts'
import { isReserved } from '../../../fixtures/seed/reserved-addresses.ts'
import { newFolder } from '../../for-one-test.ts'

const elsewhere = 'https://staging.example.com'

describe('A target', () => {
  it.each([
    ['http://127.0.0.1:4010', true],
    ['http://127.9.9.9', true],
    ['http://localhost:4010', true],
    ['http://LOCALHOST', true],
    ['http://[::1]:4010', true],
    ['http://2130706433', true],
    ['http://0x7f.1', true],
    ['http://localhost.evil.test', false],
    ['http://127.0.0.1.evil.test', false],
    ['http://evil.test:127', false],
    ['http://0.0.0.0', false],
    ['http://[::ffff:7f00:1]', false],
    [elsewhere, false],
  ])('at %s is on this machine: %s', (baseUrl, loopback) => {
    const target = createTarget({ baseUrl }, {})
    expect([target.loopback, target.upTo]).toEqual([loopback, loopback ? 'send' : 'read'])
  })

  it('may have a prefix before its paths', () => {
    const { origin, host } = createTarget({ baseUrl: `${elsewhere}/tenant/crm/` }, {})
    expect([origin, host]).toEqual([`${elsewhere}/tenant/crm`, 'staging.example.com'])
  })

  it.each([
    '',
    'staging.example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://ada:secret@staging.example.com',
    'https://staging.example.com/tenant/api',
    'https://staging.example.com?a',
  ])('cannot be %j', (baseUrl) =>
    expect(() => createTarget({ baseUrl }, {})).toThrow('The base URL must be an http or https address without'),
  )

  it.each<[string, TargetOptions, string]>([
    ['without a repeated host', { upTo: 'write' }, 'confirm the host: --confirm-host staging.example.com'],
    ['with another host', { upTo: 'write', confirmHost: 'example.com' }, '--confirm-host names another host'],
    ['with another host, even to read', { confirmHost: 'example.com' }, '--confirm-host names another host'],
    ['with part of the host', { upTo: 'send', confirmHost: 'staging.example' }, '--confirm-host names another host'],
    ['with an unknown reach', { upTo: 'delete', confirmHost: 'staging.example.com' }, '--up-to must be one of'],
    ['at a rate of zero', { rate: '0' }, '--rate must be a number from 0.01 to 100.'],
    ['at a rate of a request in hours', { rate: '0.0001' }, '--rate must be a number from 0.01 to 100.'],
    ['at an infinite rate', { rate: 'Infinity' }, '--rate must be'],
    ['at a rate that is not a number', { rate: '2/s' }, '--rate must be'],
    ['with a negative timeout', { timeout: '-1' }, '--timeout must be'],
    ['to an empty address', { emailTo: [''] }, '--email-to must be an e-mail address'],
    ['to two addresses in one', { emailTo: ['ada@example.com,grace@example.com'] }, '--email-to must be'],
    ['to what is no number', { phoneTo: ['0151 123'] }, '--phone-to must be a number in E.164'],
    ['with a provider that is not named', { emailProvider: ' ' }, '" " is no provider'],
    ['with a provider that has only a comma', { smsProvider: ',' }, '"," is no provider'],
    ['with three providers in one', { whatsappProvider: 'a,b,+12025550100' }, 'is no provider'],
    ['with two addresses of a provider', { otherEmailProvider: 'a@b.c,d@e.f' }, 'is no provider'],
    ['with a domain that begins with a hyphen', { emailDomain: '-a.example' }, '--email-domain must be a domain'],
  ])('on another machine is refused %s', (_, wanted, why) =>
    expect(() => createTarget({ baseUrl: elsewhere, ...wanted }, {})).toThrow(why),
  )

  it('on another machine is used as far as confirmed, at two requests a second', () => {
    const confirmHost = 'staging.example.com:8443'
    const wanted = { baseUrl: `https://${confirmHost}`, upTo: 'send', confirmHost, emailTo: ['ada@mailhost'] }
    const recipients = { email: ['ada@mailhost'] }
    expect(createTarget(wanted, {})).toMatchObject({ upTo: 'send', rate: 2, loopback: false, recipients })
  })

  it('has no credential that could inject a header', () => {
    expect(() => createTarget({ baseUrl: elsewhere }, { team: 'a\r\nhost: evil' })).toThrow(
      'CRM_API_KEY holds characters that no header',
    )
  })

  it.each([
    ['email-provider', { id: 'email-provider' }],
    ['hello@acme.example.com', { address: 'hello@acme.example.com' }],
    ['email-provider, hello@acme.example.com', { id: 'email-provider', address: 'hello@acme.example.com' }],
  ])('knows the provider %s', (emailProvider, provider) =>
    expect(createTarget({ baseUrl: elsewhere, emailProvider }, {}).providers.email).toEqual(provider),
  )
})

describe('The settings of a target', () => {
  function fileWith(text: string, mode = 0o600): string {
    const path = join(newFolder(), 'target.yaml')
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }

  it('come from the command line, else from the environment, else from the file', () => {
    const text = `baseUrl: https://a.example\nrate: 1\nCRM_API_KEY: ${key}\nCRM_AGENT_TOKEN: t\nemailTo: a@b.c`
    const env = { CRM_BASE_URL: elsewhere, CRM_API_KEY: 'own' }
    const { wanted, credentials } = gatherSettings({ target: fileWith(text), rate: '5' }, env)
    expect(wanted).toEqual({ baseUrl: elsewhere, rate: '5', emailTo: ['a@b.c'] })
    expect(credentials).toEqual({ team: 'own', agent: 't' })
  })

  it.each([0o644, 0o640, 0o604, 0o666])('are not read from a file of mode %o', (mode) => {
    const target = fileWith(`CRM_API_KEY: ${key}`, mode)
    expect(() => gatherSettings({ target }, {})).toThrow(`close it with: chmod 600 ${target}`)
  })

  it.each([
    ['\n[', 'is neither YAML nor JSON \\(line 2\\)'],
    [`@${key}`, 'is neither YAML nor JSON \\(line 1\\)'],
    ['- a', 'must give names their values'],
    ['bseUrl: x', 'has no entry bseUrl; close to it: baseUrl\\.$'],
    ['confirmHost: staging.example.com', 'has no entry confirmHost; it takes baseUrl, .*, CRM_AGENT_TOKEN\\.$'],
    [`{CRM_API_KEY=${key}}`, 'has an entry that is not known; it takes baseUrl, '],
  ])('cannot be %j, and the message does not repeat it', (text, why) => {
    const target = fileWith(`${text} # ${key}`)
    expect(() => gatherSettings({ target }, {})).toThrow(CannotRun)
    expect(() => gatherSettings({ target }, {})).toThrow(new RegExp(`^(?!.*${key}).*${why}`, 's'))
  })
})

const targetWith = (...header: string[]) => createTarget({ baseUrl: 'http://127.0.0.1', header }, {})

it.each([
  ['authorization-of-gateway: Basic YWRhOkFuYWx5dGljYWwtRW5naW5l', ['YWRhOkFuYWx5dGljYWwtRW5naW5l']],
  ['cookie: session=k3x9pq; theme=dark', ['k3x9pq']],
  ['x-gateway: Bearer tok-en9', ['tok-en9']],
])('hides what a gateway may repeat of the header %s', (header, parts) => {
  const redact = redactorFor(targetWith(header))
  for (const part of parts) expect(redact(`It says ${part}.`)).toBe('It says [redacted].')
})

describe('a number that a run makes up', () => {
  const all = Array.from({ length: countOfNumbers }, (_, index) => fictionalNumber(index))

  it('is one of more than 20,000, each of which is found again and reserved', () => {
    expect(new Set(all).size).toBeGreaterThan(20_000)
    expect(all.map(indexOfNumber)).toEqual([...all.keys()])
    expect(all.filter((number) => !isReserved(number))).toEqual([])
  })

  it.each(localeNames)('is never one of a made-up world, such as %s', async (name) => {
    const { places } = await loadLocale(name)
    const forms = places.map(({ phone }) => new RegExp(`^${phone.replace('+', '\\+').replaceAll('#', '\\d')}$`))
    expect(forms.length).toBeGreaterThan(0)
    expect(all.filter((number) => forms.some((form) => form.test(number)))).toEqual([])
  })
})
