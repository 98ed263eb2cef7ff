import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../mock/clock.ts'
import { readJsonBodies } from '../../mock/http/json-body.ts'
import type { Perform } from '../../mock/perform.ts'
import { rateLimitOf } from '../../mock/rate-limit.ts'
import { NotFound } from '../../mock/replies.ts'
import { addRoutes } from '../../mock/http/routes.ts'
import { newServer } from '../../mock/http/server.ts'
import { MemoryStore } from '../../mock/store/memory/memory-store.ts'
import { NoSuchTeam, type Store } from '../../mock/store/port.ts'
import { Tokens } from '../../mock/tokens.ts'
import { assumedBy } from '../../spec/assumed.ts'
import { chooseAll } from '../../spec/choices.ts'
import { twoTeams } from './harness.ts'

const secret = 'a secret that no client may read'
const serverError = { success: false, message: 'Internal server error' }

interface Broken {
  readonly inHook?: () => never
  readonly inStore?: () => never
  readonly inPerform?: () => never
}

/** What a request to create a product is told by a server in which something is broken, and what is logged of it. */
async function ask({ inHook, inStore, inPerform }: Broken) {
  const logged: string[] = []
  const stream = { write: (line: string) => void logged.push(line) }
  const app = newServer({ bodyLimit: 1024, logger: { level: 'error', stream } })
  onTestFinished(() => app.close())
  if (inHook) app.addHook('onRequest', async () => inHook())
  const chosen = chooseAll()
  const store: Store = new MemoryStore(twoTeams)
  if (inStore) store.teamOfKey = async () => inStore()
  const perform: Perform = async () => {
    if (inPerform) inPerform()
    return { status: 200, body: '{}', assumed: [] }
  }
  readJsonBodies(app)
  addRoutes(app, {
    credentials: { store, tokens: new Tokens(new Uint8Array(32), systemClock) },
    perform,
    newAssumed: assumedBy(chosen),
    rateLimit: rateLimitOf(chosen, systemClock),
  })
  const { statusCode, body, headers } = await app.inject({
    method: 'POST',
    url: '/api/products',
    headers: { 'x-api-key': 'acme-key', 'content-type': 'application/json' },
    payload: '{"name":"Engine","unitPrice":1}',
  })
  return {
    status: statusCode,
    body: JSON.parse(body) as unknown,
    type: headers['content-type'],
    logged: logged.join(''),
  }
}

const fail = (error: unknown) => () => {
  throw error
}

const withStatus = (statusCode: number) => Object.assign(new Error(secret), { statusCode })

describe.each(['inHook', 'inStore', 'inPerform'] as const)('a fault of the server %s', (place) => {
  it.each([
    ['an error', new Error(secret)],
    ['an error of the language', new TypeError(secret)],
    ['an error that names a status', withStatus(503)],
    ['an error of the system', Object.assign(new Error(secret), { code: 'ENOSPC' })],
    ['an error that names a status of its own', withStatus(42)],
    ['text', secret],
    ['an object', { statusCode: 200, message: secret, success: true }],
    ['nothing', undefined],
    ['null', null],
  ])('is a 500 that tells nothing of it: %s', async (_what, error) => {
    const { status, body, type } = await ask({ [place]: fail(error) })
    expect({ status, body, type }).toEqual({ status: 500, body: serverError, type: 'application/json; charset=utf-8' })
  })

  it('is logged', async () => {
    expect((await ask({ [place]: fail(new Error(secret)) })).logged).toContain(secret)
  })

  it.each([
    [400, 400, 'the request is not well formed'],
    [404, 404, 'Resource not found'],
    [413, 400, 'the request is not well formed'],
    [418, 400, 'the request is not well formed'],
  ])('that says %i is a %i, and never another status', async (says, status, message) => {
    const answer = await ask({ [place]: fail(withStatus(says)) })
    expect(answer).toMatchObject({ status, body: { success: false, message }, logged: '' })
  })
})

describe('a refusal', () => {
  it('is no fault, and is not logged', async () => {
    expect(await ask({ inPerform: fail(new NotFound()) })).toMatchObject({
      status: 404,
      body: { success: false, message: 'Resource not found' },
      logged: '',
    })
  })

  it.each(['inStore', 'inPerform'] as const)('of a team that went away %s is a 401', async (place) => {
    expect(await ask({ [place]: fail(new NoSuchTeam('acme')) })).toMatchObject({
      status: 401,
      body: { success: false, message: 'Unauthorized' },
      logged: '',
    })
  })
})
