import { expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { MemoryStore } from '../../mock/store/memory/memory-store.ts'
import type { Store } from '../../mock/store/port.ts'
import { Disk, type DiskFiles } from './disk.ts'
import { eachChange, openOn } from './faults.ts'
import { chances, contact, emptyTeams, idsOf } from './harness.ts'
import { inTier } from '../tier.ts'
import { losingPower, powerLosses, unsynced, worldOn } from './power-losses.ts'

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

it(
  'loses no acknowledged change of many concurrent writers, and keeps every transaction whole',
  { timeout: 60_000 },
  async () => {
    const { answered, lost } = await powerLosses(losses, (disk) => disk)
    expect(answered).toBeGreaterThan(losses * 25)
    expect(lost).toEqual([])
  },
)

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
