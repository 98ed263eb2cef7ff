import { describe, expect, it } from 'vitest'
import { createProduct, doors, open, product } from './doors.ts'

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
