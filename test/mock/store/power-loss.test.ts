import { expect, it } from 'vitest'
import type { World } from '../../../fixtures/world.ts'
import { MemoryStore } from '../../../mock/store/memory/memory-store.ts'
import type { Store, Records } from '../../../mock/store/port.ts'
import { Disk, changedDisk, type DiskFiles } from './disk.ts'
import { eachChange, openOn, failure, path, withFaults, type Fault } from './faults.ts'
import { contact, emptyTeams, idsOf } from './helpers.ts'
import { chances, inTier } from '../../tier.ts'
import type { FileToWrite } from '../../../mock/store/file/files.ts'

const losses = inTier({ test: 100, ci: 200, nightly: 2_000 })

it('loses no change of any kind that was answered, whenever the power goes', async () => {
  const states = await statesOf(await MemoryStore.open(emptyTeams))
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

it('loses no acknowledged change of many concurrent writers, and keeps every transaction whole', async () => {
  const { answered, lost } = await powerLosses(losses, (disk) => disk)
  expect(answered).toBeGreaterThan(losses * 25)
  expect(lost).toEqual([])
})

it('loses changes when the disk does not sync', async () => {
  const { lost } = await powerLosses(20, unsynced)
  expect(lost).not.toEqual([])
})

it('keeps all of a transaction that takes several lines of the log, or nothing, whenever the power goes', async () => {
  const lastName = 'x'.repeat(700_000)
  const many = ['a', 'b', 'c', 'd'].map((id) => contact(id, { lastName }))
  const kept = new Set<number>()
  for (let goesAt = 0, isOver = false; !isOver; goesAt++) {
    const disk = new Disk()
    const { files, log } = losingPower(disk, goesAt)
    const batches = [[contact('before')], many, [contact('after')]]
    const insertAll = (store: Store, contacts: typeof many) =>
      store.transaction('acme', ({ records }) => records.contacts.insertAll(contacts))
    const answers = await openOn(files)
      .then((store) => Promise.allSettled(batches.map((contacts) => insertAll(store, contacts))))
      .catch(() => [])
    isOver = log.calls < goesAt
    const left = disk.afterKill()
    const store = await openOn(left)
    const found = idsOf((await store.world()).teams[0]?.contacts ?? [])
    kept.add(found.filter((id) => many.some(({ _id }) => _id === id)).length)
    const acknowledged = batches.filter((_, at) => answers[at]?.status === 'fulfilled').flat()
    expect(found).toEqual(expect.arrayContaining(idsOf(acknowledged)))
    await insertAll(store, [contact('next')])
    const again = await (await openOn(left.afterKill())).world()
    expect(idsOf(again.teams[0]?.contacts ?? [])).toEqual([...found, 'next'])
  }
  expect([...kept].sort()).toEqual([0, many.length])
})

/** The world before, and after each change. */
async function statesOf(model: Store): Promise<World[]> {
  const states = [await model.world()]
  for (const change of eachChange) {
    await change(model)
    states.push(await model.world())
  }
  return states
}

async function answeredBy(files: DiskFiles): Promise<number> {
  let answered = 0
  try {
    const store = await openOn(files)
    for (const change of eachChange) {
      await change(store)
      answered++
    }
    await store.close()
  } catch {
    // The power is gone.
  }
  return answered
}

/** Cuts the power at some call of each run. Returns the number of acknowledged changes, and the writers that lost one. */
async function powerLosses(runs: number, on: (disk: Disk) => DiskFiles) {
  const lost: string[] = []
  let answered = 0
  for (let seed = 1; seed <= runs; seed++) {
    const chance = chances(seed)
    const disk = new Disk()
    const writers = await allWrite(on(disk), 40 + Math.floor(chance() * 150), chance)
    const left = await worldOn(disk.afterPowerLoss(chance)).catch(() => ({ teams: [] }))
    answered += writers.reduce((sum, writer) => sum + writer.answered, 0)
    lost.push(...writers.filter((writer) => !writer.couldHaveLeft(left)).map(({ name }) => `${name} of run ${seed}`))
  }
  return { answered, lost }
}

/** Writes until the power goes. Now and then a call fails before that. */
async function allWrite(on: DiskFiles, goesAt: number, chance: () => number): Promise<readonly Writer[]> {
  let mayFail = false
  const { files, log } = withFaults(on, (call) => {
    if (call >= goesAt) return fails
    if (!mayFail || chance() > 0.03) return undefined
    return chance() < 0.5 ? fails : failsAfterwards
  })
  const store = await openOn(files)
  mayFail = true
  const writers = ['acme', 'globex'].flatMap((team) =>
    ['one', 'two', 'three'].map((name) => new Writer(team, name, chance)),
  )
  await Promise.all(writers.map((writer) => writer.writeWhile(store, () => log.calls <= goesAt)))
  return writers
}

/** Writes, changes and removes pairs of records in transactions, and tracks which were acknowledged. */
class Writer {
  readonly name: string
  answered = 0
  failed = 0
  readonly #team: string
  readonly #chance: () => number
  /** Its pairs after the last acknowledged transaction, and after each later one with an unknown result. */
  #states: readonly Pairs[] = [new Map()]

  constructor(team: string, name: string, chance: () => number) {
    this.#team = team
    this.name = `${team} ${name}`
    this.#chance = chance
  }

  async writeWhile(store: Store, goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      const [before = new Map<string, string>()] = this.#states
      const after = this.#changedFrom(before)
      this.#states = [...this.#states, after]
      try {
        await store.transaction(this.#team, ({ records }) => replaceAll(records, before, after))
        this.#states = [after]
        this.answered++
      } catch {
        this.failed++
      }
    }
  }

  couldHaveLeft({ teams }: World): boolean {
    const team = teams.find(({ _id }) => _id === this.#team)
    const mine = (team?.contacts ?? []).filter(({ _id }) => _id.startsWith(`${this.name} `))
    const found = JSON.stringify(mine.map(({ _id, firstName }) => [_id, firstName]))
    const pairs = (team?.deals ?? []).filter(({ _id }) => _id.startsWith(`${this.name} `))
    if (JSON.stringify(pairs.map(({ _id, name }) => [_id, name])) !== found) return false
    return this.#states.some((state) => JSON.stringify([...state]) === found)
  }

  #changedFrom(before: Pairs): Pairs {
    const after = new Map(before)
    const [first] = before.keys()
    const value = this.#chance() < 0.002 ? 'x'.repeat(600_000) : `value ${this.answered + this.failed}`
    if (first !== undefined && this.#chance() < 0.3) after.delete(first)
    else if (first !== undefined && this.#chance() < 0.3) after.set(first, value)
    else after.set(`${this.name} ${this.answered + this.failed}`, value)
    return after
  }
}

type Pairs = ReadonlyMap<string, string>

async function replaceAll({ contacts, deals }: Records, before: Pairs, after: Pairs) {
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

const fails: Fault = async () => Promise.reject(failure('EIO'))

const failsAfterwards: Fault = async (call) => {
  await call()
  throw failure('EIO')
}

function losingPower(files: DiskFiles, goesAt: number) {
  return withFaults(files, (call) => (call >= goesAt ? fails : undefined))
}

function unsynced(disk: Disk): DiskFiles {
  const unsafe = async (opening: Promise<FileToWrite>) => ({ ...(await opening), sync: async () => undefined })
  return changedDisk(disk, {
    create: (path) => unsafe(disk.create(path)),
    reopen: (path) => unsafe(disk.reopen(path)),
  })
}

/** Also checks that nothing else is left on the disk. */
async function worldOn(disk: Disk): Promise<World> {
  const store = await openOn(disk)
  const world = await store.world()
  await store.close()
  if (disk.paths.join() !== path) throw new Error(`There is more than the document: ${disk.paths.join()}`)
  return world
}
