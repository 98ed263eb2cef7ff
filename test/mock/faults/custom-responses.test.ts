import { describe, expect, it } from 'vitest'
import { countProducts, createProduct, doors, open, product, type Send } from './helpers.ts'

const [, inProcess] = doors

async function statuses(send: Send, count: number): Promise<number[]> {
  const seen = []
  for (let at = 0; at < count; at++) seen.push((await createProduct(send)).status)
  return seen
}

describe.each(doors)('a response of your own $door', (door) => {
  it('has the status, the body and the headers of the fault', async () => {
    const { sandbox, send } = await open(door)
    const body = { success: true, message: 'Found', data: { _id: '66f0a1b2c3d4e5f601230001', name: 'Cog' } }
    const headers = { 'x-ratelimit-remaining': '0', 'Content-Type': 'application/vnd.api+json; charset=utf-8' }
    const { id } = await sandbox.faults.add({ operation: 'createProduct', status: 201, body, headers })
    const answer = await createProduct(send)
    expect([answer.status, await answer.json()]).toEqual([201, body])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-ratelimit-remaining': '0',
      'content-type': 'application/vnd.api+json; charset=utf-8',
      'x-sandbox-fault': id,
    })
    expect(await countProducts(sandbox)).toBe(0)
  })

  it('merges a body into the real answer, where null removes a field', async () => {
    const { sandbox, send } = await open(door)
    const body = { message: 'Changed', data: { name: 'Other', unitPrice: null, stock: { left: 2 } } }
    await sandbox.faults.add({ operation: 'createProduct', status: 200, body, merge: true })
    const answer = await createProduct(send)
    const { data, ...envelope } = (await answer.json()) as { data: object }
    expect([answer.status, envelope]).toEqual([200, { success: true, message: 'Changed' }])
    expect(data).toMatchObject({ _id: expect.any(String) as string, name: 'Other', stock: { left: 2 } })
    expect(data).not.toHaveProperty('unitPrice')
    expect((await sandbox.world()).teams[0]?.products).toMatchObject([product])
  })

  it('keeps the status and the marks of the real answer', async () => {
    const { sandbox, send } = await open(door)
    const real = await createProduct(send)
    await sandbox.faults.add({ body: { data: { name: 'Other' } }, merge: true })
    const merged = await createProduct(send)
    expect(merged.status).toBe(real.status)
    expect(merged.headers.get('x-sandbox-assumed')).toBe(real.headers.get('x-sandbox-assumed'))
  })

  it('adds headers to the real answer', async () => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ phase: 'afterCommit', headers: { 'x-ratelimit-remaining': '1' } })
    const answer = await createProduct(send)
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([201, '1'])
    expect(await answer.json()).toMatchObject({ success: true, data: product })
  })

  it('sends one response after the other, and then the real one', async () => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({
      operation: 'createProduct',
      responses: [{ status: 429, retryAfter: '2s' }, {}, { status: 500, body: { success: false, code: 7 } }],
    })
    const limited = await createProduct(send)
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2'])
    expect((await createProduct(send)).status).toBe(201)
    expect(await sandbox.faults.list()).toMatchObject([{ fired: 2, usedUp: false }])
    const failed = await createProduct(send)
    expect([failed.status, await failed.json()]).toEqual([500, { success: false, code: 7 }])
    expect((await createProduct(send)).status).toBe(201)
    expect(await countProducts(sandbox)).toBe(2)
    expect(await sandbox.faults.list()).toMatchObject([{ matched: 3, fired: 3, usedUp: true }])
  })
})

describe('a sequence of responses', () => {
  it('gives requests that come at once one response each, also when the first ones wait', async () => {
    const { sandbox, send } = await open(inProcess)
    await sandbox.faults.add({ responses: [{ status: 429, delay: 30 }, { status: 500, delay: 10 }, { status: 503 }] })
    const answers = await Promise.all([createProduct(send), createProduct(send), createProduct(send)])
    expect(answers.map(({ status }) => status)).toEqual([429, 500, 503])
  })

  it('ends a connection in the middle of a body, and only once', async () => {
    const { sandbox, send } = await open(inProcess)
    await sandbox.faults.add({ phase: 'inBody', responses: [{ connection: 'close' }, { delay: 5 }] })
    await expect((await createProduct(send)).text()).rejects.toThrow('terminated')
    expect(await (await createProduct(send)).json()).toMatchObject({ success: true })
  })
})

describe('a hint about a body of your own', () => {
  it.each([
    [{ status: 201, body: { success: true } }, 'the body of the fault is not as documented: data is required'],
    [{ status: 503, body: { success: false, message: 'Later' } }, 'the document has no 503 for createProduct'],
    [{ status: 400, body: { success: false, message: 'No' } }, null],
    [{ status: 503 }, null],
  ])('says how it differs from the document: %j', async (fault, hint) => {
    const { sandbox, send } = await open(inProcess)
    await sandbox.faults.add(fault)
    expect((await createProduct(send)).headers.get('x-sandbox-hint')).toBe(hint)
  })
})

describe('faults.verify', () => {
  it('passes when each fault applied, and without faults', async () => {
    const { sandbox, send } = await open(inProcess)
    await sandbox.faults.verify()
    await sandbox.faults.add({ operation: 'createProduct', status: 500, times: 1 })
    await createProduct(send)
    await expect(sandbox.faults.verify()).resolves.toBeUndefined()
  })

  it.each(doors)('names the faults that never applied $door', async (door) => {
    const { sandbox, send } = await open(door)
    await sandbox.faults.add({ operation: 'createDeal', status: 500 })
    await sandbox.faults.add({ status: 503, times: 1 })
    await sandbox.faults.add({ operation: 'createProduct', nth: 3, status: 500 })
    await statuses(send, 2)
    await expect(sandbox.faults.verify()).rejects.toMatchObject({
      status: 409,
      message:
        'fault-1 never fired, since no request matched it: {"operation":"createDeal","status":500}; ' +
        'fault-3 never fired, since only 2 requests matched it: {"operation":"createProduct","nth":3,"status":500}',
    })
  })

  it('says why a fault did not apply to requests that came', async () => {
    const { sandbox, send } = await open(inProcess)
    const onCreate = { operation: 'createProduct' } as const
    await sandbox.faults.add({ ...onCreate, nth: 1, times: 1, status: 500 })
    await sandbox.faults.add({ ...onCreate, status: 503 })
    await sandbox.faults.add({ ...onCreate, phase: 'beforeCommit', status: 500 })
    await createProduct(send)
    await expect(sandbox.faults.verify()).rejects.toThrow(
      /^fault-2 never fired, since another fault applied to the 1 request that matched it: .*; fault-3 never fired, since no request that matches it came as far as beforeCommit: /,
    )
  })
})
