import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CannotVerify } from '../../contracts/judge/outcome.ts'
import { targetFrom, type Wanted } from '../../client/target/target.ts'
import { saidInAll } from '../../client/target/target-file.ts'
import { folder, key } from '../contracts/harness.ts'

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
    const target = targetFrom({ baseUrl }, {})
    expect([target.loopback, target.upTo]).toEqual([loopback, loopback ? 'send' : 'read'])
  })

  it.each([
    ['', 'must be an http or https address'],
    ['staging.example.com', 'must be an http or https address'],
    ['file:///etc/passwd', 'must be an http or https address'],
    ['javascript:alert(1)', 'must be an http or https address'],
    ['https://ada:secret@staging.example.com', 'no user and no password'],
    ['https://staging.example.com/v1', 'must end after the host'],
    ['https://staging.example.com?a', 'must end after the host'],
    ['https://staging.example.com/#', 'http'],
  ])('cannot be %j', (baseUrl, why) => {
    if (why === 'http') expect(targetFrom({ baseUrl }, {}).origin).toBe(elsewhere)
    else expect(() => targetFrom({ baseUrl }, {})).toThrow(why)
  })

  it.each<[string, Wanted, string]>([
    ['without the host once more', { upTo: 'write' }, 'confirm that it is meant: --confirm-host staging.example.com'],
    ['with another host', { upTo: 'write', confirmHost: 'example.com' }, '--confirm-host names another host'],
    ['with another host, even to read', { confirmHost: 'example.com' }, '--confirm-host names another host'],
    ['with part of the host', { upTo: 'send', confirmHost: 'staging.example' }, '--confirm-host names another host'],
    ['to where nobody has been', { upTo: 'delete', confirmHost: 'staging.example.com' }, '--up-to must be one of'],
    ['at no pace', { rate: '0' }, '--rate must be a number above 0'],
    ['at any pace', { rate: 'Infinity' }, '--rate must be'],
    ['at a pace that is none', { rate: '2/s' }, '--rate must be'],
    ['without patience', { timeout: '-1' }, '--timeout must be'],
  ])('elsewhere is not verified %s', (_, wanted, why) => {
    expect(() => targetFrom({ baseUrl: elsewhere, ...wanted }, {})).toThrow(why)
  })

  it('elsewhere is verified as far as it was confirmed, at two requests a second', () => {
    const wanted = {
      baseUrl: 'https://staging.example.com:8443',
      upTo: 'send',
      confirmHost: 'staging.example.com:8443',
    }
    expect(targetFrom(wanted, {})).toMatchObject({ upTo: 'send', rate: 2, loopback: false })
  })

  it('shows its credentials to nobody', () => {
    const target = targetFrom({ baseUrl: elsewhere }, { team: key, admin: `${key}-admin` })
    const shown = [JSON.stringify(target), inspect(target, { depth: 9 }), String(target.credentials.team)].join()
    expect(shown).not.toContain(key)
    expect(shown).toContain('[redacted]')
    expect(target.credentials.team?.reveal()).toBe(key)
  })

  it('has no credential that could smuggle a header in', () => {
    expect(() => targetFrom({ baseUrl: elsewhere }, { team: 'a\r\nhost: evil' })).toThrow(
      'CRM_API_KEY holds what no header',
    )
  })

  it.each([
    ['email-provider', { id: 'email-provider' }],
    ['hello@acme.example.com', { address: 'hello@acme.example.com' }],
    ['email-provider, hello@acme.example.com', { id: 'email-provider', address: 'hello@acme.example.com' }],
  ])('knows the provider %s', (emailProvider, provider) => {
    expect(targetFrom({ baseUrl: elsewhere, emailProvider }, {}).providers.email).toEqual(provider)
  })
})

describe('What is said of a target', () => {
  function fileWith(text: string, mode = 0o600): string {
    const path = join(folder(), 'target.yaml')
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }

  it('is said by the command line, else by the environment, else by the file', () => {
    const target = fileWith(
      `baseUrl: https://file.example.com\nrate: 1\nCRM_API_KEY: ${key}\nCRM_AGENT_TOKEN: t\nemailTo: a@b.c`,
    )
    const { wanted, credentials } = saidInAll({ target, rate: '5' }, { CRM_BASE_URL: elsewhere, CRM_API_KEY: 'own' })
    expect(wanted).toEqual({ baseUrl: elsewhere, rate: '5', emailTo: ['a@b.c'] })
    expect(credentials).toEqual({ team: 'own', agent: 't' })
  })

  it.each([0o644, 0o640, 0o604, 0o666])('is not read from a file of mode %o', (mode) => {
    const target = fileWith(`CRM_API_KEY: ${key}`, mode)
    expect(() => saidInAll({ target }, {})).toThrow(`close it with: chmod 600 ${target}`)
  })

  it.each([
    ['[', 'is neither YAML nor JSON'],
    ['- a', 'must give names their values'],
    ['apiKey: x', 'has an entry that nobody knows'],
    ['confirmHost: staging.example.com', 'has an entry that nobody knows'],
  ])('cannot be a file with %j, and nothing of it is told', (text, why) => {
    const target = fileWith(`${text} # ${key}`)
    const thrown = (() => {
      try {
        return saidInAll({ target }, {})
      } catch (error) {
        return error as Error
      }
    })()
    expect(thrown).toBeInstanceOf(CannotVerify)
    expect((thrown as Error).message).toContain(why)
    expect((thrown as Error).message).not.toContain(key)
  })
})
