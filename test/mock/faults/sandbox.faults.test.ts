import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { countProducts, createProduct, doors, open } from './helpers.ts'
import type { FaultToAdd } from '../../../mock/http/faults/schemas.ts'
import { createSandbox } from '../../../mock/create-sandbox.ts'
import { namedStores } from '../store/helpers.ts'
import { twoTeams } from '../helpers.ts'
import { chances, inTier } from '../../tier.ts'
import { postAs } from '../../for-one-test.ts'

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
  await sandbox.faults.add({ operation: 'createProduct', delay: '10s', times: 1 })
  const endDelay = holdWaits()
  const giveUp = new AbortController()
  const givenUp = expect(createProduct(send, { signal: giveUp.signal })).rejects.toMatchObject({ name: 'AbortError' })
  await expect.poll(async () => (await sandbox.faults.list())[0]?.fired).toBe(1)
  giveUp.abort()
  await givenUp
  await send('/_sandbox/health') // the server notices the end of the connection before it reads another request
  endDelay()
  await createProduct(send, { body: { name: 'Later', unitPrice: 1 } })
  expect((await sandbox.world()).teams[0]?.products?.map(({ name }) => name)).toEqual(['Later'])
})

/** Holds the waits of `node:timers/promises`, which Vitest does not fake, until the returned function is called. */
function holdWaits(): () => void {
  let end: () => void = () => undefined
  const over = new Promise<void>((resolve) => (end = resolve))
  const wait = vi.spyOn(timers, 'setTimeout').mockReturnValue(over)
  syncBuiltinESMExports()
  const restore = () => {
    wait.mockRestore()
    syncBuiltinESMExports()
    end()
  }
  onTestFinished(restore)
  return restore
}

async function readAll(answer: Response): Promise<[text: string, error: unknown]> {
  let text = ''
  try {
    for await (const part of answer.body ?? []) text += new TextDecoder().decode(part as Uint8Array)
  } catch (error) {
    return [text, error]
  }
  return [text, undefined]
}

// As a client does that survives a network: it repeats a send with its key until an answer arrives whole.

const tries = inTier({ test: 50, ci: 100, nightly: 1_000 })
/** The same faults each time. */
const seed = 20260301

it.each(namedStores)(
  `a send that is repeated with its key makes one message, in ${tries} tries: $store`,
  async ({ place }) => {
    await using sandbox = await createSandbox({ world: twoTeams, store: await place() })
    const random = chances(seed)
    const lost = { count: 0 }
    for (let attempt = 0; attempt < tries; attempt++) {
      const planned = 1 + Math.floor(random() * 3)
      for (let at = 0; at < planned; at++) await sandbox.faults.add({ ...pick(faults, random), times: 1 })
      const body = JSON.stringify({
        channel: 'sms',
        content: `${attempt}`,
        providerId: 'sms-provider',
        to: '+14155550123',
      })
      await untilAnswered(lost, () =>
        sandbox.fetch('/api/messages/sendMessage', postAs('acme-key', body, { 'idempotency-key': `key ${attempt}` })),
      )
    }
    const contents = (await sandbox.world()).teams[0]?.messages?.map(({ content }) => Number(content))
    expect(contents).toEqual(Array.from({ length: tries }, (_, at) => at))
    expect(lost.count).toBeGreaterThan(tries)
  },
)

const faults: readonly FaultToAdd[] = [
  { connection: 'reset' },
  { status: 503 },
  { status: 500 },
  { phase: 'beforeCommit', connection: 'close' },
  { phase: 'beforeCommit', status: 500 },
  { phase: 'beforeCommit', delay: 1 },
  { phase: 'afterCommit', connection: 'close' },
  { phase: 'afterCommit', connection: 'reset' },
  { phase: 'afterCommit', status: 502 },
  { phase: 'afterCommit', body: 'cut' },
  { phase: 'afterCommit', body: 'notJson' },
  { phase: 'inBody', connection: 'close' },
]

async function untilAnswered(lost: { count: number }, send: () => Promise<Response>): Promise<void> {
  for (;;) {
    try {
      const answer = await send()
      const { success } = (await answer.json()) as { success: boolean }
      if (success && answer.status === 200) return
    } catch {
      // The client cannot know whether the message was sent.
    }
    lost.count++
  }
}

const pick = <Item>(items: readonly Item[], random: () => number) => items[Math.floor(random() * items.length)] as Item
