import { describe, expect, it, onTestFinished } from 'vitest'
import { ChoicesInForce } from '../../mock/core/choices-in-force.ts'
import { systemClock } from '../../mock/core/clock.ts'
import { envelopeOf } from '../../mock/core/response.ts'
import { readJsonBodies } from '../../mock/http/json-body.ts'
import type { Execute } from '../../mock/core/execute.ts'
import { NotFound } from '../../mock/core/refusals.ts'
import { Redactor } from '../../shared/redactor.ts'
import { answerErrors } from '../../mock/http/errors.ts'
import { addOperations } from '../../mock/http/operations.ts'
import { Journal, RequestIds } from '../../mock/journal/journal.ts'
import { newServer } from '../../mock/http/server.ts'
import { MemoryStore } from '../../mock/store/memory/memory-store.ts'
import { NoSuchTeam, type Store } from '../../mock/store/port.ts'
import { Tokens } from '../../mock/core/tokens.ts'
import { assumedBy } from '../../spec/assumed.ts'
import { twoTeams } from './harness.ts'

const secret = 'a secret that no client may read'
const serverError = { success: false, message: 'Internal server error' }

interface Broken {
  readonly inHook?: () => never
  readonly inStore?: () => never
  readonly inExecute?: () => never
}

/** Creates a product in a sandbox with a broken part; returns the response and the log. */
async function ask({ inHook, inStore, inExecute }: Broken) {
  const logged: string[] = []
  const log = { level: 'error', write: (line: string) => void logged.push(line) } as const
  const journal = new Journal(systemClock, new RequestIds())
  const app = newServer({ bodyLimit: 1024, log, secrets: new Redactor(), journal })
  onTestFinished(() => app.close())
  if (inHook) app.addHook('onRequest', async () => inHook())
  const store: Store = new MemoryStore(twoTeams)
  if (inStore) store.teamOfKey = async () => inStore()
  const choices = new ChoicesInForce({}, (chosen) => ({
    chosen,
    newAssumed: assumedBy(chosen),
    envelope: envelopeOf(chosen),
    rateLimit: undefined,
  }))
  const execute: Execute = async () => {
    if (inExecute) inExecute()
    return { status: 200, body: '{}', assumed: [] }
  }
  readJsonBodies(app)
  const service = {
    credentials: { store, tokens: new Tokens(store, systemClock) },
    execute,
    newAssumed: () => choices.of().newAssumed(),
    choices,
  }
  answerErrors(app, service, journal)
  addOperations(app, service)
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

describe.each(['inHook', 'inStore', 'inExecute'] as const)('an error that is thrown in a broken part (%s)', (place) => {
  it.each([
    ['an error', new Error(secret)],
    ['a TypeError', new TypeError(secret)],
    ['an error with a status', withStatus(503)],
    ['a system error', Object.assign(new Error(secret), { code: 'ENOSPC' })],
    ['an error with an invalid status', withStatus(42)],
    ['text', secret],
    ['an object', { statusCode: 200, message: secret, success: true }],
    ['nothing', undefined],
    ['null', null],
  ])('is answered 500 without details: %s', async (_what, error) => {
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
  ])('with the status %i is answered %i', async (says, status, message) => {
    const answer = await ask({ [place]: fail(withStatus(says)) })
    expect(answer).toMatchObject({ status, body: { success: false, message }, logged: '' })
  })
})

describe('a refusal', () => {
  it('is not logged as an error', async () => {
    expect(await ask({ inExecute: fail(new NotFound({ limit: 'wellFormed' })) })).toMatchObject({
      status: 404,
      body: { success: false, message: 'Resource not found' },
      logged: '',
    })
  })

  it.each(['inStore', 'inExecute'] as const)('for a team that was just removed is answered 401 (%s)', async (place) => {
    expect(await ask({ [place]: fail(new NoSuchTeam('acme')) })).toMatchObject({
      status: 401,
      body: { success: false, message: 'Unauthorized' },
      logged: '',
    })
  })
})
