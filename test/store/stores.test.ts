import { describe, expect, it } from 'vitest'
import type { OpenTeam, Store } from '../../mock/store/port.ts'
import { contact, emptyTeams, idsOf, openedAt, promised, stores } from './harness.ts'

const ada = contact('ada', { email: 'ada@example.com' })
const grace = contact('grace', { email: 'grace@example.com' })

describe.each(stores)('the $store store', ({ place }) => {
  const opened = async () => openedAt(await place())

  it('keeps what a turn changed', async () => {
    const store = await opened()
    await store.turn('acme', async ({ records: { contacts } }) => {
      await contacts.insert(ada)
      await contacts.insert(grace)
      await contacts.replace({ ...ada, email: 'countess@example.com' })
      await contacts.remove('grace')
    })
    expect(await contactsOf(store)).toEqual([{ ...ada, email: 'countess@example.com' }])
    expect(await found(store, 'countess@example.com')).toEqual(['ada'])
    expect(await found(store, 'ada@example.com')).toEqual([])
  })

  it('keeps nothing of a turn that throws, and throws the same', async () => {
    const store = await opened()
    await store.turn('acme', ({ records: { contacts } }) => contacts.insert(ada))
    const turn = store.turn('acme', async ({ records: { contacts } }) => {
      await contacts.insert(grace)
      await contacts.replace({ ...ada, email: 'countess@example.com' })
      await contacts.remove('ada')
      throw new Error('on second thoughts')
    })
    await expect(turn).rejects.toThrow('on second thoughts')
    expect(await contactsOf(store)).toEqual([ada])
    expect(await found(store, 'ada@example.com')).toEqual(['ada'])
    expect(await found(store, 'grace@example.com')).toEqual([])
  })

  it('restores what a failed turn removed at its place', async () => {
    const store = await opened()
    await store.turn('acme', async ({ records: { contacts } }) => {
      for (const _id of ['one', 'two', 'three']) await contacts.insert(contact(_id, { email: 'same@example.com' }))
    })
    const turn = store.turn('acme', async ({ records: { contacts } }) => {
      await contacts.remove('one')
      await contacts.remove('two')
      await contacts.insert(contact('one', { email: 'same@example.com' }))
      throw new Error('on second thoughts')
    })
    await expect(turn).rejects.toThrow()
    expect(idsOf(await contactsOf(store))).toEqual(['one', 'two', 'three'])
    expect(await found(store, 'same@example.com')).toEqual(['one', 'two', 'three'])
  })

  it('runs one turn of a team at a time, in the order in which they were asked for', async () => {
    const store = await opened()
    const steps: string[] = []
    const turn = (name: string) =>
      store.turn('acme', async ({ records: { contacts } }) => {
        steps.push(`${name} begins`)
        await contacts.get('ada')
        await new Promise((go) => setTimeout(go, 2))
        steps.push(`${name} ends`)
      })
    await Promise.all([turn('first'), turn('second'), turn('third')])
    expect(steps).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  })

  it('lets other teams go on during a turn, with records of their own', async () => {
    const store = await opened()
    const held = promised()
    const long = store.turn('acme', async ({ records: { contacts } }) => {
      await contacts.insert(ada)
      await held.promise
    })
    await store.turn('globex', async ({ records: { contacts } }) => {
      expect(await contacts.get('ada')).toBeUndefined()
      await contacts.insert(grace)
    })
    held.resolve()
    await long
    expect(await contactsOf(store, 'acme')).toEqual([ada])
    expect(await contactsOf(store, 'globex')).toEqual([grace])
  })

  it.each([
    ['an insert of an existing record', ({ records: { contacts } }) => contacts.insert(ada)],
    ['a replacement of a missing record', ({ records: { contacts } }) => contacts.replace(grace)],
  ] satisfies [string, Work][])('refuses %s', async (_, work) => {
    const store = await opened()
    await store.turn('acme', ({ records: { contacts } }) => contacts.insert(ada))
    await expect(store.turn('acme', work)).rejects.toThrow(/exists already|does not exist/)
    expect(await contactsOf(store)).toEqual([ada])
  })

  it('refuses a change that comes after its turn has ended', async () => {
    const store = await opened()
    const kept = await store.turn('acme', async ({ records }) => records)
    await expect(kept.contacts.insert(ada)).rejects.toThrow('after the turn had ended')
    expect(await contactsOf(store)).toEqual([])
  })

  it('finds a record once, however often a value is asked for', async () => {
    const store = await opened()
    await store.turn('acme', ({ records: { contacts } }) => contacts.insert(ada))
    const values = ['ada@example.com', 'ada@example.com']
    const page = await store.turn('acme', ({ records: { contacts } }) =>
      contacts.page('email', values, { skip: 0, take: 10, order: 'newestFirst' }),
    )
    expect(page).toEqual({ total: 1, records: [ada] })
  })

  it('becomes another world', async () => {
    const store = await opened()
    await store.turn('acme', ({ records: { contacts } }) => contacts.insert(ada))
    await store.become({ teams: [{ _id: 'initech', name: 'Initech', apiKeys: ['new-key'], contacts: [grace] }] })
    expect(idsOf(await store.teams())).toEqual(['initech'])
    expect([await store.teamOfKey('new-key'), await store.teamOfKey('acme-key')]).toEqual(['initech', undefined])
    expect(await contactsOf(store, 'initech')).toEqual([grace])
    await expect(contactsOf(store, 'acme')).rejects.toThrow('No team acme')
  })

  it('keeps nothing of a turn that was under way when it became another world', async () => {
    const store = await opened()
    const held = promised()
    const running = store.turn('acme', async ({ records: { contacts } }) => {
      await contacts.insert(ada)
      await held.promise
    })
    const changing = store.turn('globex', async ({ records: { contacts } }) => {
      await held.promise
      await contacts.insert(ada)
    })
    const waiting = store.turn('acme', ({ records: { contacts } }) => contacts.insert(grace))
    const became = store.become(emptyTeams)
    held.resolve()
    for (const turn of [running, changing, waiting]) await expect(turn).rejects.toThrow('No team')
    await became
    expect(await store.world()).toEqual(emptyTeams)
  })

  it('stays as it is when the new world is refused', async () => {
    const store = await opened()
    await store.turn('acme', ({ records: { contacts } }) => contacts.insert(ada))
    const twice = { teams: [...emptyTeams.teams, ...emptyTeams.teams] }
    await expect(store.become(twice)).rejects.toThrow('There is a team acme already')
    expect(await contactsOf(store)).toEqual([ada])
  })

  it('adds a team, and removes it with its keys', async () => {
    const store = await opened()
    await store.addTeam({
      _id: 'initech',
      name: 'Initech',
      apiKeys: ['new-key'],
      timeZone: 'Europe/Paris',
      contacts: [ada],
    })
    expect(await contactsOf(store, 'initech')).toEqual([ada])
    expect(await store.team('initech')).toEqual({
      _id: 'initech',
      name: 'Initech',
      apiKeys: ['new-key'],
      timeZone: 'Europe/Paris',
    })
    await store.removeTeam('initech')
    expect([await store.teamOfKey('new-key'), await store.team('initech')]).toEqual([undefined, undefined])
    await expect(store.removeTeam('initech')).rejects.toThrow('No team initech')
    expect(await store.world()).toEqual(emptyTeams)
  })

  it.each([
    ['an id', { _id: 'acme', name: 'Another', apiKeys: ['new-key'] }],
    ['a key', { _id: 'initech', name: 'Initech', apiKeys: ['new-key', 'acme-key'] }],
  ])('refuses a team with %s that another has', async (_, team) => {
    const store = await opened()
    await expect(store.addTeam(team)).rejects.toThrow(team._id)
    expect(await store.world()).toEqual(emptyTeams)
    expect([await store.teamOfKey('new-key'), await store.teamOfKey('acme-key')]).toEqual([undefined, 'acme'])
  })

  it('keeps nothing of a turn that was under way when its team was removed', async () => {
    const store = await opened()
    const held = promised()
    const running = store.turn('acme', async ({ records: { contacts } }) => {
      await held.promise
      await contacts.insert(ada)
    })
    const removed = store.removeTeam('acme')
    held.resolve()
    await expect(running).rejects.toThrow('No team acme')
    await removed
    expect(idsOf(await store.teams())).toEqual(['globex'])
  })

  it('shows nothing of a turn that is under way in its world', async () => {
    const store = await opened()
    const held = promised()
    const running = store.turn('acme', async ({ records: { contacts } }) => {
      await contacts.insert(ada)
      await held.promise
      await contacts.remove('ada')
    })
    const world = store.world()
    held.resolve()
    await running
    expect(await world).toEqual(emptyTeams)
  })
})

type Work = (team: OpenTeam) => Promise<void>

const contactsOf = async (store: Store, teamId = 'acme') => {
  const { teams } = await store.turn(teamId, async () => undefined).then(() => store.world())
  return teams.find(({ _id }) => _id === teamId)?.contacts ?? []
}

const found = async (store: Store, email: string) =>
  idsOf(await store.turn('acme', ({ records: { contacts } }) => contacts.find('email', email)))
