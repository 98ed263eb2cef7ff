import { describe, expect, it } from 'vitest'
import { systemClock } from '../../mock/core/clock.ts'
import { openSandbox } from './helpers.ts'

const engine = { name: 'Difference engine', unitPrice: 1200 }

describe('rateLimit', () => {
  const limited = async (most: number) => {
    let now = systemClock.now()
    const opened = await openSandbox({ assume: { rateLimit: `perMinute:${most}` }, clock: { now: () => now } })
    const ask = (key = 'acme-key') => opened.call('createProduct', { body: engine, key })
    const pass = (milliseconds: number) => {
      now += milliseconds
    }
    return { ...opened, ask, pass }
  }

  it('=perMinute answers 429 above the limit, and changes nothing', async () => {
    const { ask, sandbox } = await limited(2)
    const answers = [await ask(), await ask(), await ask(), await ask()]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429, 429])
    expect(answers.map(({ assumed }) => assumed.includes('rateLimit'))).toEqual([false, false, true, true])
    expect(answers[2]?.body).toEqual({ success: false, message: 'more than 2 requests a minute' })
    expect((await sandbox.world()).teams[0]?.products).toHaveLength(2)
  })

  it('=perMinute counts each team separately, and starts again after a minute', async () => {
    const { ask, pass } = await limited(1)
    const first = [await ask(), await ask('globex-key'), await ask()]
    pass(59_999)
    const before = await ask()
    pass(1)
    expect([...first, before, await ask()].map(({ status }) => status)).toEqual([201, 201, 429, 429, 201])
  })

  it('=perMinute says in Retry-After how many seconds to wait', async () => {
    const { sandbox, pass } = await limited(1)
    const ask = () => sandbox.fetch('/api/products', { method: 'POST', headers: { 'x-api-key': 'acme-key' } })
    expect((await ask()).headers.has('retry-after')).toBe(false)
    expect((await ask()).headers.get('retry-after')).toBe('60')
    pass(58_500)
    expect((await ask()).headers.get('retry-after')).toBe('2')
    pass(1_500)
    expect((await ask()).headers.has('retry-after')).toBe(false)
  })

  it('=perMinute counts refused requests too', async () => {
    const { call, sandbox, ask } = await limited(3)
    const headers = { 'x-api-key': 'acme-key', 'content-type': 'text/plain' }
    expect((await sandbox.fetch('/api/products', { method: 'POST', headers, body: '{}' })).status).toBe(400)
    expect((await call('createProduct', { body: '{' })).status).toBe(400)
    expect((await call('createProduct', { body: {} })).status).toBe(400)
    expect((await ask()).status).toBe(429)
  })

  it('=perMinute does not count requests without a valid credential', async () => {
    const { ask, call } = await limited(1)
    for (let times = 0; times < 3; times++) expect((await call('listTemplates', { key: 'nobody' })).status).toBe(401)
    expect((await ask()).status).toBe(201)
  })

  it('=perMinute starts again after a reset', async () => {
    const { ask, sandbox } = await limited(1)
    await ask()
    await sandbox.reset()
    expect((await ask()).status).toBe(201)
    expect((await ask()).status).toBe(429)
    await sandbox.fetch('/_sandbox/reset', { method: 'POST' })
    expect((await ask()).status).toBe(201)
  })
})
