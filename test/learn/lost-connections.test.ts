import type { IncomingMessage } from 'node:http'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startOwnTarget } from '../../own-target.ts'
import type { SwitchableName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { askServer, forward } from './asking.ts'
import { serverThat } from '../for-one-test.ts'

/** The number of requests by method, path and body. */
let sent: Map<string, number>

beforeEach(() => {
  sent = new Map()
})

describe('a server that closes a connection just as it is used again', () => {
  it.each([
    ['GET', 'malformedId'],
    ['POST', 'recordAfterUpdate'],
    ['PUT', 'recordAfterUpdate'],
    ['DELETE', 'deleteAgain'],
  ] as const)('is understood when %s gets no answer once', async (method, name) => {
    let lost = 0
    const finding = await askThrough(
      { deleteAgain: 'succeeds' },
      ({ request }) => request.method === method && ++lost === 2,
      name,
    )
    expect(finding).toMatchObject({ outcome: 'seen' })
    expect(lost).toBeGreaterThan(2)
  })

  it('gets no change a second time, since it may have carried it out', async () => {
    let lost = 0
    await askThrough({}, ({ request }) => request.method === 'POST' && ++lost % 3 === 0, 'contactMatching')
    const twice = [...sent].filter(([request, count]) => !request.startsWith('GET ') && count > 1)
    expect(twice).toEqual([])
  })
})

describe('a server that never answers a long body', () => {
  it('is not said to refuse it, nor to accept it', async () => {
    const finding = await askThrough({ bodyLimit: 'none' }, ({ body }) => body.length > 5_000_000, 'bodyLimit')
    expect(finding).toEqual({
      outcome: 'cannotTell',
      words: 'createProduct: the connection was closed without an answer (ECONNRESET)',
    })
  })
})

type IsLost = (received: { readonly request: IncomingMessage; readonly body: Buffer }) => boolean

/** Asks a sandbox behind a server that closes some connections without an answer. */
async function askThrough(assume: WrittenChoices, isLost: IsLost, name: SwitchableName = 'malformedId') {
  const own = await startOwnTarget({ assume })
  onTestFinished(() => own.stop())
  const baseUrl = await serverThat((request, answer) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray())
      const { method = '', url = '' } = request
      const what = `${method} ${url} ${body.toString()}`
      sent.set(what, (sent.get(what) ?? 0) + 1)
      if (isLost({ request, body })) return request.socket.destroy()
      await forward(own.wanted.baseUrl ?? '', request, body, answer)
    })()
  })
  return (await askServer({ ...own, wanted: { ...own.wanted, baseUrl } }, [name])).get(name)
}
