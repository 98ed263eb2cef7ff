import { expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { openFileStore } from '../../mock/store/file-store.ts'
import type { Files } from '../../mock/store/files.ts'
import { MemoryStore } from '../../mock/store/memory-store.ts'
import type { Store } from '../../mock/store/store.ts'
import { deeds } from './deeds.ts'
import { Disk } from './disk.ts'
import { failure, withFaults } from './faults.ts'
import { contact, emptyTeams } from './harness.ts'

const path = '/data/crm.json'

it('loses no change of any sort that was answered, whenever the power goes', async () => {
  const states = await statesOf(new MemoryStore(emptyTeams))
  for (let goesAt = 0, isOver = false; !isOver; goesAt++) {
    const disk = new Disk()
    const { files, log } = losingPower(disk, goesAt)
    const answered = await answeredBy(files)
    isOver = log.calls < goesAt
    for (let seed = 0; seed < 4; seed++) {
      const left = await worldOn(disk.afterPowerLoss(chances(goesAt * 4 + seed)))
      expect([states[answered], states[answered + 1]], `power gone at call ${goesAt}`).toContainEqual(left)
    }
  }
})

it(
  'loses nothing that was answered to many who write at once, and keeps every turn whole',
  { timeout: 60_000 },
  async () => {
    const { answered, lost } = await powerLosses(1000, (disk) => disk)
    expect(answered).toBeGreaterThan(10_000)
    expect(lost).toEqual([])
  },
)

it('would be seen to lose something if it did not sync', async () => {
  const { lost } = await powerLosses(20, unsynced)
  expect(lost).not.toEqual([])
})

/** The world before, and after each of the deeds. */
async function statesOf(model: Store): Promise<World[]> {
  const states = [await model.world()]
  for (const deed of deeds) {
    await deed(model)
    states.push(await model.world())
  }
  return states
}

async function answeredBy(files: Files): Promise<number> {
  let answered = 0
  try {
    const store = await openFileStore(path, emptyTeams, files)
    for (const deed of deeds) {
      await deed(store)
      answered++
    }
    await store.close()
  } catch {
    // The power is gone.
  }
  return answered
}

async function worldOn(disk: Disk): Promise<World> {
  const store = await openFileStore(path, emptyTeams, disk)
  const world = await store.world()
  await store.close()
  expect(disk.paths).toEqual([path])
  return world
}

async function powerLosses(runs: number, on: (disk: Disk) => Files) {
  const lost: string[] = []
  let answered = 0
  for (let seed = 1; seed <= runs; seed++) {
    const chance = chances(seed)
    const disk = new Disk()
    const { files } = losingPower(on(disk), 40 + Math.floor(chance() * 150))
    const writers = await allWrite(files, chance)
    const left = await worldOn(disk.afterPowerLoss(chance)).catch(() => ({ teams: [] }))
    answered += writers.reduce((sum, writer) => sum + writer.answered, 0)
    lost.push(...writers.filter((writer) => !writer.couldHaveLeft(left)).map(({ name }) => `${name} of run ${seed}`))
  }
  return { answered, lost }
}

async function allWrite(files: Files, chance: () => number): Promise<readonly Writer[]> {
  const store = await openFileStore(path, emptyTeams, files)
  const writers = ['acme', 'globex'].flatMap((team) =>
    ['one', 'two', 'three'].map((name) => new Writer(team, name, chance)),
  )
  await Promise.all(writers.map((writer) => writer.writeUntilItFails(store)))
  return writers
}

/** Writes, changes and removes pairs of records, one turn after another, and knows what it was answered. */
class Writer {
  readonly name: string
  answered = 0
  readonly #team: string
  readonly #chance: () => number
  /** What there is of it after each turn, with the turn that may have happened without an answer. */
  readonly #states: ReadonlyMap<string, string>[] = [new Map()]

  constructor(team: string, name: string, chance: () => number) {
    this.#team = team
    this.name = `${team} ${name}`
    this.#chance = chance
  }

  async writeUntilItFails(store: Store): Promise<void> {
    for (;;) {
      const before = this.#states[this.answered] ?? new Map<string, string>()
      const after = this.#changed(before)
      this.#states.push(after)
      try {
        await store.turn(this.#team, (records) => become(records, before, after))
      } catch {
        return
      }
      this.answered++
    }
  }

  couldHaveLeft({ teams }: World): boolean {
    const team = teams.find(({ _id }) => _id === this.#team)
    const mine = (team?.contacts ?? []).filter(({ _id }) => _id.startsWith(`${this.name} `))
    const found = JSON.stringify(mine.map(({ _id, firstName }) => [_id, firstName]))
    const pairs = (team?.deals ?? []).filter(({ _id }) => _id.startsWith(`${this.name} `))
    if (JSON.stringify(pairs.map(({ _id, name }) => [_id, name])) !== found) return false
    return this.#states.slice(this.answered).some((state) => JSON.stringify([...state]) === found)
  }

  #changed(before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const after = new Map(before)
    const [first] = before.keys()
    const value = this.#chance() < 0.002 ? 'x'.repeat(600_000) : `value ${this.answered}`
    if (first !== undefined && this.#chance() < 0.3) after.delete(first)
    else if (first !== undefined && this.#chance() < 0.3) after.set(first, value)
    else after.set(`${this.name} ${this.answered}`, value)
    return after
  }
}

type Pairs = ReadonlyMap<string, string>

async function become({ contacts, deals }: Parameters<Parameters<Store['turn']>[1]>[0], before: Pairs, after: Pairs) {
  for (const _id of before.keys()) {
    if (after.has(_id)) continue
    await contacts.remove(_id)
    await deals.remove(_id)
  }
  for (const [_id, value] of after) {
    if (before.get(_id) === value) continue
    const does = before.has(_id) ? 'replace' : 'insert'
    await contacts[does](contact(_id, { firstName: value }))
    await deals[does]({ _id, name: value, pipeline: 'sales', stage: 'new' })
  }
}

function losingPower(files: Files, goesAt: number) {
  return withFaults(files, (call) => (call >= goesAt ? async () => Promise.reject(failure('EIO')) : undefined))
}

function unsynced(disk: Disk): Files {
  const opened = async (path: string, how: 'create' | 'empty') => ({
    ...(await disk[how](path)),
    sync: async () => undefined,
  })
  return {
    find: (path) => disk.find(path),
    read: (path) => disk.read(path),
    list: (folder) => disk.list(folder),
    create: (path) => opened(path, 'create'),
    empty: (path) => opened(path, 'empty'),
    rename: (from, to) => disk.rename(from, to),
    remove: (path) => disk.remove(path),
    syncFolder: () => disk.syncFolder(),
  }
}

/** Numbers from 0 up to 1 that repeat with their seed (mulberry32). */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
