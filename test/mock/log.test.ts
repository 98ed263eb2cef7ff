import { describe, expect, it } from 'vitest'
import { Secrets, redactedTarget } from '../../mock/http/redaction.ts'
import { openSandbox, twoTeams } from './harness.ts'
import { sendRaw } from './raw.ts'

const canary = {
  teamKey: 'canary-team-key-11111',
  newKey: 'canary-new-key-22222',
  wrongKey: 'canary-wrong-key-33333',
  controlToken: 'canary-control-token-44444',
  idempotencyKey: 'canary-idempotency-55555',
  cookie: 'canary-cookie-66666',
  email: 'canary-77777@example.com',
  content: 'canary-content-88888',
}

describe('a log', () => {
  it('has each request with its answer, and none of the secrets in them', async () => {
    const { lines, log } = collected()
    const world = { teams: [{ ...twoTeams.teams[0], _id: 'acme', name: 'Acme', apiKeys: [canary.teamKey] }] }
    const { sandbox } = await openSandbox({ world, log, controlToken: canary.controlToken, port: 0 })
    const control = { 'x-sandbox-token': canary.controlToken, 'content-type': 'application/json' }
    const post = (path: string, headers: Record<string, string>, body: unknown) =>
      sandbox.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })

    await post('/_sandbox/teams', control, { apiKey: canary.newKey })
    const signed = await post('/_sandbox/tokens', control, { teamId: 'acme', role: 'admin' })
    const { data } = (await signed.json()) as { data: { token: string } }
    const json = { 'content-type': 'application/json', cookie: `session=${canary.cookie}` }
    const product = { name: canary.content, unitPrice: 1 }
    await post(
      '/api/products',
      { ...json, 'x-api-key': canary.teamKey, 'idempotency-key': canary.idempotencyKey },
      product,
    )
    await post('/api/products', { ...json, 'x-api-key': canary.wrongKey }, product)
    await post('/api/products', { ...json, authorization: `Bearer ${data.token}` }, product)
    const query = `email=${encodeURIComponent(canary.email)}&page=1`
    await sandbox.fetch(`/api/contacts/deleteContactsByEmail?${query}`, {
      method: 'DELETE',
      headers: { 'x-api-key': canary.newKey },
    })
    for (const secret of [...Object.values(canary), data.token]) {
      await sandbox.fetch(`/nowhere?key=${secret}&${secret}&token=${encodeURIComponent(secret)}`)
    }
    for (const secret of [canary.teamKey, canary.newKey, canary.controlToken, data.token]) {
      await sandbox.fetch(`/nowhere/${secret}/${Buffer.from(secret).toString('base64')}`)
    }
    await sendRaw(sandbox.url, ['GET / HTTP/1.1', `Host: ${canary.cookie}`])

    const all = lines.join('')
    expect(lines.length).toBeGreaterThan(30)
    expect(all).toContain('/api/contacts/deleteContactsByEmail?email=[redacted]&page=1')
    const forms = (text: string) => [text, encodeURIComponent(text), Buffer.from(text).toString('base64')]
    const leaked = [...Object.values(canary), data.token].filter((text) =>
      forms(text).some((form) => all.includes(form)),
    )
    expect(leaked).toEqual([])
  })

  it('has one JSON object per line', async () => {
    const { lines, log } = collected()
    const { sandbox } = await openSandbox({ log })
    await sandbox.fetch('/nowhere?a=%0A{"b":1}')
    const written = lines.map((line) => JSON.parse(line) as { req?: unknown; res?: unknown })
    expect(written.map(({ req }) => req).filter(Boolean)).toEqual([{ method: 'GET', url: '/nowhere?a=[redacted]' }])
    expect(written.map(({ res }) => res).filter(Boolean)).toEqual([{ statusCode: 404 }])
  })

  it('has nothing below its level', async () => {
    const { lines, log } = collected()
    const { sandbox } = await openSandbox({ log: { ...log, level: 'error' } })
    await sandbox.fetch('/nowhere')
    expect(lines).toEqual([])
  })
})

describe('a secret', () => {
  it('is redacted in every encoding', () => {
    const secrets = new Secrets()
    secrets.add('a/key+of "ours"')
    const text = [
      'a/key+of "ours"',
      encodeURIComponent('a/key+of "ours"'),
      JSON.stringify('a/key+of "ours"'),
      btoa('a/key+of "ours"'),
    ]
    expect(secrets.redact(text.join(' '))).toBe('[redacted] [redacted] "[redacted]" [redacted]')
  })

  it.each([
    ['any token', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmVk.', 'Bearer [redacted].'],
    ['a token without a signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.', '[redacted]'],
    ['a key of a sandbox', 'key=sandbox_0123456789abcdef01', 'key=[redacted]'],
  ])('is recognised by its form: %s', (_what, text, redacted) => {
    expect(new Secrets().redact(text)).toBe(redacted)
  })

  it('is redacted only when it has eight characters or more', () => {
    const secrets = new Secrets()
    secrets.add('api', '')
    expect(secrets.redact('/api/contacts')).toBe('/api/contacts')
  })

  it.each([
    [
      '/api/templates?page=1&limit=10&types=sms&statuses=approved',
      '/api/templates?page=1&limit=10&types=sms&statuses=approved',
    ],
    ['/x?email=ada@example.com', '/x?email=[redacted]'],
    ['/x?EMAIL=ada@example.com', '/x?EMAIL=[redacted]'],
    ['/x?%65mail=ada@example.com', '/x?[redacted]=[redacted]'],
    ['/x?ada@example.com=1', '/x?[redacted]=[redacted]'],
    ['/x?types[]=sms&a b=1', '/x?types[]=[redacted]&[redacted]=[redacted]'],
    ['/x?page=a%0ab', '/x?page=[redacted]'],
    ['/api/contacts/66f0a1b2c3d4e5f601234567', '/api/contacts/66f0a1b2c3d4e5f601234567'],
    ['/api/contacts/ada@example.com', '/api/contacts/[redacted]'],
    ['/api/contacts/ada%40example.com/x', '/api/contacts/[redacted]/x'],
    ['/api/contacts/+14155550123', '/api/contacts/[redacted]'],
    ['/api/contacts/4155550123', '/api/contacts/[redacted]'],
    ['/%1b[2J', '/[redacted]'],
    [`/${'a/'.repeat(2_000)}`, '[redacted]'],
    [`/x?${'a=1&'.repeat(2_000)}`, '/x?[redacted]'],
    ['/x?ada@example.com', '/x?[redacted]'],
    ['/x?page=ada.lovelace@example.com', '/x?page=[redacted]'],
    ['/x?a=1=2?b=3', '/x?a=[redacted]'],
    ['/x?', '/x?[redacted]'],
    ['/x', '/x'],
  ])('is redacted in a request target: %s', (target, redacted) => {
    expect(redactedTarget(target)).toBe(redacted)
  })
})

function collected() {
  const lines: string[] = []
  return { lines, log: { level: 'info' as const, write: (line: string) => lines.push(line) } }
}
