import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { control } from '../../../mock/testing/control-client.ts'
import type { SandboxOptions } from '../../../mock/create-sandbox.ts'
import { SnapshotFiles } from '../../../mock/store/file/snapshot-files.ts'
import { UnusableSnapshot } from '../../../mock/store/port.ts'
import { callerOf, twoTeams } from '../helpers.ts'
import { Disk } from './disk.ts'
import { failure, type Fault, openOn, withFaults } from './faults.ts'
import { contact, emptyTeams } from './helpers.ts'
import { newFolder, startSandbox } from '../../for-one-test.ts'

async function openInFolder(options: Partial<SandboxOptions> = {}) {
  const folder = newFolder()
  const path = join(folder, 'crm.json')
  const sandbox = await startSandbox({ world: twoTeams, store: `file:${path}`, port: 0, ...options })
  const filesOf = (word: string) => readdirSync(folder).filter((name) => name.includes(word))
  return { sandbox, folder, path, filesOf, client: control({ url: sandbox.url }) }
}

const damages: readonly [string, string, (path: string) => unknown][] = [
  [
    'cut',
    'is empty, or is not JSON, or not all of it',
    (path) => writeFileSync(path, readFileSync(path).subarray(0, -9)),
  ],
  [
    'changed',
    'was changed or damaged',
    (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"acme"', '"xcme"')),
  ],
]

describe('a snapshot in a file that was', () => {
  it.each(damages)('%s is refused with a sentence by both doors, replaced and deleted', async (_, why, damage) => {
    const { sandbox, path, filesOf, client } = await openInFolder()
    const file = `${path}.snapshot-bad.json`
    for (const snapshots of [sandbox.snapshots, client.snapshots]) {
      await snapshots.save('bad')
      damage(file)
      const reads = [() => snapshots.restore('bad'), () => snapshots.download('bad')]
      for (const read of reads) await expect(read()).rejects.toThrow(`${file} ${why}`)
      await snapshots.save('bad')
      await snapshots.restore('bad')
      damage(file)
      await snapshots.delete('bad')
      expect(await snapshots.list()).toEqual([])
    }
    expect(filesOf('bad')).toEqual([])
  })

  it('emptied is listed with the reason', async () => {
    const { path, client } = await openInFolder()
    await client.snapshots.save('bad')
    await client.snapshots.save('good')
    writeFileSync(`${path}.snapshot-bad.json`, '')
    const damage = expect.stringContaining(`${path}.snapshot-bad.json is empty`) as unknown
    expect(await client.snapshots.list()).toEqual([
      { name: 'bad', of: 'unknown', teams: [], records: 0, damage },
      { name: 'good', of: 'everything', teams: ['acme', 'globex'], records: 10 },
    ])
  })
})

describe('what a team started from', () => {
  it.each(['a:b@c.d', 'x'.repeat(100), '__proto__'])('is kept for the id %j', async (_id) => {
    const { sandbox, path } = await openInFolder()
    const [acme] = twoTeams.teams
    await sandbox.addWorld({ teams: [{ ...acme, _id, apiKeys: ['new-key'] }] })
    await sandbox.close()
    const again = await startSandbox({ world: twoTeams, store: `file:${path}` })
    await callerOf(again)('createProduct', { key: 'new-key', body: { name: 'Cog', unitPrice: 1 } })
    await again.teams.reset(_id)
    const { teams } = await again.world()
    expect(teams.find((team) => team._id === _id)).not.toHaveProperty('products')
  })

  it('is kept through changes, a replacement and a kill, and is removed with the team', async () => {
    const disk = new Disk()
    const store = await openOn(disk)
    const hooli = { _id: 'hooli', name: 'Hooli', apiKeys: ['hooli-key'], contacts: [contact('bill')] }
    const expectInitialRecords = async (origins: object) => {
      for (const open of [store, await openOn(disk.afterKill())]) {
        const found = await Promise.all(
          Object.keys(origins).map(async (id) => [id, await open.initialRecords(id)] as const),
        )
        expect(Object.fromEntries(found)).toEqual(origins)
      }
    }
    await store.addTeam(hooli)
    await store.transaction('hooli', ({ records: { contacts } }) => contacts.remove('bill'))
    await expectInitialRecords({ hooli, acme: undefined })
    const now = await store.world()
    await store.replaceAll(now, [hooli])
    await expectInitialRecords({ hooli, acme: undefined })
    expect(await store.world()).toEqual(now)
    expect(await (await openOn(disk.afterKill())).world()).toEqual(now)
    await store.removeTeam('hooli')
    await expectInitialRecords({ hooli: undefined })
    await store.addTeam(hooli)
    await store.replaceAll(now)
    await expectInitialRecords({ hooli: undefined })
  })

  it('is kept when a replacement fails', async () => {
    const disk = new Disk()
    let isFull = false
    const { files } = withFaults(disk, () => (isFull ? full : undefined))
    const store = await openOn(files)
    const hooli = { _id: 'hooli', name: 'Hooli', apiKeys: ['hooli-key'], contacts: [contact('bill')] }
    await store.addTeam(hooli)
    isFull = true
    await expect(store.replaceAll(emptyTeams)).rejects.toThrow('could not be written')
    isFull = false
    for (const open of [store, await openOn(disk.afterKill())])
      expect(await open.initialRecords('hooli')).toEqual(hooli)
  })
})

const full: Fault = async () => Promise.reject(failure('ENOSPC'))

describe('worlds in files', () => {
  const kept = (name: string) => ({
    world: { teams: emptyTeams.teams.slice(0, 1).map((team) => ({ ...team, name })) },
    isWhole: true,
  })

  it('are replaced whole or not at all, whichever call finds the disk full, and leave nothing half written', async () => {
    const calls = await replaceWithFaultAt(Infinity)
    expect(calls).toBeGreaterThan(5)
    for (let at = 0; at < calls; at++) await replaceWithFaultAt(at)
  })

  it('are listed by their first lines', async () => {
    const disk = new Disk()
    const long = Array.from({ length: 4 }, (_, at) => contact(`c${at}`, { lastName: 'x'.repeat(1024 * 1024) }))
    const world = { teams: [{ _id: 'acme', name: 'Acme', apiKeys: [], contacts: long }] }
    await new SnapshotFiles('/data/crm.json', disk).put('long', { world, isWhole: false })
    const { files, log } = withFaults(disk, () => undefined)
    const worlds = new SnapshotFiles('/data/crm.json', files)
    expect(await worlds.summary('long')).toEqual({ isWhole: false, teams: ['acme'], records: 4 })
    expect(log.calls).toBeLessThan(8)
  })

  /** Answers how many calls it takes to replace a world. */
  async function replaceWithFaultAt(at: number): Promise<number> {
    const disk = new Disk()
    let first = Infinity
    const { files, log } = withFaults(disk, (call) => (call === first + at ? full : undefined))
    const worlds = new SnapshotFiles('/data/crm.json', files)
    const name = async () => (await worlds.get('one'))?.world.teams[0]?.name
    await worlds.put('one', kept('before'))
    first = log.calls
    const refusal = await worlds.put('one', kept('after')).catch((error: unknown) => error)
    const calls = log.calls - first
    first = Infinity
    if (refusal instanceof UnusableSnapshot) {
      expect(refusal.message).toContain('check its folder, its permissions and the space on the disk')
      expect(['before', 'after']).toContain(await name())
    } else expect([refusal, await name()]).toEqual([undefined, 'after'])
    expect(await disk.list('/data')).toEqual(['crm.json.snapshot-one.json'])
    await worlds.put('one', kept('again'))
    expect(await name()).toBe('again')
    return calls
  }
})
