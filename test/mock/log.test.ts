import { describe, expect, it } from 'vitest'
import { redactTarget } from '../../mock/http/request-log.ts'
import { openSandbox, twoTeams } from './helpers.ts'
import { sendRaw } from './raw-http.ts'

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
    expect(lines.length).toBeGreaterThan(15)
    expect(all).toContain('/api/contacts/deleteContactsByEmail?email=[redacted]&page=1')
    const forms = (text: string) => [text, encodeURIComponent(text), Buffer.from(text).toString('base64')]
    const leaked = [...Object.values(canary), data.token].filter((text) =>
      forms(text).some((form) => all.includes(form)),
    )
    expect(leaked).toEqual([])
  })

  it('writes one JSON object per request with its target, team, status and assumptions', async () => {
    const { lines, log } = collected()
    const { call } = await openSandbox({ log })
    await call('createContact', {
      body: { firstName: 'Ada', lastName: 'Lovelace' },
      headers: { 'x-request-id': 'ours:1' },
    })
    await call('createContact', { body: { firstName: 'Ada' } })
    await call('getTemplate', { path: { templateId: '66f0a1b2c3d4e5f601237002' }, key: 'nobody-has-this-key' })
    const [made, refused, unauthorized] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(made).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      method: 'POST',
      url: '/api/contacts',
      status: 201,
      message: 'Contact created',
      team: 'acme',
      operation: 'createContact',
      assumed: expect.arrayContaining(['newContactStatus']) as string[],
      id: 'ours:1',
      ms: expect.any(Number) as number,
    })
    expect(refused).toMatchObject({ level: 'warn', status: 400, message: 'lastName is required', team: 'acme' })
    expect(unauthorized).toMatchObject({ status: 401, operation: 'getTemplate', message: 'Unauthorized' })
    expect(unauthorized).not.toHaveProperty('team')
  })

  it('has the message of a refusal by the control plane', async () => {
    const { lines, log } = collected()
    const { sandbox } = await openSandbox({ log })
    await sandbox.fetch('/_sandbox/teams/nobody', { method: 'DELETE' })
    const logged = lines.map((line) => JSON.parse(line) as object)
    expect(logged).toMatchObject([{ level: 'warn', status: 404, message: 'there is no team nobody' }])
  })

  it('says in one line to read the same', async () => {
    const { lines, log } = collected()
    const { call } = await openSandbox({ log: { ...log, form: 'text' } })
    await call('createContact', { body: { firstName: 'Ada' }, headers: { 'x-request-id': 'ours-1' } })
    const [line] = lines
    expect(line?.replace(/[\d.]+ ms/, '3 ms')).toMatch(
      /^POST \/api\/contacts 400 lastName is required {2}\[acme\] 3 ms {2}createContact ours-1( assumed [\w, ]+)?\n$/,
    )
  })

  it.each(['text', 'json'] as const)('has nothing in %s that a terminal would act on', async (form) => {
    const { lines, log } = collected()
    const hostile = '\u001b[31m\u009b31m\u202e\u2028\u{e0041}\r\n'
    const world = { teams: [{ ...twoTeams.teams[0], _id: hostile, name: 'Acme', apiKeys: ['acme-key'] }] }
    const { sandbox, call } = await openSandbox({ world, log: { ...log, form } })
    await call('createContact', { body: { [hostile]: 1 } })
    await sandbox.fetch(`/${'y'.repeat(5_000)}`)
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]+\n$/u)
    if (form === 'text') expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1_100)
    else expect(JSON.parse(lines[0] ?? '')).toHaveProperty('team', hostile)
  })

  it('has the stack of an error that the server is to blame for, also outside of requests, without a key in it', async () => {
    const { lines, log } = collected()
    let now = () => Date.now()
    const { call } = await openSandbox({ log, clock: { now: () => now() } })
    now = () => {
      throw new Error('The clock of acme-key has stopped')
    }
    expect((await call('createProduct', { body: { name: 'Engine', unitPrice: 1 } })).status).toBe(500)
    const logged = lines.map((line) => JSON.parse(line) as object)
    const error = expect.stringMatching(/^Error: The clock of \[redacted\] has stopped\n +at /) as string
    const [request, outside] = [logged.filter((one) => 'status' in one), logged.filter((one) => !('status' in one))]
    expect(request).toMatchObject([{ level: 'error', status: 500, operation: 'createProduct', error }])
    expect(outside[0]).toMatchObject({ level: 'error', error })
  })

  it('has nothing below its level', async () => {
    const { lines, log } = collected()
    const { sandbox } = await openSandbox({ log: { ...log, level: 'error' } })
    await sandbox.fetch('/nowhere')
    expect(lines).toEqual([])
  })
})

describe('a request line', () => {
  it.each([
    [
      '/api/templates?page=1&limit=10&types=sms&statuses=approved',
      '/api/templates?page=1&limit=10&types=sms&statuses=approved',
    ],
    ['/x?email=ada@example.com', '/x?email=[redacted]'],
    ['/x?%65mail=ada@example.com', '/x?[redacted]=[redacted]'],
    ['/x?ada@example.com=1', '/x?[redacted]=[redacted]'],
    ['/x?page=a%0ab', '/x?page=[redacted]'],
    ['/api/contacts/66f0a1b2c3d4e5f601234567', '/api/contacts/66f0a1b2c3d4e5f601234567'],
    ['/api/contacts/ada@example.com', '/api/contacts/[redacted]'],
    ['/api/contacts/ada%40example.com/x', '/api/contacts/[redacted]/x'],
    ['/api/contacts/4155550123', '/api/contacts/[redacted]'],
    ['/%1b[2J', '/[redacted]'],
    [`/${'a/'.repeat(2_000)}`, '[redacted]'],
    [`/x?${'a=1&'.repeat(2_000)}`, '/x?[redacted]'],
    ['/x?ada@example.com', '/x?[redacted]'],
  ])('is redacted in a request target: %s', (target, redacted) => expect(redactTarget(target)).toBe(redacted))
})

function collected() {
  const lines: string[] = []
  return { lines, log: { level: 'info' as const, write: (line: string) => lines.push(line) } }
}
