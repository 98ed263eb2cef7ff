import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../../mock/create-sandbox.ts'
import { callerOf, twoTeams } from '../helpers.ts'
import { contact, itRefuses, type RefusedCall, stores, unknown } from './refused.ts'
import { newFolder, startSandbox } from '../../for-one-test.ts'

async function open(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox({ world: twoTeams, ...options })
  const call = callerOf(sandbox)
  const add = (firstName: string, key = 'acme-key') => call('createContact', { key, body: contact(firstName) })
  const names = async () =>
    Object.fromEntries(
      (await sandbox.world()).teams.map(({ _id, contacts = [] }) => [_id, contacts.map((one) => one.firstName)]),
    )
  return { sandbox, call, add, names }
}

describe.each(stores)('a snapshot on the %s store', (_, options) => {
  it('of everything restores everything, and removes later records', async () => {
    const { sandbox, add, names } = await open(await options())
    await add('ada')
    expect(await sandbox.snapshots.save('seeded')).toEqual({
      name: 'seeded',
      of: 'everything',
      teams: ['acme', 'globex'],
      records: 11,
    })
    const before = JSON.stringify(await sandbox.world())
    await add('grace')
    await add('hedy', 'globex-key')
    await sandbox.teams.create({ name: 'Initech' })
    await sandbox.snapshots.restore('seeded')
    expect(await names()).toEqual({ acme: ['ada'], globex: [] })
    expect(JSON.stringify(await sandbox.world())).toBe(before)
  })

  it('of one team restores that team, and does not change the others', async () => {
    const { sandbox, add, names } = await open(await options())
    await add('ada')
    expect(await sandbox.snapshots.save('of-acme', { teamId: 'acme' })).toMatchObject({ of: 'team', teams: ['acme'] })
    await add('grace')
    await add('hedy', 'globex-key')
    await sandbox.snapshots.restore('of-acme')
    expect(await names()).toEqual({ acme: ['ada'], globex: ['hedy'] })
    await sandbox.snapshots.restore('of-acme', { teamId: 'globex' })
    expect(await names()).toEqual({ acme: ['ada'], globex: ['ada'] })
    const [, globex] = (await sandbox.world()).teams
    expect(globex?.contacts?.[0]?.teamId).toBe('globex')
  })

  it('of everything restores one team when that team is named', async () => {
    const { sandbox, add, names } = await open(await options())
    await sandbox.snapshots.save('empty')
    await add('ada')
    await add('hedy', 'globex-key')
    await sandbox.snapshots.restore('empty', { teamId: 'acme' })
    expect(await names()).toEqual({ acme: [], globex: ['hedy'] })
  })

  it('restores a deleted team, with its key', async () => {
    const { sandbox, add, names } = await open(await options())
    await add('ada')
    await sandbox.snapshots.save('of-acme', { teamId: 'acme' })
    await sandbox.teams.delete('acme')
    await sandbox.snapshots.restore('of-acme')
    expect((await add('grace')).status).toBe(201)
    expect(await names()).toEqual({ globex: [], acme: ['ada', 'grace'] })
  })

  it('is replaced, listed and deleted, and outlives a reset', async () => {
    const { sandbox, add } = await open(await options())
    await sandbox.snapshots.save('one')
    await add('ada')
    await sandbox.snapshots.save('one', { teamId: 'acme' })
    await sandbox.snapshots.save('another')
    await sandbox.reset()
    expect((await sandbox.snapshots.list()).map(({ name, of, records }) => [name, of, records])).toEqual([
      ['another', 'everything', 11],
      ['one', 'team', 6],
    ])
    await sandbox.snapshots.delete('one')
    expect((await sandbox.snapshots.list()).map(({ name }) => name)).toEqual(['another'])
    await expect(sandbox.snapshots.restore('one')).rejects.toMatchObject({ status: 404 })
  })

  it('can be downloaded, and uploaded to another sandbox', async () => {
    const { sandbox, add } = await open(await options())
    await add('ada')
    await sandbox.snapshots.save('seeded')
    const world = await sandbox.snapshots.download('seeded')
    const { sandbox: other, names } = await open(await options())
    expect(await other.snapshots.upload('from-elsewhere', world)).toMatchObject({ of: 'everything', records: 11 })
    await other.snapshots.restore('from-elsewhere')
    expect(await names()).toEqual({ acme: ['ada'], globex: [] })
  })

  it('is refused when there are a hundred, unless it replaces one', async () => {
    const { sandbox } = await open(await options())
    for (let number = 0; number < 100; number++) await sandbox.snapshots.save(`s${number}`)
    await expect(sandbox.snapshots.save('one-more')).rejects.toThrow(
      'there are 100 snapshots already; delete one of them',
    )
    await sandbox.snapshots.save('s1')
    expect(await sandbox.snapshots.list()).toHaveLength(100)
  })
})

describe('a snapshot in memory', () => {
  const createdAt = '2026-03-01T09:30:00.000Z'
  const large = (text: string, at: number) => ({
    ...{ _id: `${text} ${at}`, firstName: text.repeat(900_000), lastName: 'L', teamId: 'acme' },
    ...{ createdAt, updatedAt: createdAt },
  })
  const worldOf = (text: string) => {
    const contacts = Array.from({ length: 15 }, (_, at) => large(text, at))
    return { teams: [{ ...twoTeams.teams[0], contacts }] } as typeof twoTeams
  }

  it('is refused when the others have more than 16 MiB of records that no team has', async () => {
    const { sandbox } = await open()
    await sandbox.snapshots.upload('a', worldOf('a'))
    await sandbox.snapshots.upload('b', worldOf('b'))
    await expect(sandbox.snapshots.upload('c', worldOf('c'))).rejects.toThrow(
      'the other snapshots have more than 16 MiB of records that no team has now; delete one of them first, or start the sandbox with a larger --memory, or with --store file:PATH, which writes snapshots to files',
    )
    await expect(sandbox.snapshots.save('now')).rejects.toThrow('have more than 16 MiB')
    expect((await sandbox.snapshots.list()).map(({ name }) => name)).toEqual(['a', 'b'])
    await sandbox.snapshots.upload('b', worldOf('c'))
    await sandbox.snapshots.delete('b')
    await sandbox.snapshots.upload('c', worldOf('c'))
  })

  it('shares the records that have not changed since, also after a restore', async () => {
    const { sandbox, add } = await open()
    await sandbox.loadWorld(worldOf('a'))
    for (let number = 0; number < 10; number++) {
      await add(`person${number}`)
      await sandbox.snapshots.save(`s${number}`)
      if (number % 2 === 0) await sandbox.snapshots.restore('s0')
      else await sandbox.snapshots.restore('s0', { teamId: 'acme' })
    }
    expect(await sandbox.snapshots.list()).toHaveLength(10)
  })
})

describe('a snapshot of the file store', () => {
  it('outlives a restart, and a process that was killed while it wrote', async () => {
    const folder = newFolder()
    const store = `file:${join(folder, 'crm.json')}`
    const first = await createSandbox({ world: twoTeams, store })
    await callerOf(first)('createContact', { body: contact('ada') })
    await first.snapshots.save('seeded')
    await first.snapshots.save('of-acme', { teamId: 'acme' })
    await first.close()
    writeFileSync(join(folder, 'crm.json.snapshot-seeded.json.tmp'), '{"format":')
    const { sandbox, names } = await open({ store })
    await sandbox.reset()
    expect((await sandbox.snapshots.list()).map(({ name, of }) => [name, of])).toEqual([
      ['of-acme', 'team'],
      ['seeded', 'everything'],
    ])
    await sandbox.snapshots.restore('seeded')
    expect(await names()).toEqual({ acme: ['ada'], globex: [] })
    await sandbox.snapshots.save('seeded')
    await sandbox.snapshots.delete('of-acme')
    expect(readdirSync(folder).filter((name) => name.includes('snapshot'))).toEqual(['crm.json.snapshot-seeded.json'])
  })
})

describe('an invalid snapshot', () => {
  const form = 'name must be 1 to 64 small letters, digits, dashes and underscores, beginning with a letter or a digit'
  const names = ['', '.', '../x', 'a/b', 'A', 'a b', '-a', '_a', 'a\u0000', 'é', 'x'.repeat(65), '__proto__']
  const record = { _id: 'a', name: 'A', apiKeys: ['k'], contacts: [{ _id: 'c' }], deals: [{}] }
  const faults = /contacts\[0\].*firstName is required[^]*deals\[0\]/
  const wrong: RefusedCall[] = [
    ...names.map((name): RefusedCall => [`save ${name.slice(0, 20)}`, ({ snapshots }) => snapshots.save(name), form]),
    ...['..%2fx', 'A', 'unknown', 'x'.repeat(3_000)].flatMap((name): RefusedCall[] => [
      [`restore ${name.slice(0, 20)}`, ({ snapshots }) => snapshots.restore(name), ...unknown],
      [`delete ${name.slice(0, 20)}`, ({ snapshots }) => snapshots.delete(name), ...unknown],
      [`download ${name.slice(0, 20)}`, ({ snapshots }) => snapshots.download(name), ...unknown],
    ]),
    ['upload under a bad name', ({ snapshots }) => snapshots.upload('A', { teams: [] }), form],
    ['upload a world with faults', ({ snapshots }) => snapshots.upload('one', { teams: [record] }), faults],
    ['save an unknown team', ({ snapshots }) => snapshots.save('one', { teamId: 'initech' }), ...unknown],
    [
      'restore an unknown team',
      ({ snapshots }) => snapshots.restore('kept', { teamId: 'initech' }),
      /^teamId must be that of a team/,
    ],
  ]

  itRefuses(wrong, {}, ({ snapshots }) => snapshots.save('kept'))
})

it('takes the world of a running sandbox, as a snapshot and as what a team starts from', async () => {
  const { sandbox, add } = await open()
  await add('ada')
  const world = await sandbox.world({ teamId: 'acme' })
  expect(await sandbox.snapshots.upload('acme', world)).toMatchObject({ teams: ['acme'] })
  const { id } = await sandbox.team({ from: world })
  expect((await sandbox.records(id, 'contacts')).total).toBe(world.teams[0]?.contacts?.length)
})

it('a reset of a team from a snapshot restores the records of the snapshot', async () => {
  const { sandbox, add, names } = await open()
  const { teamId, apiKey } = await sandbox.teams.create({ name: 'Initech' })
  await add('ada', apiKey)
  await sandbox.snapshots.save('everything')
  await sandbox.snapshots.save('initech', { teamId })
  for (const name of ['everything', 'initech']) {
    await sandbox.reset()
    await sandbox.snapshots.restore(name)
    await add('grace', apiKey)
    await sandbox.teams.reset(teamId)
    expect((await names())[teamId], name).toEqual(['ada'])
  }
})
