import { describe, expect, it } from 'vitest'
import { countProducts, createProduct, doors, open } from './doors.ts'

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
