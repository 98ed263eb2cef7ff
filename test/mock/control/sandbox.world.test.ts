import { describe, expect, it } from 'vitest'
import { control, type Controls } from '../../../mock/testing/control-client.ts'
import type { AnyWorld } from '../../../mock/core/schemas.ts'
import { openSandbox, twoTeams } from '../helpers.ts'
import { contact, itRefuses, type RefusedCall, unknown } from './refused.ts'

const createFrom =
  ({ create }: Controls['teams']) =>
  (from: AnyWorld) =>
    create({ from })

async function open() {
  const { sandbox, call } = await openSandbox({ port: 0 })
  return { sandbox, call, doors: [sandbox, control({ url: sandbox.url })] satisfies Controls[] }
}

describe('the records of a team', () => {
  it('are found by any of their fields, by both doors alike', async () => {
    const { call, doors } = await open()
    await call('createContact', {
      body: contact('ada', { additionalFields: { tier: 'gold', seats: 3, code: '0042' } }),
    })
    const { body } = await call('createContact', { body: contact('grace') })
    await call('createCompany', { body: { name: 'Engines', contacts: [body.data._id] } })
    for (const { records } of doors) {
      const names = async (where: Record<string, string | number>) =>
        (await records('acme', 'contacts', { where })).records.map(({ firstName }) => firstName)
      expect(await names({})).toEqual(['ada', 'grace'])
      expect(await names({ email: 'ada@example.com' })).toEqual(['ada'])
      expect(await names({ 'additionalFields.tier': 'gold', 'additionalFields.seats': 3 })).toEqual(['ada'])
      expect(await names({ 'additionalFields.code': '0042' })).toEqual(['ada'])
      expect(await names({ email: 'ada@example.com', firstName: 'grace' })).toEqual([])
      await expect(names({ emial: 'ada@example.com' })).rejects.toThrow(
        'contacts have no field emial; did you mean email?',
      )
      expect(await names({ _id: body.data._id })).toEqual(['grace'])
      expect(await names({ _id: body.data._id, firstName: 'ada' })).toEqual([])
      expect(await names({ email: 'ADA@example.com' })).toEqual([])
      expect((await records('acme', 'companies', { where: { contacts: body.data._id } })).total).toBe(1)
      expect((await records('globex', 'contacts')).total).toBe(0)
    }
  })

  it('are found by a text in any field, ignoring case', async () => {
    const { call, doors } = await open()
    await call('createContact', { body: contact('Ada', { additionalFields: { tier: { name: 'GOLD', seats: 1234 } } }) })
    await call('createContact', { body: contact('Grace', { lastName: 'Émigré' }) })
    for (const { records } of doors) {
      const names = async (search: string, where = {}) =>
        (await records('acme', 'contacts', { search, where })).records.map(({ firstName }) => firstName)
      expect(await names('aDa@EXAMPLE')).toEqual(['Ada'])
      expect(await names('gold')).toEqual(['Ada'])
      expect(await names('123')).toEqual(['Ada'])
      expect(await names('émig')).toEqual(['Grace'])
      expect(await names('emigre')).toEqual(['Grace'])
      expect(await names('example', { firstName: 'Grace' })).toEqual(['Grace'])
      expect(await names('')).toEqual(['Ada', 'Grace'])
      expect(await names('additionalFields')).toEqual([])
    }
  })

  it('are found by words in any order and in several fields, and a contact by the name of its company too', async () => {
    const { call, doors } = await open()
    const { data: mill } = (await call('createCompany', { body: { name: 'Windmill Ltd' } })).body
    const grace = contact('Grace', { lastName: 'Zebrahopper', phone: '+14155550177', company: mill._id })
    await call('createContact', { body: contact('Ada') })
    const { data } = (await call('createContact', { body: grace })).body
    await call('updateContact', { path: { contactId: data._id }, body: { company: mill._id } })
    for (const { records } of doors) {
      const names = async (search: string) =>
        (await records('acme', 'contacts', { search })).records.map(({ firstName }) => firstName)
      expect(await names('Grace Zebrahopper')).toEqual(['Grace'])
      expect(await names(' zebra  GRACE\t')).toEqual(['Grace'])
      expect(await names('+1 415 555 0177 example')).toEqual(['Grace'])
      for (const phone of ['415-555-0177', '(415) 555-0177', '+1 415-555-0177', ' 1.415.555.0177 '])
        expect(await names(phone)).toEqual(['Grace'])
      expect(await names('415-555-0178')).toEqual([])
      expect(await names('grace windmill')).toEqual(['Grace'])
      expect(await names('windmill')).toEqual(['Grace'])
      expect(await names('ada windmill')).toEqual([])
      expect(await names('example')).toEqual(['Ada', 'Grace'])
    }
  })

  it('have the type of their kind', async () => {
    const { sandbox, call } = await open()
    await call('createDeal', { body: { name: 'Engine', pipeline: 'sales', stage: 'talking', amount: 5 } })
    const [deal] = (await sandbox.records('acme', 'deals')).records
    const stage: string | undefined = deal?.stage
    const amount: number | undefined = deal?.amount
    expect([stage, amount]).toEqual(['talking', 5])
  })

  it('are the newest first with a minus alone, in pages, and in what a search found', async () => {
    const { call, doors } = await open()
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await call('createCompany', { body: { name, city: name < 'd' ? 'Rome' : 'Oslo' } })
    for (const { records } of doors) {
      const names = async (more: object) =>
        (await records('acme', 'companies', { sort: '-', ...more })).records.map(({ name }) => name)
      expect(await names({})).toEqual(['e', 'd', 'c', 'b', 'a'])
      expect(await names({ limit: 2, page: 2 })).toEqual(['c', 'b'])
      expect(await names({ limit: 2, page: 3 })).toEqual(['a'])
      expect(await names({ limit: 2, page: 4 })).toEqual([])
      expect(await names({ search: 'rome' })).toEqual(['c', 'b', 'a'])
    }
  })

  it('are sorted by a field, by age where it is the same, and those without it are the last', async () => {
    const { call, doors } = await open()
    const seatsOf = { c: 10, a: 9, É: 'many', b: undefined, e: 9, F: 2 }
    for (const [at, [lastName, seats]] of Object.entries(seatsOf).entries())
      await call('createContact', { body: contact(`x${at}`, { lastName, additionalFields: { seats } }) })
    for (const { records } of doors) {
      const names = async (sort: string, page = {}) =>
        (await records('acme', 'contacts', { sort, ...page })).records.map(({ lastName }) => lastName)
      expect(await names('lastName')).toEqual(['a', 'b', 'c', 'e', 'É', 'F'])
      expect(await names('-lastName')).toEqual(['F', 'É', 'e', 'c', 'b', 'a'])
      expect(await names('additionalFields.seats')).toEqual(['F', 'a', 'e', 'c', 'É', 'b'])
      expect(await names('-additionalFields.seats')).toEqual(['É', 'c', 'a', 'e', 'F', 'b'])
      expect(await names('nothing')).toEqual(['c', 'a', 'É', 'b', 'e', 'F'])
      expect(await names('lastName', { page: 2, limit: 4 })).toEqual(['É', 'F'])
    }
  })

  it('of 5,000 are sorted in order', async () => {
    const contacts = Array.from({ length: 5_000 }, (_, at) => ({
      ...contact(`${(at * 7919) % 5_000}`.padStart(4, '0')),
      _id: `${at}`,
      teamId: 'acme',
      createdAt: '2026-03-01T09:30:00.000Z',
      updatedAt: '2026-03-01T09:30:00.000Z',
    }))
    const { sandbox } = await openSandbox({ world: { teams: [{ _id: 'acme', name: 'Acme', apiKeys: [], contacts }] } })
    const names: unknown[] = []
    for (let page = 1; page <= 5; page++)
      for (const { firstName } of (await sandbox.records('acme', 'contacts', { sort: 'firstName', page, limit: 1000 }))
        .records)
        names.push(firstName)
    expect(names).toEqual(contacts.map(({ firstName }) => firstName).sort())
  })

  it('come in pages, oldest first', async () => {
    const { call, doors } = await open()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await call('createContact', { body: contact(name) })
    for (const { records } of doors) {
      const page = await records('acme', 'contacts', { page: 2, limit: 2 })
      expect(page).toMatchObject({ total: 5, page: 2, limit: 2, records: [{ firstName: 'c' }, { firstName: 'd' }] })
      expect((await records('acme', 'contacts', { page: 4, limit: 2 })).records).toEqual([])
    }
  })
})

describe('a world', () => {
  it('of one team or of all is what the sandbox holds', async () => {
    const { sandbox, call, doors } = await open()
    await call('createContact', { body: contact('ada') })
    const [acme] = (await sandbox.world()).teams
    for (const { world } of doors) {
      expect((await world({ teamId: 'acme' })).teams).toEqual([acme])
      expect((await world()).teams).toHaveLength(2)
    }
  })

  it('is loaded into a running sandbox in place of all that it had', async () => {
    const { call, doors, sandbox } = await open()
    const { teams } = await sandbox.world()
    const [, globex] = teams
    for (const { loadWorld } of doors) {
      await call('createContact', { body: contact('ada') })
      expect(await loadWorld({ teams })).toEqual(teams.map(({ _id }) => ({ teamId: _id, name: _id })))
      expect((await sandbox.world()).teams).toEqual(teams)
    }
    await sandbox.loadWorld({ teams: [{ ...globex, _id: 'initech', apiKeys: ['initech-key'] }] })
    expect((await call('createContact', { body: contact('ada') })).status).toBe(401)
    expect((await call('createContact', { key: 'initech-key', body: contact('ada') })).status).toBe(201)
    await sandbox.teams.reset('initech')
    expect((await sandbox.records('initech', 'contacts')).total).toBe(0)
    await sandbox.reset()
    expect((await sandbox.world()).teams).toEqual(teams)
  })

  it('of the package is listed with its teams, and a new team starts as each of them', async () => {
    for (const { worlds, teams, records } of (await open()).doors) {
      const listed = await worlds.list()
      expect(listed.map(({ name }) => name)).toEqual([
        ...['demo', 'two-teams', 'empty', 'story:shop', 'story:clinic', 'story:agency'],
      ])
      expect(listed.every(({ description }) => description.length > 20)).toBe(true)
      for (const { from } of listed.flatMap(({ teams }) => teams)) {
        const { teamId } = await teams.create({ from })
        expect((await records(teamId, 'providers')).total).toBe(3)
      }
    }
  })

  it('of the package replaces everything after a download', async () => {
    const { doors } = await open()
    for (const { worlds, loadWorld, records } of doors) {
      await loadWorld(await worlds.download('story:shop'))
      expect((await records('towpath', 'messages')).total).toBeGreaterThan(0)
    }
  })

  it('in a request of more than 32 MiB is refused, and the message says what to do', async () => {
    const { doors, sandbox } = await open()
    const before = await sandbox.world()
    const name = 'x'.repeat(32 * 1024 * 1024)
    for (const { addWorld, loadWorld, snapshots, teams } of doors)
      for (const send of [addWorld, loadWorld, (world: AnyWorld) => snapshots.upload('a', world), createFrom(teams)])
        await expect(send({ teams: [{ ...before.teams[0], name }] })).rejects.toMatchObject({
          status: 400,
          message:
            'a request to the control plane must not be larger than 32 MiB; start the sandbox with a larger world (--world), or add its teams in several requests (POST /_sandbox/world)',
        })
    expect(await sandbox.world()).toEqual(before)
  })

  it('is downloaded by at most 20 clients at once', async () => {
    const contacts = ['a', 'b', 'c', 'd'].map((_id) => ({
      ...contact(_id),
      _id,
      teamId: 'acme',
      createdAt: '2026-03-01T09:30:00.000Z',
      updatedAt: '2026-03-01T09:30:00.000Z',
      additionalFields: { long: 'x'.repeat(4 * 1024 * 1024) },
    }))
    const { sandbox } = await openSandbox({
      port: 0,
      world: { teams: [{ ...twoTeams.teams[0], _id: 'acme', name: 'Acme', apiKeys: [], contacts }] },
    })
    const ask = () => fetch(`${sandbox.url}/_sandbox/world`)
    const unread = await Promise.all(Array.from({ length: 20 }, ask))
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      success: false,
      message: expect.stringMatching(/^other requests take all memory/),
    })
    await unread[0]?.body?.cancel()
    await expect.poll(async () => (await ask()).status).toBe(200)
    for (const { body } of unread) await body?.cancel()
  })

  it('can be added to the teams that there are', async () => {
    const { call, sandbox } = await open()
    const [acme] = twoTeams.teams
    const added = await sandbox.addWorld({
      teams: [{ ...acme, _id: 'initech', name: 'Initech', apiKeys: ['initech-key'] }],
    })
    expect(added).toEqual([{ teamId: 'initech', name: 'Initech' }])
    expect((await call('createContact', { key: 'initech-key', body: contact('ada') })).status).toBe(201)
    expect((await sandbox.records('acme', 'contacts')).total).toBe(0)
  })
})

describe('an invalid world or record', () => {
  const [acme] = twoTeams.teams
  const other = { ...acme, _id: 'initech', apiKeys: ['initech-key'] }
  const find =
    (team: string, kind: string, page = {}) =>
    ({ records }: Controls) =>
      records(team, kind as 'contacts', page)
  const load =
    (...teams: unknown[]) =>
    ({ loadWorld }: Controls) =>
      loadWorld({ teams } as never)
  const add =
    (...teams: unknown[]) =>
    ({ addWorld }: Controls) =>
      addWorld({ teams } as never)
  const wrong: RefusedCall[] = [
    ['an unknown team', find('initech', 'contacts'), ...unknown],
    ['a kind of a prototype', find('acme', 'constructor'), ...unknown],
    ['kept answers', find('acme', 'answers'), ...unknown],
    ...[0, -1, 1.5, 1e10].map((page): RefusedCall => [
      `page ${page}`,
      find('acme', 'contacts', { page }),
      'page must be a whole number from 1 to 1000000000',
    ]),
    ...[0, 1001, NaN].map((limit): RefusedCall => [
      `limit ${limit}`,
      find('acme', 'contacts', { limit }),
      'limit must be a whole number from 1 to 1000',
    ]),
    ...['', '--name'].map((sort): RefusedCall => [
      `to sort by '${sort}'`,
      find('acme', 'contacts', { sort }),
      'sort must be the name of a field, after a minus for the reverse order',
    ]),
    ['a search for a long text', find('acme', 'contacts', { search: 'x'.repeat(1001) }), /^search must/],
    ['the world of no team', ({ world }) => world({ teamId: '' }), /^teamId must be 1 to 100 letters/],
    ['an unknown world', ({ worlds }) => worlds.download('dmo'), 'there is no world dmo; did you mean demo?'],
    [
      'a file',
      ({ worlds }) => worlds.download('../package.json'),
      /^there is no world "\.\.\/package.json"; there are demo,/,
    ],
    ['no teams', ({ loadWorld }) => loadWorld({} as never), 'teams is required'],
    ['teams with faults', load({}, { _id: 1 }), /teams\[0\][^]*teams\[1\]/],
    ['one id twice', load(acme, acme), /_id is already used by/],
    ['a known team', add(other, acme), /^there is a team acme already/],
    [
      'a known key',
      add({ ...other, apiKeys: ['acme-key'] }),
      'an API key of team initech is one of team acme already; choose another',
    ],
  ]

  itRefuses(wrong)
})

it('is added once when it is sent twice at the same time, and the other is refused', async () => {
  const { sandbox } = await open()
  const umbrella = { version: 1, teams: [{ _id: 'umbrella', name: 'Umbrella', apiKeys: ['umbrella-key'] }] }
  const sent = await Promise.allSettled([1, 2, 3].map(() => sandbox.addWorld(umbrella)))
  const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  expect(refused).toEqual([1, 2].map(() => expect.objectContaining({ status: 400 }) as unknown))
  expect((await sandbox.teams.list()).filter(({ teamId }) => teamId === 'umbrella')).toHaveLength(1)
})
