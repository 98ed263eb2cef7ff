import { expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import type { Files } from '../../mock/store/file/files.ts'
import { MemoryStore } from '../../mock/store/memory/memory-store.ts'
import type { OpenTeam, Store } from '../../mock/store/port.ts'
import { chances } from './chances.ts'
import { eachChange } from './each-change.ts'
import { Disk } from './disk.ts'
import { withFaults } from './faults.ts'
import { contact, emptyTeams, idsOf } from './harness.ts'
import { openOn } from './on-files.ts'
import { fails, failsAfterwards, losingPower, powerLosses, unsynced, worldOn } from './power-losses.ts'

it('loses no change of any kind that was answered, whenever the power goes', async () => {
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

it('can be read when the power goes while a failed write is removed', async () => {
  for (let goesAfter = 1; goesAfter < 8; goesAfter++) {
    const disk = new Disk()
    let failsAt = Infinity
    const { files, log } = withFaults(disk, (call) => {
      if (call === failsAt) return failsAfterwards
      return call > failsAt + goesAfter ? fails : undefined
    })
    const store = await openOn(files)
    const theSync = 1
    failsAt = log.calls + theSync
    await Promise.allSettled(['one', 'two', 'three'].map((id) => store.turn('acme', inserting(`${id} of many`))))
    const answered = await store.turn('acme', inserting('last')).then(
      () => ['last'],
      () => undefined,
    )
    for (let seed = 0; seed < 50; seed++) {
      const { teams } = await worldOn(disk.afterPowerLoss(chances(seed)))
      if (answered) expect(idsOf(teams[0]?.contacts ?? [])).toEqual(answered)
    }
  }
})

it(
  'loses nothing that was answered to many who write at once, and keeps every turn whole',
  { timeout: 60_000 },
  async () => {
    const { answered, lost } = await powerLosses(200, (disk) => disk)
    expect(answered).toBeGreaterThan(5000)
    expect(lost).toEqual([])
  },
)

it('is seen to lose something when the disk does not sync', async () => {
  const { lost } = await powerLosses(20, unsynced)
  expect(lost).not.toEqual([])
})

const inserting =
  (id: string) =>
  async ({ records: { contacts } }: OpenTeam) =>
    contacts.insert(contact(id))

/** The world before, and after each change. */
async function statesOf(model: Store): Promise<World[]> {
  const states = [await model.world()]
  for (const change of eachChange) {
    await change(model)
    states.push(await model.world())
  }
  return states
}

async function answeredBy(files: Files): Promise<number> {
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
