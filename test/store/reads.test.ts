import { describe, expect, it } from 'vitest'
import type { ReadTeam, RecordsOf } from '../../mock/store/port.ts'
import { chances } from './chances.ts'
import { contact, emptyTeams, idsOf, openedAt, promised, stores } from './harness.ts'

const ada = contact('ada')
const grace = contact('grace')
const contactIds = async ({ records }: ReadTeam) => idsOf(await records.contacts.getMany(['ada', 'grace']))

describe.each(stores)('a read of the $store store', ({ place }) => {
  const opened = async () => openedAt(await place())

  it('sees the team and what turns have left', async () => {
    const store = await opened()
    await store.turn('acme', ({ records }) => records.contacts.insertAll([ada, grace]))
    expect(await store.read('acme', contactIds)).toEqual(['ada', 'grace'])
    expect(await store.read('globex', contactIds)).toEqual([])
    expect(await store.read('acme', async ({ onFile }) => onFile)).toEqual(emptyTeams.teams[0])
  })

  it('changes nothing', async () => {
    const store = await opened()
    const insert = store.read('acme', ({ records }) => (records.contacts as RecordsOf<'contacts'>).insert(ada))
    await expect(insert).rejects.toThrow('changed outside a turn')
    expect(await store.world()).toEqual(emptyTeams)
  })

  it('throws what its work throws', async () => {
    const store = await opened()
    await expect(store.read('acme', () => Promise.reject(new Error('on purpose')))).rejects.toThrow('on purpose')
    expect(await store.read('acme', contactIds)).toEqual([])
  })

  it('of a team that does not exist is refused', async () => {
    const store = await opened()
    await expect(store.read('initech', contactIds)).rejects.toThrow('No team initech')
  })

  it.each(['at once', 'after a turn'])('runs beside other reads of the team that start %s', async (when) => {
    const store = await opened()
    const turn = when === 'after a turn' ? store.turn('acme', async () => undefined) : undefined
    const [one, other] = [promised(), promised()]
    const reads = [
      store.read('acme', () => {
        one.resolve()
        return other.promise
      }),
      store.read('acme', () => {
        other.resolve()
        return one.promise
      }),
    ]
    await Promise.all([turn, ...reads])
  })

  it('waits for the turn that runs, and sees all of it', async () => {
    const store = await opened()
    const held = promised()
    const turn = store.turn('acme', async ({ records }) => {
      await records.contacts.insert(ada)
      await held.promise
      await records.contacts.insert(grace)
    })
    const read = store.read('acme', contactIds)
    held.resolve()
    expect(await read).toEqual(['ada', 'grace'])
    await turn
  })

  it('holds a turn back until it has ended', async () => {
    const store = await opened()
    const held = promised()
    const read = store.read('acme', async (team) => {
      await held.promise
      return contactIds(team)
    })
    const turn = store.turn('acme', ({ records }) => records.contacts.insert(ada))
    held.resolve()
    expect(await read).toEqual([])
    await turn
  })

  it('waits behind a turn that was asked for before it, so that reads do not keep turns from running', async () => {
    const store = await opened()
    const held = promised()
    const steps: string[] = []
    const first = store.read('acme', () => held.promise.then(() => steps.push('first read')))
    const turn = store.turn('acme', async ({ records }) => {
      await records.contacts.insert(ada)
      steps.push('turn')
    })
    const second = store.read('acme', (team) => {
      steps.push('second read')
      return contactIds(team)
    })
    const other = store.turn('acme', async () => steps.push('other turn'))
    held.resolve()
    await Promise.all([first, turn, second, other])
    expect(await second).toEqual(['ada'])
    expect(steps).toEqual(['first read', 'turn', 'second read', 'other turn'])
  })

  it('goes on beside a turn of another team', async () => {
    const store = await opened()
    const held = promised()
    const turn = store.turn('acme', () => held.promise)
    expect(await store.read('globex', contactIds)).toEqual([])
    held.resolve()
    await turn
  })

  it('that waits when its team is removed is refused', async () => {
    const store = await opened()
    const held = promised()
    const turn = store.turn('acme', () => held.promise)
    const read = store.read('acme', contactIds)
    const removed = store.removeTeam('acme')
    held.resolve()
    await expect(turn).rejects.toThrow('No team acme')
    await expect(read).rejects.toThrow('No team acme')
    await removed
  })

  it.each([1, 2, 3])('sees whole turns only, among many readers and writers (seed %i)', async (seed) => {
    const store = await opened()
    const chance = chances(seed)
    const pause = () => (chance() < 0.5 ? new Promise((go) => setImmediate(go)) : undefined)
    const write = (id: string) =>
      store.turn('acme', async ({ records: { contacts, deals } }) => {
        await contacts.insert(contact(id, { company: 'one' }))
        await pause()
        await deals.insert({ _id: id, name: id, pipeline: 'sales', stage: 'new', company: 'one' })
        if (chance() < 0.2) throw new Error('on purpose')
      })
    const read = () =>
      store.read('acme', async ({ records: { contacts, deals } }) => {
        const before = idsOf(await contacts.find('company', 'one'))
        await pause()
        return [before, idsOf(await deals.find('company', 'one'))] as const
      })
    const tasks = Array.from({ length: 300 }, async (_, at) => {
      for (let pauses = Math.floor(chance() * 20); pauses > 0; pauses--) await new Promise((go) => setImmediate(go))
      if (chance() < 0.3) await write(`${at}`).catch(() => undefined)
      else {
        const [contacts, deals] = await read()
        expect(deals).toEqual(contacts)
      }
    })
    await Promise.all(tasks)
    const [contacts] = await read()
    expect(contacts.length).toBeGreaterThan(30)
  })
})
