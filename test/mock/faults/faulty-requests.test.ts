import { describe, expect, it } from 'vitest'
import { createProduct, doors, open, product, countProducts } from './helpers.ts'

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
    expect(await at({ 'additionalFields.plan': 'gold' })).toBe(true)
    expect(await at({ 'additionalFields.plan': 'tin' })).toBe(false)
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

  it('counts only the requests that it matches', async () => {
    const { sandbox, send } = await open(inProcess)
    await sandbox.faults.add({ operation: 'createProduct', nth: 2, status: 500 })
    await send('/api/companies/create', { body: { name: 'Engines' } })
    expect((await createProduct(send)).status).toBe(201)
    expect((await createProduct(send)).status).toBe(500)
    expect(await sandbox.faults.list()).toEqual([
      { id: 'fault-1', operation: 'createProduct', nth: 2, status: 500, matched: 2, fired: 1, usedUp: true },
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
