import { describe, expect, it } from 'vitest'
import { longestWait } from '../../longest-wait.ts'
import { countProducts, createProduct, doors, open } from './helpers.ts'

const [overHttp, inProcess] = doors
const soon = { wait: `${longestWait}ms` }

describe.each(doors)('a gate $door', (door) => {
  it('holds a request before its commit, until it is released', async () => {
    const { sandbox, send } = await open(door)
    const { id } = await sandbox.gates.add({ operation: 'createProduct' })
    const asked = createProduct(send)
    expect(await sandbox.gates.wait(id, soon)).toMatchObject({ id, state: 'held', matched: 1 })
    expect(await countProducts(sandbox)).toBe(0)
    expect(await sandbox.gates.release(id)).toMatchObject({ state: 'released' })
    expect((await asked).status).toBe(201)
    expect(await countProducts(sandbox)).toBe(1)
  })

  it('lets other requests of the team overtake the held request', async () => {
    const { sandbox, send } = await open(door)
    const { id } = await sandbox.gates.add({ operation: 'createProduct' })
    const first = createProduct(send, { body: { name: 'First', unitPrice: 1 } })
    await sandbox.gates.wait(id, soon)
    expect((await createProduct(send, { body: { name: 'Second', unitPrice: 1 } })).status).toBe(201)
    await sandbox.gates.release(id)
    await first
    expect((await sandbox.world()).teams[0]?.products?.map(({ name }) => name)).toEqual(['Second', 'First'])
  })

  it.each([
    [{ status: 500 }, { status: 500, fault: 'gate-1' }],
    [{ connection: 'reset' }, new TypeError('fetch failed')],
  ] as const)('lets it fail with %j, and undoes what it did', async (effect, expected) => {
    const { sandbox, send } = await open(door)
    const { id } = await sandbox.gates.add()
    const asked = createProduct(send).then(
      ({ status, headers }) => ({ status, fault: headers.get('x-sandbox-fault') }),
      (error: unknown) => error,
    )
    await sandbox.gates.wait(id, soon)
    expect(await sandbox.gates.fail(id, effect)).toMatchObject({ state: 'failed' })
    expect(await asked).toEqual(expected)
    expect(await countProducts(sandbox)).toBe(0)
  })

  it('lets a request go by itself when its time is over', async () => {
    const { sandbox, send } = await open(door)
    const { id } = await sandbox.gates.add({ timeout: 20 })
    expect((await createProduct(send)).status).toBe(201)
    expect(await sandbox.gates.get(id)).toMatchObject({ state: 'timedOut' })
  })

  it.each(['reset', 'close'] as const)(
    'ends the connection of a held request at a %s, which then does nothing',
    async (end) => {
      const { sandbox, send } = await open(door)
      const { id } = await sandbox.gates.add()
      const lost = expect(createProduct(send)).rejects.toThrow('fetch failed')
      await sandbox.gates.wait(id, soon)
      await sandbox[end]()
      await lost
      if (end === 'reset') expect(await countProducts(sandbox)).toBe(0)
    },
  )
})

describe('a gate', () => {
  it('decides on the state of the moment in which the request goes on', async () => {
    const { sandbox, send } = await open(inProcess)
    const contact = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
    const { id } = await sandbox.gates.add({ operation: 'findOrCreateConversation' })
    const first = send('/api/conversations/getConversationByPhoneAndEmail', { body: { email: contact.email } })
    await sandbox.gates.wait(id, soon)
    const second = await send('/api/contacts/create-new-conversation', { body: contact })
    await sandbox.gates.release(id)
    const [one, other] = (await Promise.all([(await first).json(), second.json()])) as { data: { _id: string } }[]
    expect(one?.data._id).toBe(other?.data._id)
    expect((await sandbox.world()).teams[0]?.contacts).toHaveLength(1)
  })

  it('refuses a held request after the deletion of its record', async () => {
    const { sandbox, send } = await open(inProcess)
    const created = (await (await createProduct(send)).json()) as { data: { _id: string } }
    const path = `/api/products/${created.data._id}`
    const { id } = await sandbox.gates.add({ operation: 'updateProduct' })
    const update = send(path, { method: 'PUT', body: { name: 'Other' } })
    await sandbox.gates.wait(id, soon)
    expect((await send(path, { method: 'DELETE' })).status).toBe(200)
    await sandbox.gates.release(id)
    expect((await update).status).toBe(404)
  })

  it('shows what a second request with the same key meets while the first is under way', async () => {
    const { sandbox, send } = await open(inProcess, { assume: { repeatedKeyInFlight: 'refuse' } })
    const { id } = await sandbox.gates.add()
    const withKey = () => createProduct(send, { headers: { 'idempotency-key': 'once' } })
    const first = withKey()
    await sandbox.gates.wait(id, soon)
    expect((await withKey()).status).toBe(400)
    await sandbox.gates.release(id)
    expect((await first).status).toBe(201)
    expect((await withKey()).status).toBe(201)
    expect(await countProducts(sandbox)).toBe(1)
  })

  it('holds the nth request that it matches, and no other', async () => {
    const { sandbox, send } = await open(inProcess)
    const { id } = await sandbox.gates.add({
      operation: 'createProduct',
      team: 'acme',
      where: { unitPrice: 1 },
      nth: 2,
    })
    const create = (unitPrice: number, key = 'acme-key') =>
      createProduct(send, { body: { name: 'Engine', unitPrice }, headers: { 'x-api-key': key } })
    for (const asked of [create(1), create(2), create(1, 'globex-key')]) expect((await asked).status).toBe(201)
    const held = create(1)
    expect(await sandbox.gates.wait(id, soon)).toMatchObject({ state: 'held', matched: 2 })
    expect((await create(1)).status).toBe(201)
    await sandbox.gates.release(id)
    expect((await held).status).toBe(201)
  })

  it('holds a read as well', async () => {
    const { sandbox, send } = await open(inProcess)
    const { id } = await sandbox.gates.add({ operation: 'listTemplates' })
    const list = send('/api/templates?page=1&limit=5&types=sms&statuses=approved')
    await sandbox.gates.wait(id, soon)
    const body = { templateType: 'sms', name: 'A', uniqueName: 'a', content: 'A', provider: 'sms-provider' }
    expect((await send('/api/templates', { body })).status).toBe(201)
    await sandbox.gates.release(id)
    expect(await (await list).json()).toMatchObject({ data: [{ name: 'A' }] })
  })

  it('is awaited for as long as one wants', async () => {
    const { sandbox, send } = await open(inProcess)
    const { id } = await sandbox.gates.add({ operation: 'createProduct' })
    await expect(sandbox.gates.wait(id, { wait: '10ms' })).rejects.toMatchObject({
      status: 409,
      message: 'gate-1 held no request within 10 ms, since no request matched it; no request came',
    })
    await send('/api/products', { body: { name: 'No price' } })
    await expect(sandbox.gates.wait(id, { wait: '10ms' })).rejects.toThrow(
      /^gate-1 held no request within 10 ms, since no request matched it; nearest: createProduct [\w-]+ \(status is 400\)$/,
    )
    expect(await sandbox.gates.get(id)).toMatchObject({ state: 'waiting' })
  })

  it('is awaited no longer than the sandbox is open', async () => {
    const { sandbox } = await open(inProcess)
    const { id } = await sandbox.gates.add({ operation: 'createProduct' })
    const refused = expect(sandbox.gates.wait(id, { wait: '60s' })).rejects.toThrow('The sandbox was closed')
    await sandbox.close()
    await refused
  })

  it('is deleted while it holds a request, which goes on', async () => {
    const { sandbox, send } = await open(inProcess)
    const { id } = await sandbox.gates.add()
    const asked = createProduct(send)
    await sandbox.gates.wait(id, soon)
    await sandbox.gates.delete(id)
    expect((await asked).status).toBe(201)
    expect(await sandbox.gates.list()).toEqual([])
    await expect(sandbox.gates.get(id)).rejects.toThrow(/^there is no gate /)
  })

  it('holds nothing that comes after its release', async () => {
    const { sandbox, send } = await open(inProcess)
    const { id } = await sandbox.gates.add()
    await sandbox.gates.release(id)
    expect((await createProduct(send)).status).toBe(201)
  })

  it('lets nothing fail that it does not hold', async () => {
    const { sandbox } = await open(inProcess)
    const { id } = await sandbox.gates.add()
    await expect(sandbox.gates.fail(id, { status: 500 })).rejects.toThrow('gate-1 holds no request now')
    expect(await sandbox.gates.get(id)).toMatchObject({ state: 'waiting' })
  })

  it('and a fault both concern a request: first the gate, then the fault', async () => {
    const { sandbox, send } = await open(overHttp)
    const { id } = await sandbox.gates.add()
    await sandbox.faults.add({ phase: 'beforeCommit', status: 503, times: 1 })
    const asked = createProduct(send)
    expect(await sandbox.gates.wait(id, soon)).toMatchObject({ state: 'held' })
    expect(await sandbox.faults.list()).toMatchObject([{ fired: 0 }])
    await sandbox.gates.release(id)
    expect((await asked).headers.get('x-sandbox-fault')).toBe('fault-1')
    expect(await countProducts(sandbox)).toBe(0)
  })
})
