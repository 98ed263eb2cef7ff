import { describe, expect, it } from 'vitest'
import { countProducts, createProduct, doors, open } from './doors.ts'

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
