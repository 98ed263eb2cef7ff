import { describe, expect, it } from 'vitest'
import type { World } from '../../../fixtures/world.ts'
import { MemoryStore } from '../../../mock/store/memory/memory-store.ts'
import { type StoreTransaction, type Store, StoreUnreachable } from '../../../mock/store/port.ts'
import { chances, inTier } from '../../tier.ts'
import { Disk } from './disk.ts'
import { failure, type Fault, openOn, withFaults } from './faults.ts'
import { contact, emptyTeams, idsOf, insert } from './helpers.ts'
const full: Fault = async () => Promise.reject(failure('ENOSPC'))

describe('a change that could not be written', () => {
  it('fails, and so does everything that came after it or has seen it', async () => {
    const { store, fill, free } = await onSmallDisk()
    fill()
    const transactions = [
      insert(store, contact('ada')),
      store.transaction('acme', ({ records: { contacts } }) => contacts.get('ada')),
      store.read('acme', ({ records: { contacts } }) => contacts.get('ada')),
      store.transaction('acme', async ({ records: { contacts } }) =>
        contacts.replace(contact('ada', { firstName: 'Augusta' })),
      ),
      store.addTeam({ _id: 'initech', name: 'Initech', apiKeys: ['new-key'] }),
      store.removeTeam('globex'),
    ]
    const answers = await Promise.allSettled(transactions)
    expect(answers).toEqual(
      transactions.map(() => ({ status: 'rejected', reason: expect.any(StoreUnreachable) as unknown })),
    )
    expect(await store.world()).toEqual(emptyTeams)
    expect([await store.teamOfKey('new-key'), await store.teamOfKey('globex-key')]).toEqual([undefined, 'globex'])
    free()
    for (const team of ['acme', 'globex'])
      await store.transaction(team, ({ records: { contacts } }) => contacts.insert(contact('ada')))
  })

  it('leaves work due as it was', async () => {
    const { store, fill, free } = await onSmallDisk()
    await store.transaction('acme', async (team) => {
      await team.records.contacts.insert(contact('ada'))
      team.scheduleAt(5)
    })
    await store.claimDue(5, 0, 10)
    fill()
    const done = store.transaction('acme', async (team) => {
      await team.records.contacts.remove('ada')
      team.scheduleNext(undefined)
    })
    await expect(done).rejects.toThrow('could not be written')
    expect(await store.nextDue()).toBe(5)
    expect([await store.claimDue(5, 9, 19), await store.claimDue(5, 10, 20)]).toEqual([undefined, 'acme'])
    free()
  })

  it('leaves the world that there was before a reset, with its teams in their order and working', async () => {
    const { store, fill, free } = await onSmallDisk()
    await insert(store, contact('ada', { email: 'ada@example.com' }))
    const before = await store.world()
    const generation = await store.generation()
    fill()
    const became = store.replaceAll({ teams: [{ _id: 'acme', name: 'New', apiKeys: ['new-key'] }] })
    const inNewWorld = insert(store, contact('grace'))
    await expect(became).rejects.toThrow('could not be written')
    await expect(inNewWorld).rejects.toThrow('could not be written')
    expect([await store.world(), await store.generation()]).toEqual([before, generation])
    expect([await store.teamOfKey('new-key'), await store.teamOfKey('acme-key')]).toEqual([undefined, 'acme'])
    free()
    await insert(store, contact('grace'))
    const found = await store.transaction('acme', ({ records: { contacts } }) =>
      contacts.find('email', 'ada@example.com'),
    )
    expect(idsOf(found)).toEqual(['ada'])
  })
})

it('leaves exactly the acknowledged changes, in memory and on disk, of many writers to a disk that fails at times', async () => {
  for (let seed = 1; seed <= inTier({ test: 40, ci: 60, nightly: 150 }); seed++) {
    const chance = chances(seed)
    const disk = new Disk()
    let failing = false
    const { files } = withFaults(disk, () => (failing && chance() < 0.15 ? full : undefined))
    const store = await openOn(files)
    failing = true
    const model = await MemoryStore.open(emptyTeams)
    await Promise.all(Array.from({ length: 12 }, async (_, writer) => writeSome(store, model, writer, chance)))
    failing = false
    await store.transaction('acme', ({ records: { deals } }) =>
      deals.insert({ _id: 'last', name: 'last', pipeline: 'sales', stage: 'new' }),
    )
    await model.transaction('acme', ({ records: { deals } }) =>
      deals.insert({ _id: 'last', name: 'last', pipeline: 'sales', stage: 'new' }),
    )
    expect(sorted(await store.world()), `memory of run ${seed}`).toEqual(sorted(await model.world()))
    const reopened = await openOn(disk.afterKill())
    expect(await reopened.world(), `disk of run ${seed}`).toEqual(await store.world())
  }
})

async function writeSome(store: Store, model: Store, writer: number, chance: () => number): Promise<void> {
  for (let at = 0; at < 8; at++) {
    const team = writer % 3 === 0 ? 'globex' : 'acme'
    const work = async ({ records: { contacts } }: StoreTransaction) => {
      await contacts.insert(contact(`${writer} ${at}`))
      await contacts.remove(`${writer} ${at - 2}`)
      if (chance() < 0.2) await new Promise((go) => setImmediate(go))
      if (chance() < 0.1) throw new Error('on purpose')
    }
    const answered = await store.transaction(team, work).then(
      () => true,
      () => false,
    )
    if (!answered) continue
    await model.transaction(team, async ({ records: { contacts } }) => {
      await contacts.insert(contact(`${writer} ${at}`))
      await contacts.remove(`${writer} ${at - 2}`)
    })
    for (let pauses = Math.floor(chance() * 4); pauses > 0; pauses--) await new Promise((go) => setImmediate(go))
  }
}

/** The model may have another order. */
function sorted({ teams }: World) {
  return teams.map(({ contacts = [], deals = [], ...team }) => ({ team, deals, contacts: idsOf(contacts).sort() }))
}

async function onSmallDisk() {
  let isFull = false
  const { files } = withFaults(new Disk(), () => (isFull ? full : undefined))
  const store = await openOn(files)
  return { store, fill: () => (isFull = true), free: () => (isFull = false) }
}
