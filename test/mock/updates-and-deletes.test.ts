import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { examples, furnished } from './asks.ts'
import { seeEachChoice } from './each-choice.ts'
import { openFurnished } from './furnished.ts'
import { type Call, openSandbox, type Told } from './harness.ts'

const engine = { name: 'Difference engine', unitPrice: 1200 }
const unknownId = '66f0a1b2c3d4e5f601239999'

const seeStatus = async (told: Told | Promise<Told>) => {
  const answer = await told
  return { told: answer, seen: answer.status }
}
const productPath = examples.updateProduct.path

seeEachChoice({
  emptyString: {
    story: (call) => seeStatus(call('createProduct', { body: { ...engine, name: '' } })),
    shows: { refused: 400, accepted: 201 },
    otherwise: (call) => call('createProduct', { body: { ...engine, sku: '' } }),
  },
  nestedUpdate: {
    world: furnished,
    story: async (call) => {
      await update(call, { additionalFields: { one: 1, two: 2 } })
      const told = await update(call, { additionalFields: { two: 3 } })
      return { told, seen: told.body.data.additionalFields }
    },
    shows: { replaced: { two: 3 }, merged: { one: 1, two: 3 } },
    otherwise: async (call) => {
      await update(call, { additionalFields: { one: 1 } })
      return update(call, { additionalFields: { one: 2, two: 3 } })
    },
  },
  deleteAgain: {
    world: furnished,
    story: async (call) => {
      await call('deleteProduct', { path: productPath })
      return seeStatus(call('deleteProduct', { path: productPath }))
    },
    shows: { notFound: 404, succeeds: 200 },
    otherwise: (call) => call('deleteProduct', { path: { productId: unknownId } }),
  },
  badRequestMessage: {
    story: async (call) => {
      const told = await call('createProduct', { body: { name: 'Engine' } })
      return { told, seen: told.body.message }
    },
    shows: { namesTheField: 'unitPrice is required', general: 'The request is not valid' },
    otherwise: (call) => call('deleteProduct', { path: { productId: unknownId } }),
  },
})

function update(call: Call, body: object) {
  return call('updateCompany', { path: examples.updateCompany.path, body })
}

describe('an update', () => {
  it('merges the custom fields of contacts and companies, and replaces such a field in other records', async () => {
    const { call } = await openFurnished({ nestedUpdate: 'merged', unlistedFields: 'kept' })
    const path = productPath
    await call('updateProduct', { path, body: { additionalFields: 'first' } })
    const { body, assumed } = await call('updateProduct', { path, body: { additionalFields: 'second' } })
    expect(body.data.additionalFields).toBe('second')
    expect(assumed).not.toContain('nestedUpdate')
  })
})

describe('a delete', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/mixed', ''])(
    'with a body of another content type is refused, and deletes nothing: %j',
    async (type) => {
      const { sandbox, send } = await openFurnished()
      const answer = await send('deleteProduct', 'x', type === '' ? {} : { 'content-type': type })
      expect(answer).toMatchObject({ status: 400, body: { message: /takes no body of that Content-Type/ } })
      expect(await sandbox.world()).toEqual(furnished)
    },
  )

  it('may have the content type of JSON with or without a body', async () => {
    for (const body of ['', '{}']) {
      const { sendJson } = await openFurnished()
      expect((await sendJson('deleteProduct', body)).status).toBe(200)
    }
  })

  it('succeeds when an earlier record had the same id and was deleted', async () => {
    const [acme, ...others] = furnished.teams
    const { productId } = productPath
    const deleted = [{ _id: `products ${productId}`, record: { _id: productId, name: 'Before', unitPrice: 1 } }]
    const { sandbox, call } = await openSandbox({ world: { teams: [{ ...acme, deleted }, ...others] } as World })
    expect((await call('deleteProduct', { path: productPath })).status).toBe(200)
    expect((await sandbox.world()).teams[0]?.deleted).toMatchObject([{ record: { name: 'Difference engine' } }])
  })

  it('is remembered among the latest ten thousand', async () => {
    const [acme, ...others] = furnished.teams
    const idAt = (at: number) => at.toString(16).padStart(24, '0')
    const deleted = Array.from({ length: 10_000 }, (_, at) => ({
      _id: `products ${idAt(at)}`,
      record: { _id: idAt(at), name: 'Before', unitPrice: 1 },
    }))
    const world = { teams: [{ ...acme, deleted }, ...others] } as World
    const { sandbox, call } = await openSandbox({ world, assume: { deleteAgain: 'succeeds' } })
    const again = async (at: number) => (await call('deleteProduct', { path: { productId: idAt(at) } })).status
    expect([await again(0), await again(1)]).toEqual([200, 200])
    await call('deleteProduct', { path: productPath })
    expect([await again(0), await again(1)]).toEqual([404, 200])
    expect((await sandbox.world()).teams[0]?.deleted).toHaveLength(10_000)
  })
})
