import { describe, expect, it, onTestFinished } from 'vitest'
import { control, type Controls } from '../../mock/control/client.ts'
import { createSandbox, type SandboxOptions } from '../../mock/create-sandbox.ts'
import { assumptionNames } from '../../spec/assumptions.ts'
import { callerOf, type Told, twoTeams } from '../mock/harness.ts'
import { itRefuses } from './refused.ts'

async function open(options: Partial<SandboxOptions> = {}) {
  const sandbox = await createSandbox({ world: twoTeams, port: 0, ...options })
  onTestFinished(() => sandbox.close())
  const both = [sandbox, control({ url: sandbox.url })] as readonly Controls[]
  const call = callerOf(sandbox)
  const contact = (key = 'acme-key') => call('createContact', { key, body: { firstName: 'Ada', lastName: 'L' } })
  return { sandbox, both, call, contact }
}

const statusIn = ({ body }: Told) => (body as { data: { status?: string } }).data.status

describe('the assumptions', () => {
  it('are listed, each with the choice in force and where it comes from', async () => {
    const { both } = await open({ assume: { rateLimit: 'perMinute:600', newContactStatus: 'absent' } })
    for (const { assumptions } of both) {
      const listed = await assumptions.list()
      expect(listed.map(({ name }) => name)).toEqual(assumptionNames)
      expect(
        listed.filter(({ from }) => from !== 'default').map(({ name, choice, from }) => [name, choice, from]),
      ).toEqual([
        ['rateLimit', 'perMinute:600', 'start'],
        ['newContactStatus', 'absent', 'start'],
      ])
      expect(await assumptions.get('rateLimit')).toMatchObject({
        name: 'rateLimit',
        assumed: 'none',
        certainty: 'open',
        section: 'Limits',
        choices: [{ choice: 'none' }, { choice: 'perMinute', numberOf: 'requests per minute' }],
      })
    }
  })

  it('count the answers that relied on them', async () => {
    const { sandbox, both, contact } = await open()
    const told = [await contact(), await contact('globex-key'), await contact()]
    const expected = told.filter(({ assumed }) => assumed.includes('newContactStatus')).length
    for (const { assumptions } of both) {
      expect((await assumptions.get('newContactStatus')).relied).toBe(expected)
      expect((await assumptions.get('historyOrder')).relied).toBe(0)
    }
    expect(expected).toBe(3)
    await sandbox.requests.clear()
    expect((await sandbox.assumptions.get('newContactStatus')).relied).toBe(0)
  })
})

describe('a switch', () => {
  it('holds for all teams, and an answer names it', async () => {
    for (const door of [0, 1]) {
      const { both, contact } = await open()
      const before = statusIn(await contact())
      const [switched] = (await both[door]?.assumptions.set({ newContactStatus: 'absent' })) ?? []
      expect(switched).toMatchObject({ name: 'newContactStatus', choice: 'absent', from: 'runTime' })
      const after = [await contact(), await contact('globex-key')]
      expect([before, ...after.map(statusIn)]).toEqual(['open', undefined, undefined])
      expect(after[0]?.assumed).toContain('newContactStatus')
      await both[1 - door]?.assumptions.reset()
      expect(statusIn(await contact())).toBe('open')
    }
  })

  it('holds for one team, and takes precedence there', async () => {
    const { sandbox, both, contact } = await open()
    const [own, over] = both
    await over?.assumptions.set({ newContactStatus: 'absent' }, { teamId: 'globex' })
    expect([statusIn(await contact()), statusIn(await contact('globex-key'))]).toEqual(['open', undefined])
    await own?.assumptions.set({ newContactStatus: 'open', populatedAddress: 'emptyString' })
    expect(statusIn(await contact('globex-key'))).toBeUndefined()
    for (const { assumptions } of both) {
      expect(await assumptions.get('newContactStatus', { teamId: 'globex' })).toMatchObject({ from: 'team' })
      expect(await assumptions.get('newContactStatus', { teamId: 'acme' })).toMatchObject({ from: 'runTime' })
      expect(await assumptions.get('populatedAddress', { teamId: 'globex' })).toMatchObject({ from: 'runTime' })
    }
    await over?.assumptions.reset({ teamId: 'globex' })
    expect(statusIn(await contact('globex-key'))).toBe('open')
    expect((await sandbox.assumptions.get('populatedAddress')).from).toBe('runTime')
  })

  it('names for a team what its answers relied on, before and after it is known which team asks', async () => {
    const { sandbox, call } = await open()
    await sandbox.assumptions.set({ trailingSlash: 'notFound' }, { teamId: 'globex' })
    const send = async (key: string) => {
      const answer = await sandbox.fetch('/api/products/', {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{"name":"Cog","unitPrice":-1}',
      })
      return [answer.status, answer.headers.get('x-sandbox-assumed')?.split(', ').sort()]
    }
    expect(await send('acme-key')).toEqual([201, ['numberRange', 'trailingSlash']])
    expect(await send('globex-key')).toEqual([404, ['trailingSlash']])
    expect((await call('createProduct', { key: 'wrong-key', body: {} })).status).toBe(401)
  })

  it('ends with a reset, of the team or of everything, and with the team', async () => {
    const { sandbox, contact } = await open({ assume: { newContactStatus: 'absent' } })
    const from = async (teamId?: string) =>
      (await sandbox.assumptions.get('newContactStatus', teamId === undefined ? {} : { teamId })).from
    await sandbox.assumptions.set({ newContactStatus: 'open' })
    await sandbox.assumptions.set({ newContactStatus: 'absent' }, { teamId: 'globex' })
    expect([await from(), await from('globex')]).toEqual(['runTime', 'team'])
    await sandbox.teams.reset('globex')
    expect([await from(), await from('globex')]).toEqual(['runTime', 'runTime'])
    await sandbox.assumptions.set({ newContactStatus: 'absent' }, { teamId: 'globex' })
    await contact()
    await sandbox.reset()
    expect([await from(), await from('globex')]).toEqual(['start', 'start'])
    expect((await sandbox.assumptions.get('newContactStatus')).relied).toBe(0)
    await sandbox.assumptions.set({ newContactStatus: 'absent' }, { teamId: 'globex' })
    const [, globex] = (await sandbox.world()).teams
    await sandbox.teams.delete('globex')
    await sandbox.addWorld({ teams: globex ? [globex] : [] })
    expect(await from('globex')).toBe('start')
  })

  it('changes the envelope and the limit by rate, of one team too', async () => {
    const { sandbox, call } = await open()
    const query = { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] }
    const read = async (key: string) =>
      (await call('listTemplates', { key, query })) as { status: number; body: object }
    await sandbox.assumptions.set({ statedEnvelope: 'some', rateLimit: 'perMinute:2' }, { teamId: 'globex' })
    expect([(await read('acme-key')).body, (await read('globex-key')).body].map((body) => 'success' in body)).toEqual([
      true,
      false,
    ])
    const statuses = []
    for (const key of ['globex-key', 'globex-key', 'acme-key', 'acme-key', 'acme-key'])
      statuses.push((await read(key)).status)
    expect(statuses).toEqual([200, 429, 200, 200, 200])
    expect((await sandbox.health()).assumptions).toMatchObject({ statedEnvelope: 'none' })
    await sandbox.assumptions.set({ statedEnvelope: 'some' })
    expect((await sandbox.health()).assumptions).toMatchObject({ statedEnvelope: 'some' })
    expect('success' in (await read('acme-key')).body).toBe(false)
  })

  it('leaves the journal its reasons', async () => {
    const { sandbox, call } = await open({ assume: { numberRange: 'refused' } })
    expect((await call('createProduct', { body: { name: 'Cog', unitPrice: -1 } })).status).toBe(400)
    await sandbox.assumptions.set({ numberRange: 'accepted' })
    expect((await call('createProduct', { body: { name: 'Cog', unitPrice: -1 } })).status).toBe(201)
    const [refused] = await sandbox.requests.find({ refused: true })
    expect(refused?.why).toMatchObject({ assumption: 'numberRange', choice: 'refused' })
  })
})

const choices = (value: unknown, of?: unknown) => (controls: Controls) =>
  controls.assumptions.set(value as object, of as object)

const refused: [string, (controls: Controls) => Promise<unknown>, number, string | RegExp][] = [
  ['nothing', choices({}), 400, /^choices must be an object that gives names their choices/],
  ['a list', choices([]), 400, /^choices must be an object that gives names their choices/],
  ['a text', choices('keyScope=team'), 400, /^choices must be an object that gives names their choices/],
  ['no object', choices(null), 400, /^choices must be an object that gives names their choices/],
  ['an unknown name', choices({ keyScop: 'team' }), 400, /^There is no assumption "keyScop"; close to it is keyScope/],
  ['an inherited name', choices({ constructor: 'team' }), 400, /^There is no assumption "constructor"/],
  ['an unknown choice', choices({ keyScope: 'all' }), 400, 'keyScope cannot be "all", only team or teamAndOperation'],
  ['an inherited choice', choices({ keyScope: 'toString' }), 400, /^keyScope cannot be "toString"/],
  ['a choice that is a number', choices({ keyScope: 1 }), 400, /^keyScope cannot be 1, only /],
  ['a choice that is null', choices({ keyScope: null }), 400, /^keyScope cannot be null, only /],
  ['a choice without its number', choices({ rateLimit: 'perMinute' }), 400, /^rateLimit=perMinute needs a number/],
  ['a number below 1', choices({ rateLimit: 'perMinute:0' }), 400, /^rateLimit=perMinute needs a number/],
  ['one wrong of two', choices({ keyScope: 'teamAndOperation', rateLimit: 'x' }), 400, /^rateLimit cannot be "x"/],
  ['control characters', choices({ '\u001b[31m': 'x' }), 400, /^There is no assumption "\\u001b\[31m"/],
  ['what is fixed', choices({ bodyLimit: 'none' }), 400, /^bodyLimit cannot be switched while the sandbox runs; /],
  [
    'what decides before the team is known',
    choices({ newContactStatus: 'absent', bearerRoutes: 'none' }, { teamId: 'acme' }),
    400,
    /^bearerRoutes decides before it is known which team asks; /,
  ],
  ['an unknown team', choices({ keyScope: 'team' }, { teamId: 'initech' }), 404, 'Resource not found'],
  ['a team that is a number', choices({ keyScope: 'team' }, { teamId: 1 }), 400, /^teamId must be /],
  ['a field that there is not', choices({ keyScope: 'team' }, { team: 'acme' }), 400, /^team is not a field of /],
  [
    'the list of an unknown team',
    ({ assumptions }) => assumptions.list({ teamId: 'initech' }),
    404,
    'Resource not found',
  ],
  ['the list of a strange team', ({ assumptions }) => assumptions.list({ teamId: '' }), 400, /^teamId must be /],
  [
    'an entry that there is not',
    ({ assumptions }) => assumptions.get('keyScop' as 'keyScope'),
    404,
    'Resource not found',
  ],
  [
    'a reset of an unknown team',
    ({ assumptions }) => assumptions.reset({ teamId: 'initech' }),
    404,
    'Resource not found',
  ],
]

describe('a switch that cannot be', () => {
  itRefuses(
    refused.map(([title, ask, status, message]) => [title, ask, message, status]),
    {},
    async ({ assumptions }) => {
      await assumptions.set({ keyScope: 'teamAndOperation' })
      await assumptions.set({ newContactStatus: 'absent' }, { teamId: 'acme' })
    },
  )
})
