import { describe, expect, it } from 'vitest'
import type { Controls } from '../../../mock/testing/control-client.ts'
import { assumptionNames } from '../../../spec/assumptions.ts'
import { openSandbox, type ApiResponse, twoTeams } from '../helpers.ts'
import { itRefuses, type RefusedCall, unknown } from './refused.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxOptions } from '../../../index.ts'
import { newFolder, startSandbox, postAs } from '../../for-one-test.ts'

async function open(options: Parameters<typeof openSandbox>[0] = {}) {
  // With a seed it is a new sandbox, so that `assume` are its choices of the start.
  const { sandbox, call } = await openSandbox({ seed: 7, ...options })
  const contact = (key = 'acme-key') => call('createContact', { key, body: { firstName: 'Ada', lastName: 'L' } })
  return { sandbox, assumptions: sandbox.assumptions, call, contact }
}

const statusIn = ({ body }: ApiResponse) => (body as { data: { status?: string } }).data.status

describe('the assumptions', () => {
  it('are listed, each with the choice in force and where it comes from', async () => {
    const { assumptions } = await open({ assume: { rateLimit: 'perMinute:600', newContactStatus: 'absent' } })
    const listed = await assumptions.list()
    expect(listed.map(({ name }) => name)).toEqual(assumptionNames)
    expect(listed.flatMap(({ name, choice, from }) => (from === 'default' ? [] : [[name, choice, from]]))).toEqual([
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
  })

  it('count the answers that relied on them', async () => {
    const { sandbox, assumptions, contact } = await open()
    for (const key of ['acme-key', 'globex-key', 'acme-key'])
      expect((await contact(key)).assumed).toContain('newContactStatus')
    expect((await assumptions.get('newContactStatus')).relied).toBe(3)
    expect((await assumptions.get('historyOrder')).relied).toBe(0)
    await sandbox.requests.clear()
    expect((await assumptions.get('newContactStatus')).relied).toBe(0)
  })
})

describe('a switch', () => {
  it('holds for all teams, and an answer names it', async () => {
    const { assumptions, contact } = await open()
    expect(statusIn(await contact())).toBe('open')
    const [switched] = await assumptions.set({ newContactStatus: 'absent' })
    expect(switched).toMatchObject({ name: 'newContactStatus', choice: 'absent', from: 'runTime' })
    const after = [await contact(), await contact('globex-key')]
    expect(after.map(statusIn)).toEqual([undefined, undefined])
    expect(after[0]?.assumed).toContain('newContactStatus')
    await assumptions.reset()
    expect(statusIn(await contact())).toBe('open')
  })

  it('holds for one team, and takes precedence there', async () => {
    const { assumptions, contact } = await open()
    await assumptions.set({ newContactStatus: 'absent' }, { teamId: 'globex' })
    expect([statusIn(await contact()), statusIn(await contact('globex-key'))]).toEqual(['open', undefined])
    await assumptions.set({ newContactStatus: 'open', populatedAddress: 'emptyString' })
    expect(statusIn(await contact('globex-key'))).toBeUndefined()
    expect((await assumptions.get('newContactStatus', { teamId: 'globex' })).from).toBe('team')
    expect((await assumptions.get('newContactStatus', { teamId: 'acme' })).from).toBe('runTime')
    expect((await assumptions.get('populatedAddress', { teamId: 'globex' })).from).toBe('runTime')
    await assumptions.reset({ teamId: 'globex' })
    expect(statusIn(await contact('globex-key'))).toBe('open')
    expect((await assumptions.get('populatedAddress')).from).toBe('runTime')
  })

  it('names for a team what its answers relied on, before and after it is known which team asks', async () => {
    const { sandbox, call } = await open()
    await sandbox.assumptions.set({ trailingSlash: 'notFound' }, { teamId: 'globex' })
    const send = async (key: string) => {
      const answer = await sandbox.fetch('/api/products/', postAs(key, '{"name":"Cog","unitPrice":-1}'))
      return [answer.status, answer.headers.get('x-sandbox-assumed')?.split(', ').sort()]
    }
    expect(await send('acme-key')).toEqual([201, ['numberRange', 'recordTimes', 'trailingSlash']])
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

const set =
  (choices: object, of?: object) =>
  ({ assumptions }: Controls) =>
    assumptions.set(choices, of)

const refused: RefusedCall[] = [
  ['nothing', set({}), /^choices must be an object that gives names their choices/],
  ['a list', set([]), /^choices must be an object that gives names their choices/],
  ['an unknown name', set({ keyScop: 'team' }), /^There is no assumption "keyScop"; close to it: keyScope/],
  ['an inherited name', set({ constructor: 'team' }), /^There is no assumption "constructor"/],
  ['an unknown choice', set({ keyScope: 'all' }), 'keyScope must be team or teamAndOperation'],
  ['an inherited choice', set({ keyScope: 'toString' }), /^keyScope must be team or/],
  ['a choice that is a number', set({ keyScope: 1 }), /^keyScope must be team or/],
  ['a choice that is null', set({ keyScope: null }), /^keyScope must be team or/],
  [
    'a choice without its number',
    set({ rateLimit: 'perMinute' }),
    /^rateLimit must be none or perMinute:60, with any number/,
  ],
  ['a number below 1', set({ rateLimit: 'perMinute:0' }), /^rateLimit must be none or perMinute:60, with any number/],
  ['one wrong of two', set({ keyScope: 'teamAndOperation', rateLimit: 'x' }), /^rateLimit must be none or/],
  ['a name that left the register', set({ voice: 'any', keyScope: 'team' }), /^voice is no assumption any more: /],
  ['control characters', set({ '\u001b[31m': 'x' }), /^There is no assumption "\\u001b\[31m"/],
  ['a fixed choice', set({ bodyLimit: 'none' }), /^bodyLimit cannot be switched while the sandbox runs; /],
  [
    'a choice of one team that decides before the team is known',
    set({ newContactStatus: 'absent', bearerRoutes: 'none' }, { teamId: 'acme' }),
    /^bearerRoutes decides before it is known which team asks; /,
  ],
  ['an unknown team', set({ keyScope: 'team' }, { teamId: 'initech' }), ...unknown],
  ['the list of an unknown team', ({ assumptions }) => assumptions.list({ teamId: 'initech' }), ...unknown],
  ['the list of a strange team', ({ assumptions }) => assumptions.list({ teamId: '' }), /^teamId must be /],
  ['a reset of an unknown team', ({ assumptions }) => assumptions.reset({ teamId: 'initech' }), ...unknown],
]

describe('an invalid switch', () => {
  itRefuses(refused, {}, async ({ assumptions }) => {
    await assumptions.set({ keyScope: 'teamAndOperation' })
    await assumptions.set({ newContactStatus: 'absent' }, { teamId: 'acme' })
  })
})

const relied = ['newContactStatus', 'newContactLifecycle', 'fieldsNotGiven']
const learnedAll = { newContactStatus: 'absent', newContactLifecycle: 'lead', fieldsNotGiven: 'empty' }

async function openWithProfile(options: SandboxOptions) {
  const sandbox = await startSandbox({ world: twoTeams, ...options })
  const create = async (body: object = {}, headers: object = {}) => {
    const answer = await sandbox.fetch(
      '/api/contacts',
      postAs('acme-key', { firstName: 'Ada', lastName: 'Lovelace', ...body }, headers),
    )
    return {
      status: answer.status,
      id: answer.headers.get('x-sandbox-request') ?? '',
      assumed: namesIn(answer.headers, 'x-sandbox-assumed'),
      learned: namesIn(answer.headers, 'x-sandbox-learned'),
    }
  }
  return { sandbox, create }
}

const namesIn = (headers: Headers, header: string) => headers.get(header)?.split(', ')

it('the sandbox marks an answer as learned, not as assumed, when it relied on nothing else', async () => {
  const { create } = await openWithProfile({ profile: learnedAll })
  const told = await create()
  expect(told).toMatchObject({ status: 201, assumed: undefined })
  expect(told.learned?.sort()).toEqual([...relied].sort())
})

it('an answer carries both headers, each with its own, when it relied on both', async () => {
  const { create } = await openWithProfile({ profile: { newContactStatus: 'open' } })
  expect(await create()).toMatchObject({
    learned: ['newContactStatus'],
    assumed: ['newContactLifecycle', 'fieldsNotGiven'],
  })
})

it('the sandbox marks a refusal as well', async () => {
  const { create } = await openWithProfile({ profile: { emptyString: 'refused' } })
  expect(await create({ firstName: '' })).toMatchObject({ status: 400, learned: ['emptyString'] })
})

it('the sandbox sends no header for learned choices without a profile', async () => {
  const { create } = await openWithProfile({ assume: { newContactStatus: 'absent' } })
  expect(await create()).toMatchObject({ learned: undefined, assumed: relied })
})

it('the sandbox takes a choice by hand for a guess, also where a profile says the same', async () => {
  const { sandbox, create } = await openWithProfile({ profile: learnedAll, assume: { newContactStatus: 'absent' } })
  expect(await create()).toMatchObject({ assumed: ['newContactStatus'] })
  await sandbox.assumptions.set({ newContactLifecycle: 'absent' })
  expect(await create()).toMatchObject({ assumed: ['newContactStatus', 'newContactLifecycle'] })
  await sandbox.assumptions.set({ fieldsNotGiven: 'absent' }, { teamId: 'acme' })
  expect(await create()).toMatchObject({ assumed: relied, learned: undefined })
  await sandbox.assumptions.reset({ teamId: 'acme' })
  await sandbox.assumptions.reset()
  expect(await create()).toMatchObject({ assumed: ['newContactStatus'] })
})

it('the sandbox gives a repeated key the marks of its first answer', async () => {
  const { create } = await openWithProfile({ profile: { ...learnedAll, repeatedKey: 'replay' } })
  const key = { 'idempotency-key': 'one' }
  await create({}, key)
  const again = await create({}, key)
  expect(again.learned).toEqual(expect.arrayContaining([...relied, 'repeatedKey']))
  expect(again.assumed ?? []).not.toContain('newContactStatus')
})

it('the sandbox records learned choices in the journal, and finds requests by them', async () => {
  const { sandbox, create } = await openWithProfile({ profile: { newContactStatus: 'absent' } })
  const { id } = await create()
  const seen = await sandbox.requests.get(id)
  expect(seen).toMatchObject({ learned: ['newContactStatus'], assumed: ['newContactLifecycle', 'fieldsNotGiven'] })
  expect(seen.answered.headers).toMatchObject({ 'x-sandbox-learned': 'newContactStatus' })
  for (const assumed of ['newContactStatus', 'newContactLifecycle'])
    expect(await sandbox.requests.count({ assumed })).toBe(1)
  expect((await sandbox.assumptions.get('newContactStatus')).relied).toBe(1)
})

it('the sandbox takes a profile from a file, and refuses one that is none with a sentence', async () => {
  const path = join(newFolder(), 'learned.yaml')
  writeFileSync(path, 'newContactStatus: absent # none, until one is set; seen 2026-11-22\n')
  const { create } = await openWithProfile({ profile: path })
  expect((await create()).learned).toEqual(['newContactStatus'])
  writeFileSync(path, 'newContactStatus: sideways\n')
  await expect(openWithProfile({ profile: path })).rejects.toThrow(
    `The profile ${path} cannot be used. newContactStatus must be open or absent.`,
  )
  await expect(openWithProfile({ profile: 7 as unknown as string })).rejects.toThrow(
    'must be a file, or an object with choices',
  )
})
