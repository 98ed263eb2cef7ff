import { describe, expect, it } from 'vitest'
import {
  control,
  type Controls,
  type Refused,
  type RequestsControl,
  type SeenRequest,
} from '../../../mock/testing/control-client.ts'
import { fields, itRefuses, type RefusedCall } from '../control/refused.ts'
import { openSandbox } from '../helpers.ts'
import { matches, type EntryFilter } from '../../../mock/http/journal/filter.ts'
import type { LogEntry } from '../../../mock/http/journal/journal.ts'

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
const product = { name: 'Engine', unitPrice: 1 }

/** A sandbox, and its journal by each door. */
async function open(door: 'in process' | 'over HTTP') {
  const { sandbox, call } = await openSandbox({ port: 0 })
  const requests: RequestsControl = door === 'in process' ? sandbox.requests : control({ url: sandbox.url }).requests
  return { sandbox, call, requests }
}

describe.each(['in process', 'over HTTP'] as const)('the journal (%s)', (door) => {
  it('has each request with its answer, what it relied on, and what it changed', async () => {
    const { call, requests } = await open(door)
    await call('createContactWithConversation', { body: ada })
    const [seen] = await requests.find()
    expect(seen).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-1$/) as string,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      ms: expect.any(Number) as number,
      method: 'POST',
      url: '/api/contacts/create-new-conversation',
      operation: 'createContactWithConversation',
      team: 'acme',
      status: 200,
      refused: false,
      cutOff: false,
      sent: { headers: { 'x-api-key': '[redacted]', 'content-type': 'application/json' }, body: ada },
      answered: { body: { success: true, data: { contactId: { email: ada.email } } } },
      assumed: expect.arrayContaining(['newContactStatus']) as string[],
      changed: 'contact +1, conversation +1',
    })
  })

  it('says of a request that changed nothing that it did, whatever the next one changes', async () => {
    const { call, requests } = await open(door)
    await call('deleteContactsByEmail', { query: { email: 'nobody@example.com' } })
    await call('updateContact', { path: { contactId: 'unknown' }, body: {} })
    await call('createProduct', { body: product })
    expect((await requests.find()).map(({ changed }) => changed)).toEqual(['', '', 'product +1'])
  })

  it('verifies that requests came in an order, whatever came between them', async () => {
    const { call, requests } = await open(door)
    await call('createProduct', { body: product })
    await call('createContact', { body: ada })
    await call('createProduct', { body: { ...product, name: 'Cog' } })
    await call('createContact', { body: { lastName: 'Lovelace' } })
    const [first, second, third] = await requests.find()
    const found = await requests.verifyOrder([
      { operation: 'createContact', where: { email: ada.email } },
      { operation: 'createContact', status: '4xx', team: 'acme' },
    ])
    expect(found.map(({ url, status }) => `${status} ${url}`)).toEqual(['201 /api/contacts', '400 /api/contacts'])
    const inWords = ({ status, message }: Refused) => `${status} ${message}`
    const missing = (...order: Parameters<RequestsControl['verifyOrder']>[0]) => {
      const message = requests.verifyOrder(order).catch((reason: unknown) => inWords(reason as Refused))
      return expect(message).resolves
    }
    const contact = { operation: 'createContact' } as const
    await missing(
      { operation: 'createProduct', where: { name: 'Cog' } },
      { ...contact, where: { email: ada.email } },
    ).toBe(
      `409 request 2 of 2 is missing: there was no createContact after createProduct ${third?.id}; createContact ${second?.id} came before it`,
    )
    await missing({ operation: 'createProduct' }, { operation: 'createDeal' }, contact).toMatch(
      `409 request 2 of 3 is missing: there was no createDeal after createProduct ${first?.id}; after it came createContact ${second?.id}, createProduct ${third?.id}, createContact`,
    )
    await missing(contact, contact, contact).toMatch(/^409 request 3 of 3 is missing: there was no createContact after/)
    await missing({ ...contact, where: { email: 'grace@example.com' } }).toMatch(
      /^409 request 1 of 1 is missing: there was no createContact; nearest: createContact \S+ \(email is/,
    )
  })

  it('finds the requests that match every filter', async () => {
    const { call, requests } = await open(door)
    await call('createContact', { body: ada })
    await call('createContact', { body: { ...ada, email: 'grace@example.com' }, key: 'globex-key' })
    await call('createContact', { body: { lastName: 'Lovelace' } })
    await call('createProduct', { body: product })
    const found = async (filter: Parameters<RequestsControl['find']>[0]) =>
      (await requests.find(filter)).map(({ operation, team, status }) => `${operation} ${team} ${status}`)
    expect(await found({ operation: 'createContact', refused: false })).toEqual([
      'createContact acme 201',
      'createContact globex 201',
    ])
    expect(await found({ team: 'globex' })).toEqual(['createContact globex 201'])
    expect(await found({ status: '4xx' })).toEqual(['createContact acme 400'])
    expect(await found({ status: 201, last: 1 })).toEqual(['createProduct acme 201'])
    expect(await found({ where: { email: 'grace@example.com' } })).toEqual(['createContact globex 201'])
    expect(await found({ where: { unitPrice: 1 } })).toEqual(['createProduct acme 201'])
    expect(await found({ assumed: 'newContactStatus' })).toHaveLength(2)
    expect(await requests.count({ operation: 'createContact' })).toBe(3)
  })

  it('also finds, counts, awaits and follows the requests of no team beside those of one', async () => {
    const { sandbox, call, requests } = await open(door)
    const filter = { team: 'acme', orNoTeam: true }
    const followed: (string | undefined)[] = []
    const following = (async () => {
      for await (const { team } of requests.follow(filter)) followed.push(team)
    })()
    await call('createProduct', { body: product, key: 'globex-key' })
    const wait = requests.wait(filter)
    await call('createProduct', { body: product, key: 'key-of-nobody' })
    expect((await wait).status).toBe(401)
    await call('createProduct', { body: product })
    expect((await requests.find(filter)).map(({ team }) => team)).toEqual([undefined, 'acme'])
    expect(await requests.count({ ...filter, status: 401 })).toBe(1)
    expect(await requests.count({ team: 'acme' })).toBe(1)
    await expect.poll(() => followed).toEqual([undefined, 'acme'])
    await sandbox.close()
    await following
  })

  it('finds what an assumption let through', async () => {
    const { call, requests } = await open(door)
    await call('createProduct', { body: { ...product, unitPrice: -1 } })
    await call('createProduct', { body: product })
    const [seen, ...others] = await requests.find({ assumed: 'numberRange', refused: false })
    expect(seen?.sent.body).toMatchObject({ unitPrice: -1 })
    expect(others).toEqual([])
  })

  it('gives one by the id that its answer has', async () => {
    const { sandbox, requests } = await open(door)
    const answer = await sandbox.fetch('/api/products', { method: 'POST' })
    const id = answer.headers.get('x-sandbox-request') ?? ''
    expect(await requests.get(id)).toMatchObject({ id, status: 401, operation: 'createProduct' })
    await expect(requests.get('nothing')).rejects.toMatchObject({ status: 404 })
  })

  it('waits for a request that has not come yet, and does not wait for one that has', async () => {
    const { call, requests } = await open(door)
    const waiting = requests.wait({ operation: 'createProduct', within: '30s' })
    await call('createContact', { body: ada })
    await call('createProduct', { body: product })
    const { id } = await waiting
    expect((await requests.wait({ operation: 'createProduct', within: 0 })).id).toBe(id)
    await expect(requests.wait({ operation: 'createDeal', within: 10 })).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/^No such request came within 10 ms; nearest: createProduct /) as string,
    })
  })

  it('verifies how many there were', async () => {
    const { call, requests } = await open(door)
    await call('createProduct', { body: product })
    await call('createProduct', { body: product })
    const operation = 'createProduct'
    expect(await requests.verify({ operation })).toBe(2)
    expect(await requests.verify({ operation, times: 2 })).toBe(2)
    expect(await requests.verify({ operation, atLeast: 1, atMost: 2 })).toBe(2)
    expect(await requests.verify({ operation: 'createDeal', times: 0 })).toBe(0)
    const refused = (filter: object) => expect(requests.verify(filter)).rejects
    await refused({ operation, times: 1 }).toMatchObject({
      status: 409,
      message: expect.stringMatching(
        /^There were 2 such requests, not exactly 1; the latest: createProduct [\w-]+, createProduct [\w-]+$/,
      ) as string,
    })
    await refused({ operation, atMost: 1 }).toMatchObject({
      message: expect.stringMatching(/^There were 2 such requests, not at most 1; the latest: /) as string,
    })
  })

  it('names the nearest requests and how they differ, the most similar first', async () => {
    const { call, requests } = await open(door)
    const missed = async (filter: object) => {
      const error: unknown = await requests.verify(filter).catch((reason: unknown) => reason)
      return (error as Error).message
    }
    expect(await missed({})).toBe('There were 0 such requests, not at least 1; no request came')
    for (const body of [product, { ...product, sku: 'C-7', password: 'hunter2' }, { name: 'No price' }])
      await call('createProduct', { body })
    await call('createDeal', { body: {} })
    const [plain, withSku, refused, deal] = (await requests.find()).map(({ id }) => id)
    const where = { sku: 'C-8', name: product.name, password: 'other' }
    expect(await missed({ operation: 'createProduct', status: 201, where: JSON.stringify(where) })).toBe(
      'There were 0 such requests, not at least 1; nearest: ' +
        `createProduct ${withSku ?? ''} (sku is "C-7", password is "[redacted]"), ` +
        `createProduct ${plain ?? ''} (sku is missing, password is missing), ` +
        `createProduct ${refused ?? ''} (status is 400, sku is missing, name is "No price", password is missing)`,
    )
    const ofProduct = JSON.stringify({ name: product.name })
    expect(await missed({ operation: 'createDeal', team: 'globex', refused: false, where: ofProduct })).toMatch(
      `nearest: createDeal ${deal ?? ''} (team is acme, status is 400, name is missing), createProduct `,
    )
    await expect(requests.wait({ operation: 'createQuote', within: 5 })).rejects.toThrow(
      `No such request came within 5 ms; nearest: createDeal ${deal ?? ''} (operation is createDeal), `,
    )
  })

  it('has the body of a request that a fault or a 401 answered on arrival, so that it counts with its repetition', async () => {
    const { call, requests, sandbox } = await open(door)
    await sandbox.faults.add({ operation: 'createProduct', status: 503, times: 1 })
    const body = { ...product, description: 'x'.repeat(20_000) }
    for (const key of ['acme-key', 'acme-key', 'wrong-key']) await call('createProduct', { key, body })
    const found = await requests.find()
    expect(found.map(({ status, fault }) => [status, fault])).toEqual([
      [503, 'fault-1'],
      [201, undefined],
      [401, undefined],
    ])
    expect(found[0]).toMatchObject({ team: 'acme', sent: { cut: { length: JSON.stringify(body).length } } })
    for (const key of ['acme-key', 'wrong-key']) await call('createProduct', { key, body: product })
    await sandbox.faults.add({ operation: 'createProduct', connection: 'close', times: 1 })
    await call('createProduct', { body: product }).catch(() => undefined)
    expect(await requests.count({ where: JSON.stringify({ name: product.name }) })).toBe(3)
  })

  it('has a body of thousands of levels as a text', async () => {
    const { call, requests } = await open(door)
    const body = '['.repeat(8_000) + ']'.repeat(8_000)
    await call('createProduct', { body })
    expect((await requests.find())[0]).toMatchObject({ status: 400, sent: { body } })
  })

  it('is empty after clear and after a reset', async () => {
    const { sandbox, call, requests } = await open(door)
    await call('createProduct', { body: product })
    await requests.clear()
    expect(await requests.count()).toBe(0)
    await call('createProduct', { body: product })
    await sandbox.reset()
    expect(await requests.count()).toBe(0)
  })

  it('is followed live, until the sandbox is closed', async () => {
    const { sandbox, call, requests } = await open(door)
    await call('createProduct', { body: product })
    const seen: SeenRequest[] = []
    const following = (async () => {
      for await (const request of requests.follow({ operation: 'createContact' })) seen.push(request)
    })()
    while (seen.length < 3) await call('createContact', { body: ada })
    expect(seen.every(({ operation }) => operation === 'createContact')).toBe(true)
    await sandbox.close()
    await following
  })

  it('still finds the requests of a team that was deleted', async () => {
    const { sandbox, call, requests } = await open(door)
    await call('createProduct', { body: product })
    await sandbox.teams.delete('acme')
    expect(await requests.find({ team: 'acme' })).toHaveLength(1)
  })
})

describe('an invalid filter', () => {
  const find =
    (filter: object) =>
    ({ requests }: Controls) =>
      requests.find(filter)
  const noTeam = 'there is no team initech; team must be the id of one, as `ctl teams list` shows them'
  const ofNoTeam = { team: 'initech' }

  itRefuses([
    ['an unknown operation', find({ operation: 'createContacts' }), /did you mean createContact\?$/],
    ['an unknown assumption', find({ assumed: 'contactMatchin' }), /did you mean contactMatching\?$/],
    ['an operation like no other', find({ operation: 'x' }), /^there is no operation x; it must be an operationId/],
    [
      'an assumption like no other',
      find({ assumed: 'x' }),
      /^there is no assumption x; `crm-sandbox assumptions` lists them/,
    ],
    ['an operation with escapes', find({ operation: '\u001b[31m\r\nx: y' }), /^there is no operation \P{C}+$/u],
    ['a status that is none', find({ status: '9xx' }), /^status must be a status such as 404/],
    ['a condition that is no object', find({ where: '[1]' }), /^where must be a JSON object/],
    ['a condition that is no JSON', find({ where: '{' }), /^where must be a JSON object/],
    ['a condition on 51 fields', find({ where: fields(51) }), 'where must not have more than 50 fields'],
    ['a condition of 33 levels', find({ where: '['.repeat(33) }), 'where must not be nested deeper than 32 levels'],
    ['a number that is none', find({ last: 0 }), 'last must be a whole number from 1 to 1000'],
    ...['tomorrow', '2m', -1, 'P1Y'].map((within): RefusedCall => [
      `a wait of ${within}`,
      ({ requests }) => requests.wait({ within }),
      /^within must be from 0 to 60 seconds/,
    ]),
    ['find of an unknown team', find(ofNoTeam), noTeam],
    ['count of an unknown team', ({ requests }) => requests.count(ofNoTeam), noTeam],
    ['wait of an unknown team', ({ requests }) => requests.wait(ofNoTeam), noTeam],
    ['an order without requests', ({ requests }) => requests.verifyOrder([]), /^requests must be a list of 1 to 100/],
    [
      'an order with an unknown operation',
      ({ requests }) => requests.verifyOrder([{ operation: 'createContcat' as never }]),
      'there is no operation createContcat; did you mean createContact?',
    ],
    [
      'an order with an unknown field',
      ({ requests }) => requests.verifyOrder([{ operatoin: 'createContact' } as object]),
      /^operatoin is not a field of this request \(did you mean operation\?\)/,
    ],
    ['verify of an unknown team', ({ requests }) => requests.verify(ofNoTeam), noTeam],
    ['follow of an unknown team', ({ requests }) => requests.follow(ofNoTeam).next(), noTeam],
  ])
})

const entry = {
  operation: 'updateContact',
  team: 'acme',
  url: '/api/contacts/a%40b?email=query%40example.com',
  status: 201,
  assumed: ['keyScope'],
  learned: ['contactMatching'],
  sent: JSON.stringify({
    email: 'body@example.com',
    address: { city: 'London' },
    'a.b': 1,
    a: { b: 2 },
    files: [{ type: 'image' }],
  }),
} as unknown as LogEntry

it.each<[boolean, EntryFilter, Partial<LogEntry>?]>([
  [true, { assumed: 'keyScope' }],
  [true, { assumed: 'contactMatching' }],
  [false, { assumed: 'numberRange' }],
  [true, { status: '201' }],
  [false, { status: '202' }],
  [false, { status: '4xx' }],
  [true, { where: { email: 'body@example.com' } }],
  [true, { where: { email: 'query@example.com' } }],
  [false, { where: { email: 'else@example.com' } }],
  [false, { where: { email: 'body@example.com', address: 'London' } }],
  [true, { where: { address: { city: 'London' } } }],
  [false, { where: { address: { city: 'Paris' } } }],
  [true, { where: { files: [{ type: 'image' }] } }],
  [true, { where: { 'address.city': 'London' } }],
  [true, { where: { 'a.b': 1 } }],
  [true, { where: { 'files.0.type': 'image' } }],
  [false, { where: { 'files.1.type': 'image' } }],
  [false, { where: { constructor: Object } }],
  [false, { where: { 0: 'A' } }, { sent: '"Ada"' }],
  [false, { where: { email: 'body@example.com' } }, { sent: '{"email":' }],
  [true, { where: { contactId: 'a@b' } }],
  [true, { where: { contactId: 'a' } }, { url: '/api/contacts/a/' }],
  [true, { where: { contactId: '%zz' } }, { url: '/api/contacts/%zz' }],
])('matches a request: %s for %j with %j', (expected, wanted, others = {}) =>
  expect(matches({ ...entry, ...others }, wanted)).toBe(expected),
)
