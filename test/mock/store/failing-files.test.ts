import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../mock/store/memory/memory-store.ts'
import type { Store } from '../../../mock/store/port.ts'
import { changedDisk, Disk } from './disk.ts'
import { eachChange, failure, type Fault, openOn, path, withFaults } from './faults.ts'
import { contact, emptyTeams, idsOf, insert } from './helpers.ts'

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
]

describe.each(faults)('with $fault at any call', ({ make, lasts }) => {
  it('answers nothing that is lost, keeps memory and disk the same, and works again', async () => {
    const calls = await callsWithoutFault()
    expect(calls).toBeGreaterThan(50)
    for (let at = 0; at < calls; at++) await runWithFault(at, make, lasts)
  })
})

describe('a full disk', () => {
  const full: Fault = async () => Promise.reject(failure('ENOSPC'))

  it('is reported once, refuses every change, and is over as soon as there is space', async () => {
    const disk = new Disk()
    const warnings: string[] = []
    let isFull = false
    const { files } = withFaults(disk, () => (isFull ? full : undefined))
    const store = await openOn(files, (sentence) => warnings.push(sentence))
    await insert(store, contact('before'))
    isFull = true
    for (const id of ['one', 'two', 'three'])
      await expect(insert(store, contact(id))).rejects.toThrow('could not be written')
    expect(warnings).toEqual([
      `${path} cannot be written to (ENOSPC: on purpose): changes are refused until it can be, and nothing that was answered is lost. See to the space on its disk and to its permissions.`,
    ])
    isFull = false
    await insert(store, contact('after'))
    expect(warnings.slice(1)).toEqual([`${path} can be written to again.`])
    expect(await idsOn(disk.afterKill())).toEqual(['before', 'after'])
    await store.close()
    expect(await idsOn(disk)).toEqual(['before', 'after'])
  })

  it('is reported once when only the document cannot be rewritten, and nothing is refused', async () => {
    const disk = new Disk()
    const warnings: string[] = []
    let isFull = false
    const files = changedDisk(disk, {
      create: (name) => (isFull ? Promise.reject(failure('ENOSPC')) : disk.create(name)),
    })
    const store = await openOn(files, (sentence) => warnings.push(sentence), 1)
    isFull = true
    for (let at = 0; at < 30; at++) await insert(store, contact(`${at}`))
    expect(warnings).toEqual([
      `${path} cannot be rewritten (ENOSPC: on purpose): what was answered is safe in the log beside it, and it is tried again later.`,
    ])
    isFull = false
    for (let at = 30; at < 200; at++) await insert(store, contact(`${at}`))
    await expect.poll(() => warnings.slice(1)).toEqual([`${path} is rewritten again.`])
    await store.close()
    expect(await idsOn(disk)).toHaveLength(200)
  })
})

async function idsOn(disk: Disk): Promise<string[]> {
  const store = await openOn(disk)
  const { teams } = await store.world()
  await store.close()
  return idsOf(teams[0]?.contacts ?? [])
}

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
  const model = await MemoryStore.open(emptyTeams)
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
    const transaction = store.transaction('acme', ({ records: { deals } }) => deals.insert(deal))
    const works = await transaction.then(
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
