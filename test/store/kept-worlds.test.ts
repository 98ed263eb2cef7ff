import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { control } from '../../control/client.ts'
import { createSandbox, type SandboxOptions } from '../../mock/create-sandbox.ts'
import { WorldsOnDisk } from '../../mock/store/file/worlds-on-disk.ts'
import { UnusableKeptWorld } from '../../mock/store/port.ts'
import { callerOf, twoTeams } from '../mock/harness.ts'
import { Disk } from './disk.ts'
import { failure, type Fault, withFaults } from './faults.ts'
import { emptyTeams, newFolder } from './harness.ts'

async function openInFolder(options: Partial<SandboxOptions> = {}) {
  const folder = await newFolder()
  const path = join(folder, 'crm.json')
  const sandbox = await createSandbox({ world: twoTeams, store: `file:${path}`, port: 0, ...options })
  onTestFinished(() => sandbox.close())
  const filesOf = (word: string) => readdirSync(folder).filter((name) => name.includes(word))
  return { sandbox, folder, path, filesOf, client: control({ url: sandbox.url }) }
}

const damages: readonly [string, string, (path: string) => unknown][] = [
  [
    'emptied',
    'is empty',
    (path) => {
      writeFileSync(path, '')
    },
  ],
  [
    'cut',
    'is not JSON, or not all of it',
    (path) => {
      writeFileSync(path, readFileSync(path).subarray(0, -9))
    },
  ],
  [
    'changed',
    'was changed or damaged',
    (path) => {
      writeFileSync(path, readFileSync(path, 'utf8').replace('"acme"', '"xcme"'))
    },
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
      await snapshots.save('good')
      expect(await snapshots.list()).toEqual([
        {
          name: 'bad',
          of: 'unknown',
          teams: [],
          records: 0,
          damage: expect.stringContaining(`${file} ${why}`) as unknown,
        },
        { name: 'good', of: 'everything', teams: ['acme', 'globex'], records: 10 },
      ])
      await snapshots.delete('good')
      await snapshots.save('bad')
      await snapshots.restore('bad')
      damage(file)
      await snapshots.delete('bad')
      expect(await snapshots.list()).toEqual([])
    }
    expect(filesOf('bad')).toEqual([])
  })

  const kinds: readonly [string, (path: string, victim: string) => unknown][] = [
    [
      'a symbolic link',
      (path, victim) => {
        symlinkSync(victim, path)
      },
    ],
    ['a named pipe', (path) => execFileSync('mkfifo', [path])],
    [
      'a folder',
      (path) => {
        mkdirSync(path)
      },
    ],
  ]

  it.each(kinds)('replaced by %s is neither read nor written nor removed', async (kind, make) => {
    const { path, folder, client } = await openInFolder()
    const victim = join(await newFolder(), 'victim')
    writeFileSync(victim, 'what somebody else needs')
    for (const name of ['bad', 'half']) make(`${path}.snapshot-${name}.json${name === 'half' ? '.tmp' : ''}`, victim)
    const { snapshots } = client
    const damage = expect.stringContaining(`is ${kind}, where a file of the store belongs: move it`) as unknown
    expect(await snapshots.list()).toEqual([{ name: 'bad', of: 'unknown', teams: [], records: 0, damage }])
    const refused = [
      () => snapshots.restore('bad'),
      () => snapshots.save('bad'),
      () => snapshots.delete('bad'),
      () => snapshots.save('half'),
    ]
    for (const ask of refused)
      await expect(ask()).rejects.toThrow(`is ${kind}, where a file of the store belongs: move it`)
    expect(readFileSync(victim, 'utf8')).toBe('what somebody else needs')
    expect(readdirSync(folder).filter((name) => name.includes('snapshot'))).toHaveLength(2)
  })
})

describe('what a team started from', () => {
  const ids = [
    '../evil',
    '..',
    '.x',
    'a/../../x',
    'x'.repeat(300),
    'é'.repeat(120),
    'A',
    'a',
    'a.teams',
    'a\u0000b',
    '__proto__',
    '\n',
  ]

  it.each(ids)('is kept for the id %j, beside the document and nowhere else', async (_id) => {
    const { sandbox, folder, path, filesOf } = await openInFolder()
    mkdirSync(`${path}.origin-..`) // through which a name could leave the folder
    const [acme] = twoTeams.teams
    await sandbox.addWorld({ teams: [{ ...acme, _id, apiKeys: ['new-key'] }] })
    const created = filesOf('.origin-').filter((name) => name.endsWith('.json'))
    expect(created).toHaveLength(1)
    await callerOf(sandbox)('createProduct', { key: 'new-key', body: { name: 'Cog', unitPrice: 1 } })
    await sandbox.teams.reset(_id)
    const { teams } = await sandbox.world()
    expect(teams.find((team) => team._id === _id)).not.toHaveProperty('products')
    await sandbox.reset()
    expect(filesOf('.origin-').filter((name) => name.endsWith('.json'))).toEqual([])
    expect(existsSync(join(folder, 'evil.teams.json'))).toBe(false)
  })
})

describe('a team whose start cannot be written', () => {
  const [acme] = twoTeams.teams
  const world = (...ids: string[]) => ({ teams: ids.map((_id) => ({ ...acme, _id, apiKeys: [`${_id}-key`] })) })

  async function openWithBlocked(teamId: string) {
    const opened = await openInFolder()
    mkdirSync(`${opened.path}.origin-${teamId}.teams.json`)
    return opened
  }

  /** The id of the first team that is created, which follows from the seed. */
  async function firstTeamId(): Promise<string> {
    const { sandbox } = await openInFolder({ seed: 7 })
    return (await sandbox.teams.create()).teamId
  }

  it.each([[undefined], ['team:acme'], ['world:demo']])('leaves nothing when it is created from %s', async (from) => {
    const teamId = await firstTeamId()
    const { sandbox, path, filesOf } = await openInFolder({ seed: 7 })
    mkdirSync(`${path}.origin-${teamId}.teams.json`)
    const before = JSON.stringify(await sandbox.world())
    const refused = sandbox.teams.create({ apiKey: 'a-new-key', ...(from === undefined ? {} : { from }) })
    await expect(refused).rejects.toThrow(`${teamId}.teams.json is a folder`)
    expect(JSON.stringify(await sandbox.world())).toBe(before)
    expect(filesOf('.origin-')).toHaveLength(1)
    expect(await sandbox.teams.create({ apiKey: 'a-new-key' })).toMatchObject({ apiKey: 'a-new-key' })
  })

  it('leaves nothing of the others that are added with it', async () => {
    const { sandbox, filesOf } = await openWithBlocked('second')
    const before = JSON.stringify(await sandbox.world())
    await expect(sandbox.addWorld(world('first', 'second', 'third'))).rejects.toThrow('is a folder')
    expect(JSON.stringify(await sandbox.world())).toBe(before)
    expect(filesOf('.origin-')).toEqual(['crm.json.origin-second.teams.json'])
  })

  it('leaves everything as it was when a world is loaded', async () => {
    const { sandbox } = await openWithBlocked('second')
    await sandbox.addWorld(world('first'))
    const before = JSON.stringify(await sandbox.world())
    const other = { teams: world('first', 'second').teams.map((team) => ({ ...team, products: [] })) }
    await expect(sandbox.loadWorld(other)).rejects.toThrow('is a folder')
    expect(JSON.stringify(await sandbox.world())).toBe(before)
    await callerOf(sandbox)('createProduct', { key: 'first-key', body: { name: 'Cog', unitPrice: 1 } })
    await sandbox.teams.reset('first')
    expect(JSON.stringify(await sandbox.world())).toBe(before)
  })
})

describe('worlds in files', () => {
  const full: Fault = async () => Promise.reject(failure('ENOSPC'))
  const kept = (name: string) => ({
    world: { teams: emptyTeams.teams.slice(0, 1).map((team) => ({ ...team, name })) },
    isWhole: true,
  })

  it('are replaced whole or not at all, whichever call finds the disk full, and leave nothing half written', async () => {
    const calls = await replaceWithFaultAt(Infinity)
    expect(calls).toBeGreaterThan(5)
    for (let at = 0; at < calls; at++) await replaceWithFaultAt(at)
  })

  /** Answers how many calls it takes to replace a world. */
  async function replaceWithFaultAt(at: number): Promise<number> {
    const disk = new Disk()
    let first = Infinity
    const { files, log } = withFaults(disk, (call) => (call === first + at ? full : undefined))
    const worlds = new WorldsOnDisk('/data/crm.json', 'snapshot', { files, pieceSize: 1024, say: () => undefined })
    const name = async () => (await worlds.get('one'))?.world.teams[0]?.name
    await worlds.put('one', kept('before'))
    first = log.calls
    const refusal = await worlds.put('one', kept('after')).catch((error: unknown) => error)
    const calls = log.calls - first
    first = Infinity
    if (refusal instanceof UnusableKeptWorld) {
      expect(refusal.message).toContain('see to its folder, its permissions and the space on the disk')
      expect(['before', 'after']).toContain(await name())
    } else expect([refusal, await name()]).toEqual([undefined, 'after'])
    expect(await disk.list('/data')).toEqual(['crm.json.snapshot-one.json'])
    await worlds.put('one', kept('again'))
    expect(await name()).toBe('again')
    return calls
  }
})
