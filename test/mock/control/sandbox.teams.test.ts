import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sleep } from '../../../contracts/client/sleep.ts'
import type { ControlBody } from '../../../mock/testing/control-client.ts'
import type { World } from '../../../fixtures/world.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../mock/create-sandbox.ts'
import type { OperationId } from '../../../spec/operations.ts'
import { type CallOptions, callerOf, type ApiResponse, twoTeams } from '../helpers.ts'
import { whatsapp } from '../template-requests.ts'
import { contact, itRefuses, stores } from './refused.ts'
import { newFolder, startSandbox, postAs } from '../../for-one-test.ts'

type From = NonNullable<NonNullable<ControlBody<'createTeam'>>['from']>

const idIn = (response: ApiResponse) => (response.body as { data: { _id: string } }).data._id

async function open(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox({ world: twoTeams, ...options })
  const call = callerOf(sandbox)
  const create = async (from?: From) => {
    const { teamId, apiKey } = await sandbox.teams.create(from === undefined ? {} : { from })
    return {
      teamId,
      call: (id: OperationId, ask: CallOptions = {}) => call(id, { key: apiKey, ...ask }),
      contacts: async () => (await inWorld(teamId)).contacts ?? [],
    }
  }
  const inWorld = async (teamId: string) => {
    const team = (await sandbox.world()).teams.find(({ _id }) => _id === teamId)
    if (!team) throw new Error(`no team ${teamId}`)
    return team
  }
  return { sandbox, call, create, inWorld }
}

describe.each(stores)('a team on the %s store', (_, options) => {
  it('starts as a fork of another: with the same ids, as its own, and changes nothing of the other', async () => {
    const { call, create, inWorld } = await open(await options())
    const ada = idIn(await call('createContact', { body: contact('ada') }))
    const company = idIn(await call('createCompany', { body: { name: 'Engines', contacts: [ada] } }))
    await call('findOrCreateConversation', { body: { email: 'ada@example.com' } })
    const fork = await create('team:acme')
    const forked = await inWorld(fork.teamId)
    const acme = await inWorld('acme')
    for (const kind of ['contacts', 'conversations', 'companies'] as const) {
      expect(forked[kind]).toEqual(acme[kind]?.map((record) => ({ ...record, teamId: fork.teamId })))
    }
    expect(forked.users).toEqual(acme.users)
    const before = JSON.stringify(acme)
    expect((await fork.call('updateCompany', { path: { companyId: company }, body: { name: 'Other' } })).status).toBe(
      200,
    )
    const again = await fork.call('createOrUpdateContact', { body: { ...contact('ada'), lastName: 'Byron' } })
    expect(again.body.data).toMatchObject({ _id: ada, teamId: fork.teamId, lastName: 'Byron' })
    expect((await fork.call('deleteContact', { path: { contactId: ada } })).status).toBe(200)
    expect(JSON.stringify(await inWorld('acme'))).toBe(before)
    expect(idIn(await call('createOrUpdateContact', { body: contact('ada') }))).toBe(ada)
  })

  it('starts as a world of the package, a snapshot or a world that is sent', async () => {
    const { sandbox, call, create, inWorld } = await open(await options())
    await call('createContact', { body: contact('ada') })
    await sandbox.snapshots.save('seeded')
    const shipped = await create('world:demo')
    expect((await inWorld(shipped.teamId)).templates?.length).toBeGreaterThan(0)
    expect((await shipped.contacts()).every(({ teamId }) => teamId === shipped.teamId)).toBe(true)
    const story = await create('story:shop')
    expect((await inWorld(story.teamId)).messages?.length).toBeGreaterThan(0)
    const saved = await create('snapshot:seeded/acme')
    expect((await saved.contacts()).map(({ firstName }) => firstName)).toEqual(['ada'])
    const sent = await create({ teams: [{ ...twoTeams.teams[0], pipelines: [{ _id: 'sales', stages: ['new'] }] }] })
    expect(await inWorld(sent.teamId)).toMatchObject({ pipelines: [{ _id: 'sales', stages: ['new'] }] })
  })

  it.each(['empty', 'team:acme', 'world:demo'] as const)('goes back to what it started from: %s', async (from) => {
    const { sandbox, call, create, inWorld } = await open(await options())
    await call('createContact', { body: contact('ada') })
    const { teamId, ...team } = await create(from)
    const before = await inWorld(teamId)
    const headers = { 'idempotency-key': 'one' }
    const grace = idIn(await team.call('createContact', { headers, body: contact('grace') }))
    await team.call('createCompany', { body: { name: 'Engines' } })
    await sandbox.teams.reset(teamId)
    expect(await inWorld(teamId)).toEqual(before)
    expect(idIn(await team.call('createContact', { headers, body: contact('grace') }))).not.toBe(grace)
    expect((await inWorld('acme')).contacts).toHaveLength(1)
  })

  it('of the initial data is reset to the initial data', async () => {
    const { sandbox, call, inWorld } = await open(await options())
    await call('createContact', { body: contact('ada') })
    await call('createContact', { key: 'globex-key', body: contact('grace') })
    await sandbox.teams.reset('acme')
    expect(await inWorld('acme')).toEqual(twoTeams.teams[0])
    expect((await inWorld('globex')).contacts).toHaveLength(1)
  })

  it.each(['of the team', 'of everything'])(
    'keeps no record from before a reset %s, however many write',
    async (what) => {
      const { sandbox, call, create, inWorld } = await open(await options())
      const team = what === 'of everything' ? undefined : await create('team:acme')
      const teamId = team?.teamId ?? 'acme'
      let isReset = false
      const answered: string[] = []
      const sentAfterwards: string[] = []
      const write = async (writer: number) => {
        for (let [turn, turnsAfterwards] = [0, 0]; turnsAfterwards < 2; turn++) {
          const firstName = `ada-${writer}-${turn}`
          if (isReset) {
            turnsAfterwards++
            sentAfterwards.push(firstName)
          }
          const { status } = await (team?.call ?? call)('createContact', { body: contact(firstName) })
          expect(status).toBe(201)
          answered.push(firstName)
        }
      }
      const writers = Array.from({ length: 64 }, (_, writer) => write(writer))
      while (answered.length < 64) await new Promise((scheduleAt) => setImmediate(scheduleAt))
      const old = [...answered]
      await (team ? sandbox.teams.reset(teamId) : sandbox.reset())
      isReset = true
      await Promise.all(writers)
      const left = ((await inWorld(teamId)).contacts ?? []).map(({ firstName }) => firstName)
      expect(left.filter((firstName) => old.includes(firstName))).toEqual([])
      expect(left).toEqual(expect.arrayContaining(sentAfterwards))
    },
  )
})

it('in a file survives a restart, and a reset restores its initial records', async () => {
  const store = `file:${join(newFolder(), 'crm.json')}`
  const first = await createSandbox({ world: twoTeams, store })
  await callerOf(first)('createContact', { body: contact('ada') })
  const { teamId, apiKey } = await first.teams.create({ from: 'team:acme' })
  await callerOf(first)('createContact', { key: apiKey, body: contact('grace') })
  await first.close()
  const { sandbox, inWorld } = await open({ store })
  expect((await inWorld(teamId)).contacts).toHaveLength(2)
  await sandbox.teams.reset(teamId)
  expect((await inWorld(teamId)).contacts?.map(({ firstName }) => firstName)).toEqual(['ada'])
})

describe('an invalid source of a team', () => {
  const form = 'from must be empty, team:ID, world:NAME, story:NAME, snapshot:NAME, or a world with one team'
  const worlds = 'demo, two-teams, empty, story:shop, story:clinic, story:agency'
  const wrong: [from: unknown, message: string | RegExp][] = [
    [null, form],
    ['demo', form],
    ['file:/etc/passwd', form],
    ['world:', form],
    ['x'.repeat(100_000), form],
    [{ world: 1 }, form],
    ['team:initech', 'from: there is no team initech; `ctl teams list` shows them'],
    ['team:__proto__', 'from: there is no team __proto__; `ctl teams list` shows them'],
    ['world:constructor', `there is no world constructor; there are ${worlds}`],
    ['world:package.json', `there is no world "package.json"; there are ${worlds}`],
    ['world:two-team', 'there is no world two-team; did you mean two-teams?'],
    ['story:shopp', 'there is no world "story:shopp"; did you mean story:shop?'],
    ['story:demo', 'there is no world "story:demo"; did you mean story:shop?'],
    ['story:../worlds/demo', /^there is no world "story:\.\.";/],
    ['world:two-teams', 'from must name one team of that world, which has acme, globex'],
    ['world:demo/acme', 'from must name one team of that world, which has demo'],
    ['world:empty/x', /^from must name one team of that world/],
    ['snapshot:seeded', 'from: there is no snapshot seeded; `ctl snapshots list` shows them'],
    ['snapshot:../../etc/passwd', /^from must name one team|^from: there is no snapshot/],
    [twoTeams, 'from must name one team of that world, which has acme, globex'],
    [{ teams: [] }, 'from must name one team of that world, which has none'],
    [
      { teams: [{ _id: 1 }] },
      /^the world: teams\[0\]: name is required\n.*apiKeys is required\n.*_id must be a string/,
    ],
  ]

  itRefuses(
    wrong.map(([from, message]) => [
      JSON.stringify(from).slice(0, 40),
      ({ teams }) => teams.create({ from: from as From }),
      message,
    ]),
  )
})

describe.each(['reset', 'delete'] as const)('a %s of a team', (end) => {
  const post = (sandbox: Sandbox, path: string, body: object, key = 'acme-key') =>
    sandbox.fetch(path, postAs(key, body))

  it('ends its faults and gates, and no others', async () => {
    const { sandbox } = await open()
    for (const team of [{ team: 'acme' }, { team: 'globex' }, {}]) {
      await sandbox.faults.add({ ...team, operation: 'createDeal', status: 500 })
      await sandbox.gates.add({ ...team, operation: 'createProduct', nth: 2 })
    }
    const held = await sandbox.gates.add({ team: 'acme', operation: 'createContact' })
    const ended = expect(post(sandbox, '/api/contacts', contact('ada'))).rejects.toThrow('fetch failed')
    expect((await sandbox.gates.wait(held.id)).state).toBe('held')
    await sandbox.teams[end]('acme')
    await ended
    expect((await sandbox.faults.list()).map(({ team }) => team)).toEqual(['globex', undefined])
    expect((await sandbox.gates.list()).map(({ team }) => team)).toEqual(['globex', undefined])
  })

  it('ends its requests that faults and gates of all teams hold, and no others', async () => {
    const { sandbox } = await open()
    const hold = async (key: string) => {
      const { id } = await sandbox.gates.add({ operation: 'createContact' })
      const created = post(sandbox, '/api/contacts', contact('ada'), key)
      created.catch(() => undefined)
      expect((await sandbox.gates.wait(id)).state).toBe('held')
      return { created }
    }
    const [acme, globex] = [await hold('acme-key'), await hold('globex-key')]
    const ended = [expect(acme.created).rejects.toThrow('fetch failed')]
    const delayed = [
      ['beforeCommit', 'createProduct', '/api/products', { name: 'Cog', unitPrice: 1 }],
      ['afterCommit', 'createCompany', '/api/companies/create', { name: 'Cogs' }],
    ] as const
    for (const [phase, operation, path, body] of delayed) {
      const { id } = await sandbox.faults.add({ operation, phase, delay: '30s' })
      ended.push(expect(post(sandbox, path, body)).rejects.toThrow('fetch failed'))
      while ((await sandbox.faults.get(id)).fired < 1) await sleep(1)
    }
    await sandbox.teams[end]('acme')
    await Promise.all(ended)
    expect((await sandbox.gates.list()).map(({ state }) => state)).toEqual(['dropped', 'held'])
    await sandbox.gates.release('gate-2')
    expect((await globex.created).status).toBe(201)
    const [left] = (await sandbox.world()).teams.filter(({ _id }) => _id === 'acme')
    expect([left?.contacts ?? [], left?.products ?? []]).toEqual([[], []])
  })
})

describe('a team that is deleted meanwhile', () => {
  const ofTheTeam: [string, (sandbox: Sandbox) => Promise<unknown>][] = [
    ['its world', ({ world }) => world({ teamId: 'acme' })],
    ['its records', ({ records }) => records('acme', 'contacts')],
    ['a fork', ({ teams }) => teams.create({ from: 'team:acme' })],
    ['its keys', ({ teams }) => teams.get('acme')],
    ['its reset', ({ teams }) => teams.reset('acme')],
    ['its deletion', ({ teams }) => teams.delete('acme')],
    ['a snapshot', ({ snapshots }) => snapshots.save('other', { teamId: 'acme' })],
    ['its return', ({ snapshots }) => snapshots.restore('saved')],
    ['its bulk sends', ({ bulkSends }) => bulkSends.release({ teamId: 'acme' })],
    ['a customer', ({ incoming }) => incoming.add('acme', { channel: 'chat', from: 'ada@example.com', content: 'Hi' })],
    ['a token', ({ tokens }) => tokens.sign({ teamId: 'acme', role: 'admin' })],
    ['a delivery', ({ outbox }) => outbox.report('acme', 'message', { status: 'read' })],
  ]

  it.each(ofTheTeam)('is refused as an unknown one, at any moment: %s', async (_, act) => {
    for (const error of await tryMeanwhile(act))
      expect(error).toMatchObject({ status: expect.toBeOneOf([400, 404]) as number })
  })

  const ofAll: [string, (sandbox: Sandbox) => Promise<unknown>][] = [
    ['the bulk sends of all teams', ({ bulkSends }) => bulkSends.release()],
    ['a template of another', ({ templates }) => templates.approve('welcome')],
    ['the outbox', ({ outbox }) => outbox.list()],
    ['the list', ({ teams }) => teams.list()],
  ]

  it.each(ofAll)('does not disturb other requests: %s', async (_, act) => {
    expect(await tryMeanwhile(act)).toEqual([])
  })

  const templates = [{ ...whatsapp, _id: 'welcome', templateType: 'whatsapp', status: 'pending' } as const]
  const world: World = {
    teams: twoTeams.teams.map((team) => (team._id === 'acme' ? team : { ...team, templates })),
  }

  async function steps(count: number): Promise<void> {
    for (let step = 0; step < count; step++) await Promise.resolve()
  }

  /** Does something while the team is deleted, which happens a little later each time; gives what went wrong. */
  async function tryMeanwhile(act: (sandbox: Sandbox) => Promise<unknown>): Promise<unknown[]> {
    const sandbox = await startSandbox({ world })
    const wrong: unknown[] = []
    for (let later = -12; later < 12; later++) {
      await sandbox.reset()
      await sandbox.snapshots.save('saved', { teamId: 'acme' })
      const acting = steps(-later).then(() => act(sandbox))
      const deletion = steps(later).then(() => sandbox.teams.delete('acme'))
      await Promise.all([acting.catch((error: unknown) => wrong.push(error)), deletion.catch(() => undefined)])
    }
    return wrong
  }
})
