import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { examples, furnished } from './asks.ts'
import { seeEachChoice } from './each-choice.ts'
import { openFurnished } from './furnished.ts'
import { openSandbox } from './harness.ts'

const unknownId = '66f0a1b2c3d4e5f601239999'

const productPath = examples.updateProduct.path

seeEachChoice({
  badRequestMessage: {
    story: async (call) => {
      const told = await call('createProduct', { body: { name: 'Engine' } })
      return { told, seen: told.body.message }
    },
    shows: { namesTheField: 'unitPrice is required', general: 'The request is not valid' },
    otherwise: (call) => call('deleteProduct', { path: { productId: unknownId } }),
  },
})

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
