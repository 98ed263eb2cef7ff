import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../mock/store/memory/memory-store.ts'
import type { Store } from '../../mock/store/port.ts'
import { eachChange } from './each-change.ts'
import { Disk } from './disk.ts'
import { failure, type Fault, withFaults } from './faults.ts'
import { emptyTeams } from './harness.ts'
import { openOn, path } from './on-files.ts'

const faults: readonly { fault: string; make: Fault; lasts: number }[] = [
  { fault: 'a full disk', make: async () => Promise.reject(failure('ENOSPC')), lasts: 1 },
  { fault: 'a disk that stays full for a while', make: async () => Promise.reject(failure('ENOSPC')), lasts: 7 },
  {
    fault: 'an error after all was done',
    make: async (call) => {
      await call()
      throw failure('EIO')
    },
    lasts: 1,
  },
  {
    fault: 'an error after a part was written',
    make: async (_, part) => {
      await part?.()
      throw failure('EIO')
    },
    lasts: 1,
  },
  { fault: 'a short write', make: async (call, part) => (part ?? call)(), lasts: 1 },
]

describe.each(faults)('with $fault at any call', ({ make, lasts }) => {
  it('answers nothing that is lost, keeps memory and disk the same, and works again', async () => {
    const calls = await callsWithoutFault()
    expect(calls).toBeGreaterThan(50)
    for (let at = 0; at < calls; at++) await runWithFault(at, make, lasts)
  })
})

async function callsWithoutFault(): Promise<number> {
  const { files, log } = withFaults(new Disk(), () => undefined)
  const store = await openOn(files)
  for (const change of eachChange) await change(store)
  await store.close()
  return log.calls
}

async function runWithFault(at: number, make: Fault, lasts: number): Promise<void> {
  const disk = new Disk()
  const { files } = withFaults(disk, (call) => (call >= at && call < at + lasts ? make : undefined))
  const model = new MemoryStore(emptyTeams)
  const store = await openOn(files).catch(() => undefined)
  if (store) {
    for (const change of eachChange) {
      const done = await change(store).then(
        () => true,
        () => false,
      )
      if (done) await change(model)
      expect(await store.world(), `memory after a fault at call ${at}`).toEqual(await model.world())
    }
    expect(await triesUntilItWorks(store), `after a fault at call ${at}`).toBeLessThanOrEqual(lasts + 1)
    await expectOnDisk(disk, store, `disk after a fault at call ${at}`)
    await store.close().catch(() => undefined)
    await expectOnDisk(disk, store, `disk after a fault at call ${at} and a close`)
  } else await expectOnDisk(disk, model, `disk after a fault at call ${at} at the start`)
}

async function triesUntilItWorks(store: Store): Promise<number> {
  for (let tries = 1; ; tries++) {
    const deal = { _id: 'deal', name: 'Deal', pipeline: 'sales', stage: 'new' }
    const turn = store.turn('acme', ({ records: { deals } }) => deals.insert(deal))
    const works = await turn.then(
      () => true,
      () => false,
    )
    if (works || tries > 20) return tries
  }
}

async function expectOnDisk(disk: Disk, store: Store, when: string): Promise<void> {
  const found = disk.afterKill()
  const reopened = await openOn(found)
  expect(await reopened.world(), when).toEqual(await store.world())
  await reopened.close()
  expect(found.paths, when).toEqual([path])
}
