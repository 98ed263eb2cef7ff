import { setTimeout as after } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { countProducts, createProduct, doors, open, product, type Send } from './doors.ts'

describe.each(doors)('a fault $door', (door) => {
  it('answers a documented error before anything is looked at, even at the credential', async () => {
    const { sandbox, send } = await open(door)
    const { id } = await sandbox.faults.add({ operation: 'createProduct', status: 404 })
    const answer = await createProduct(send, { headers: { 'x-api-key': 'unknown' } })
    expect(answer.status).toBe(404)
    expect(answer.headers.get('x-sandbox-fault')).toBe(id)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toEqual({ success: false, message: 'Resource not found' })
    expect(await countProducts(sandbox)).toBe(0)
  })

  it.each([
    [{ status: 503 }, { success: false, message: 'Service Unavailable' }, null],
    [{ status: 503, retryAfter: '90s' }, { success: false, message: 'Service Unavailable' }, '90'],
    [{ status: 429, retryAfter: '1500ms' }, { success: false, message: 'Too Many Requests' }, '2'],
    [{ status: 429, retryAfter: 3 }, { success: false, message: 'Too Many Requests' }, '3'],
    [{ status: 429 }, { success: false, message: 'Too Many Requests' }, '1'],
    [{ status: 400, message: 'A recipient is missing' }, { success: false, message: 'A recipient is missing' }, null],
    [{ status: 202, message: 'Later' }, { success: true, message: 'Later' }, null],
    [{ status: 599 }, { success: false, message: 'Status 599' }, null],
  ] as const)('answers %j', async (fault, body, retryAfter) => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add(fault)
    const answer = await createProduct(send)
    expect(answer.status).toBe(fault.status)
    expect(await answer.json()).toEqual(body)
    expect(answer.headers.get('retry-after')).toBe(retryAfter)
  })

  it.each([204, 304])('answers %i without a body', async (status) => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ status })
    const answer = await createProduct(send)
    expect([answer.status, await answer.text()]).toEqual([status, ''])
  })

  it('before the commit undoes what the request did', async () => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ phase: 'beforeCommit', status: 500 })
    expect((await createProduct(send)).status).toBe(500)
    expect(await countProducts(sandbox)).toBe(0)
  })

  it('before the commit leaves a request alone that is refused anyway', async () => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ phase: 'beforeCommit', status: 500, times: 1 })
    const refused = await send('/api/products', { body: { name: 'No price' } })
    expect([refused.status, refused.headers.get('x-sandbox-fault')]).toEqual([400, null])
    expect(await sandbox.faults.list()).toMatchObject([{ matched: 0, fired: 0 }])
  })

  it('after the commit loses the answer and keeps what the request did', async () => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ phase: 'afterCommit', connection: 'close' })
    await expect(createProduct(send)).rejects.toThrow(new TypeError('fetch failed'))
    expect(await countProducts(sandbox)).toBe(1)
  })

  it.each([
    ['close', 'UND_ERR_SOCKET'],
    ['reset', 'ECONNRESET'],
  ] as const)('ends the connection as a network does: %s', async (connection, code) => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ connection })
    await expect(createProduct(send)).rejects.toMatchObject({ message: 'fetch failed', cause: { code } })
    expect(await countProducts(sandbox)).toBe(0)
  })

  it('in the middle of the body ends the connection there', async () => {
    const { sandbox, send } = await open(door)
    const { id } = await sandbox.faults.add({ phase: 'inBody', connection: 'close' })
    const answer = await createProduct(send)
    expect([answer.status, answer.headers.get('x-sandbox-fault')]).toEqual([201, id])
    const [first, error] = await readAll(answer)
    expect(first).toMatch(/^\{"success":true,"message":"/)
    expect(first.length * 2).toBeCloseTo(Number(answer.headers.get('content-length')), -1)
    expect(error).toMatchObject({ name: 'TypeError', message: 'terminated' })
    expect(await countProducts(sandbox)).toBe(1)
  })

  it('in the middle of the body waits, and sends the rest', async () => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ phase: 'inBody', delay: 30 })
    const body = { name: 'Größe 🧮', unitPrice: 1 }
    const answer = await send('/api/products', { body })
    expect(await answer.json()).toMatchObject({ success: true, data: body })
  })

  it.each(['cut', 'notJson'] as const)('sends a body that is %s', async (body) => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ phase: 'afterCommit', body })
    const answer = await createProduct(send)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toMatch(body === 'cut' ? /^application\/json/ : /^text\/html/)
    const text = await answer.text()
    expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(text))
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
    expect(await countProducts(sandbox)).toBe(1)
  })

  it('sends the page of a proxy in place of an answer', async () => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ status: 502, body: 'notJson' })
    const answer = await createProduct(send)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain('<h1>Bad Gateway</h1>')
  })

  it('delays an answer until the client gives up, and keeps what the request did', async () => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ operation: 'createProduct', phase: 'afterCommit', delay: '60s' })
    const giveUp = new AbortController()
    const asked = createProduct(send, { signal: giveUp.signal })
    const givenUp = expect(asked).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(() => countProducts(sandbox)).toBe(1)
    giveUp.abort()
    await givenUp
  })

  it('works in the middle of a long list', async () => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ operation: 'listTemplates', phase: 'inBody', connection: 'reset' })
    const content = 'x'.repeat(60_000)
    for (let at = 0; at < 12; at++) await createTemplate(send, `template_${at}`, content)
    const answer = await send('/api/templates?page=1&limit=50&types=sms&statuses=approved')
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow(TypeError)
  })

  it('of a multipart request can depend on a field of the form', async () => {
    const { sandbox } = await open(door)
    await sandbox.faults.add({ where: { uniqueName: 'spring_offer' }, status: 500 })
    const boundary = 'border'
    const field = (name: string, value: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const answer = await (door.port === undefined ? sandbox.fetch : fetch)(`${sandbox.url}/api/templates`, {
      method: 'POST',
      headers: { 'x-api-key': 'acme-key', 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: `${field('uniqueName', 'spring_offer')}--${boundary}--\r\n`,
    })
    expect(answer.headers.get('x-sandbox-fault')).toBe('fault-1')
  })
})

it.each([
  { phase: 'afterCommit', connection: 'close' },
  { phase: 'afterCommit', status: 502 },
  { phase: 'afterCommit', body: 'notJson' },
  { phase: 'inBody', connection: 'reset' },
] as const)('the journal says what was changed all the same: %j', async (fault) => {
  for (const door of doors) {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ operation: 'createProduct', ...fault })
    await createProduct(send)
      .then((answer) => answer.text())
      .catch(() => undefined)
    expect(await sandbox.requests.find()).toMatchObject([{ changed: 'product +1' }])
  }
})

it.each(doors.slice(0, 2))('$door: a request that is given up before it is read does nothing', async (door) => {
  const { sandbox, send } = await open(door)
  await sandbox.faults.add({ operation: 'createProduct', delay: '50ms' })
  const asked = createProduct(send, { signal: AbortSignal.timeout(10) })
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
  await after(100)
  expect(await countProducts(sandbox)).toBe(0)
})

describe('which requests a fault is about', () => {
  const [, inProcess] = doors

  it.each([
    ['an operation', { operation: 'createProduct' }, [500, 500]],
    ['several operations', { operation: ['createDeal', 'createProduct'] }, [500, 500]],
    ['another operation', { operation: 'createDeal' }, [201, 401]],
    ['all operations', {}, [500, 500]],
    ['a team', { team: 'acme' }, [500, 401]],
    ['another team', { team: 'globex' }, [201, 401]],
    ['a field', { where: { name: product.name } }, [500, 401]],
    ['two fields', { where: product }, [500, 401]],
    ['another value', { where: { ...product, unitPrice: '1200' } }, [201, 401]],
    ['a field that is not there', { where: { sku: null } }, [201, 401]],
    ['a name that every object has', { where: { constructor: {} } }, [201, 401]],
  ] as const)('%s', async (_, match, statuses) => {
    const { sandbox, send } = await open(inProcess)
    await sandbox.faults.add({ ...match, status: 500 })
    const known = await createProduct(send)
    const unknown = await createProduct(send, { headers: { 'x-api-key': 'unknown' } })
    expect([known.status, unknown.status]).toEqual(statuses)
  })

  it('finds fields within objects, lists as a whole, and parameters of the path and the query', async () => {
    const { sandbox, send } = await open(inProcess)
    const body = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      groupIds: ['1', '2'],
      additionalFields: { plan: 'gold', x: 1 },
    }
    const at = async (where: Record<string, unknown>, path = '/api/contacts', init: object = { body }) => {
      await sandbox.faults.clear()
      await sandbox.faults.add({ where, status: 503 })
      return (await send(path, init)).status === 503
    }
    expect(await at({ additionalFields: { plan: 'gold' } })).toBe(true)
    expect(await at({ additionalFields: { plan: 'tin' } })).toBe(false)
    expect(await at({ groupIds: ['1', '2'] })).toBe(true)
    expect(await at({ groupIds: ['1'] })).toBe(false)
    expect(await at({ contactId: 'c1' }, '/api/contacts/c1', { method: 'DELETE' })).toBe(true)
    expect(await at({ contactId: 'c2' }, '/api/contacts/c1', { method: 'DELETE' })).toBe(false)
    expect(await at({ types: 'sms' }, '/api/templates?page=1&limit=5&types=sms&statuses=approved', {})).toBe(true)
  })

  it.each([
    [{ times: 2 }, [500, 500, 201, 201]],
    [{ nth: 2 }, [201, 500, 201, 201]],
    [{ nth: 2, times: 2 }, [201, 500, 500, 201]],
    [{}, [500, 500, 500, 500]],
  ])('%j: as often as it says', async (often, statuses) => {
    const { sandbox, send } = await open(inProcess)
    await sandbox.faults.add({ ...often, status: 500 })
    const seen = []
    for (let at = 0; at < 4; at++) seen.push((await createProduct(send)).status)
    expect(seen).toEqual(statuses)
  })

  it('counts only the requests that it fits', async () => {
    const { sandbox, send } = await open(inProcess)
    await sandbox.faults.add({ operation: 'createProduct', nth: 2, status: 500 })
    await send('/api/companies/create', { body: { name: 'Engines' } })
    expect((await createProduct(send)).status).toBe(201)
    expect((await createProduct(send)).status).toBe(500)
    expect(await sandbox.faults.list()).toEqual([
      { id: 'fault-1', operation: 'createProduct', nth: 2, status: 500, matched: 2, fired: 1 },
    ])
  })

  it('takes the first of several that apply, and the next when that is used up', async () => {
    const { sandbox, send } = await open(inProcess)
    await sandbox.faults.add({ status: 500, times: 1 })
    await sandbox.faults.add({ status: 503, times: 1 })
    const seen = []
    for (let at = 0; at < 3; at++) seen.push((await createProduct(send)).status)
    expect(seen).toEqual([500, 503, 201])
  })
})

describe('the list of faults', () => {
  const [, inProcess] = doors

  it('loses one that is deleted, all that are cleared, and all at a reset', async () => {
    const { sandbox, send } = await open(inProcess)
    const first = await sandbox.faults.add({ status: 500 })
    await sandbox.faults.add({ status: 503 })
    await sandbox.faults.delete(first.id)
    expect((await createProduct(send)).status).toBe(503)
    await sandbox.faults.clear()
    expect((await createProduct(send)).status).toBe(201)
    await sandbox.faults.add({ status: 503 })
    await sandbox.reset()
    expect(await sandbox.faults.list()).toEqual([])
    expect((await createProduct(send)).status).toBe(201)
  })

  it('is bounded: those that are used up make room, and nothing else does', async () => {
    const { sandbox, send } = await open(inProcess)
    for (let at = 0; at < 1_000; at++) await sandbox.faults.add({ operation: 'createProduct', status: 500, times: 1 })
    await expect(sandbox.faults.add({ status: 500 })).rejects.toThrow('there are 1000 faults already')
    await createProduct(send)
    await sandbox.faults.add({ status: 503 })
    expect(await sandbox.faults.list()).toHaveLength(1_000)
  })

  it('ends the wait of a delayed request at a reset, which then does nothing', async () => {
    const { sandbox, send } = await open(inProcess)
    for (const phase of ['onArrival', 'beforeCommit'] as const) {
      await sandbox.faults.add({ phase, delay: '60s' })
      const asked = createProduct(send)
      const lost = expect(asked).rejects.toThrow('fetch failed')
      await expect.poll(async () => (await sandbox.faults.list())[0]?.fired).toBe(1)
      await sandbox.reset()
      await lost
      expect(await countProducts(sandbox)).toBe(0)
    }
  })

  it('never holds up other requests of the team while one is delayed before its commit', async () => {
    const { sandbox, send } = await open(inProcess)
    await sandbox.faults.add({ phase: 'beforeCommit', delay: '60s', times: 1 })
    const asked = createProduct(send)
    const lost = expect(asked).rejects.toThrow('fetch failed')
    await expect.poll(async () => (await sandbox.faults.list())[0]?.fired).toBe(1)
    expect((await createProduct(send)).status).toBe(201)
    expect(await countProducts(sandbox)).toBe(1)
    await sandbox.close()
    await lost
  })
})

describe('Prefer: code', () => {
  it.each(doors)('$door: asks for a documented error by itself', async (door) => {
    const { sandbox, send } = await open(door)
    for (const status of [400, 401, 404, 500]) {
      const answer = await createProduct(send, { headers: { prefer: `respond-async, code="${status}"; x` } })
      expect([answer.status, answer.headers.get('x-sandbox-fault')]).toEqual([status, 'prefer'])
    }
    expect(await countProducts(sandbox)).toBe(0)
    const answer = await createProduct(send, { headers: { prefer: 'code=201' } })
    expect([answer.status, answer.headers.get('x-sandbox-fault')]).toEqual([201, null])
  })

  it.each(['418', '999', 'abc', '', '404=1', '-1'])('refuses code=%s, which is not documented', async (code) => {
    const { send } = await open(doors[1])
    const answer = await createProduct(send, { headers: { prefer: `code=${code}` } })
    expect(await answer.json()).toEqual({
      success: false,
      message: 'Prefer: code must be a status of this operation: 201, 400, 401, 404, 500',
    })
    expect(answer.status).toBe(400)
  })

  it.each(['', 'return=minimal', 'barcode=404', 'respond-async, wait=10'])('leaves %j alone', async (prefer) => {
    const { send } = await open(doors[1])
    expect((await createProduct(send, { headers: { prefer } })).status).toBe(201)
  })

  it('means nothing when it is switched off', async () => {
    const { send } = await open(doors[1], { faultsByHeader: false })
    expect((await createProduct(send, { headers: { prefer: 'code=404' } })).status).toBe(201)
  })
})

async function readAll(answer: Response): Promise<[text: string, error: unknown]> {
  let text = ''
  try {
    for await (const part of answer.body ?? []) text += new TextDecoder().decode(part as Uint8Array)
  } catch (error) {
    return [text, error]
  }
  return [text, undefined]
}

async function createTemplate(send: Send, uniqueName: string, content: string) {
  const body = { templateType: 'sms', name: uniqueName, uniqueName, content, provider: 'sms-provider' }
  expect((await send('/api/templates', { body })).status).toBe(201)
}
