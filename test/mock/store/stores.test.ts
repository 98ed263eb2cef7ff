import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Kind, Kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, World } from '../../../fixtures/world.ts'
import { findRecords } from '../../../mock/control/find-records.ts'
import { foldedEmail } from '../../../mock/store/indexes.ts'
import { openStore } from '../../../mock/store/open-store.ts'
import type { Part, ReadTeam, Records, RecordsOf, Store, StoreTransaction } from '../../../mock/store/port.ts'
import { chances, inTier } from '../../tier.ts'
import { contact, emptyTeams, idsOf, insert, isDatabase, namedStores, openedAt, promised, stores } from './helpers.ts'

const ada = contact('ada', { email: 'ada@example.com' })
const grace = contact('grace', { email: 'grace@example.com' })
const contactIds = async ({ records }: ReadTeam) => idsOf(await records.contacts.getMany(['ada', 'grace']))
const withRecords: World = {
  teams: emptyTeams.teams.map((team) => (team._id === 'acme' ? { ...team, contacts: [ada] } : team)),
}

describe.each(stores)('the $store store', ({ place }) => {
  const opened = async () => openedAt(await place())

  it('keeps nothing of a transaction that throws, and throws the same', async () => {
    const store = await opened()
    await insert(store, ada)
    const transaction = store.transaction('acme', async ({ records: { contacts } }) => {
      await contacts.insert(grace)
      await contacts.replace({ ...ada, email: 'countess@example.com' })
      await contacts.remove('ada')
      throw new Error('on second thoughts')
    })
    await expect(transaction).rejects.toThrow('on second thoughts')
    expect(await contactsOf(store)).toEqual([ada])
    expect(await found(store, 'ada@example.com')).toEqual(['ada'])
    expect(await found(store, 'grace@example.com')).toEqual([])
  })

  it('runs one transaction of a team at a time, in the order of the calls', async () => {
    const store = await opened()
    const steps: string[] = []
    const transaction = (name: string) =>
      store.transaction('acme', async ({ records: { contacts } }) => {
        steps.push(`${name} begins`)
        await contacts.get('ada')
        await new Promise((go) => setTimeout(go, 2))
        steps.push(`${name} ends`)
      })
    await Promise.all([transaction('first'), transaction('second'), transaction('third')])
    expect(steps).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  })

  it('lets other teams continue during a transaction, with their own records', async () => {
    const store = await opened()
    const held = promised()
    const long = store.transaction('acme', async ({ records: { contacts } }) => {
      await contacts.insert(ada)
      await held.promise
    })
    await store.transaction('globex', async ({ records: { contacts } }) => {
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
    await insert(store, ada)
    await expect(store.transaction('acme', work)).rejects.toThrow(/exists already|does not exist/)
    expect(await contactsOf(store)).toEqual([ada])
  })

  it('refuses a change that comes after its transaction has ended', async () => {
    const store = await opened()
    const kept = await store.transaction('acme', async ({ records }) => records)
    const insert = async () => kept.contacts.insert(ada)
    await expect(insert()).rejects.toThrow('after it had ended')
    expect(await contactsOf(store)).toEqual([])
  })

  it('becomes another world', async () => {
    const store = await opened()
    await insert(store, ada)
    await store.replaceAll({ teams: [{ _id: 'initech', name: 'Initech', apiKeys: ['new-key'], contacts: [grace] }] })
    expect(idsOf(await store.teams())).toEqual(['initech'])
    expect([await store.teamOfKey('new-key'), await store.teamOfKey('acme-key')]).toEqual(['initech', undefined])
    expect(await contactsOf(store, 'initech')).toEqual([grace])
    await expect(contactsOf(store, 'acme')).rejects.toThrow('No team acme')
  })

  it('rolls back a running transaction when it becomes another world', async () => {
    const store = await opened()
    const [held, started] = [promised(), promised()]
    const running = store.transaction('acme', async ({ records: { contacts } }) => {
      await contacts.insert(ada)
      started.resolve()
      await held.promise
    })
    const changing = store.transaction('globex', async ({ records: { contacts } }) => {
      await held.promise
      await contacts.insert(ada)
    })
    const waiting = insert(store, grace)
    const refused = [running, changing, waiting].map((transaction) => expect(transaction).rejects.toThrow('No team'))
    await started.promise
    await store.replaceAll(emptyTeams)
    held.resolve()
    await Promise.all(refused)
    expect(await store.world()).toEqual(emptyTeams)
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
})

describe.each(stores)('a read of the $store store', ({ place }) => {
  const opened = async () => openedAt(await place())

  it('changes nothing', async () => {
    const store = await opened()
    const insert = store.read('acme', ({ records }) => (records.contacts as RecordsOf<'contacts'>).insert(ada))
    await expect(insert).rejects.toThrow('changed outside a transaction')
    expect(await store.world()).toEqual(emptyTeams)
  })

  it.each(['at once', 'after a transaction'])('runs beside other reads of the team that start %s', async (when) => {
    const store = await opened()
    const transaction = when === 'after a transaction' ? store.transaction('acme', async () => undefined) : undefined
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
    await Promise.all([transaction, ...reads])
  })

  it.each([1, 2, 3])('sees whole transactions only, among many readers and writers (seed %i)', async (seed) => {
    const store = await opened()
    const chance = chances(seed)
    const pause = () => (chance() < 0.5 ? new Promise((go) => setImmediate(go)) : undefined)
    const write = (id: string) =>
      store.transaction('acme', async ({ records: { contacts, deals } }) => {
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
    // Of more at once, some would get none of the ten connections to a busy database.
    const clients = Array.from({ length: 16 }, async (_, client) => {
      for (let task = 0; task < 20; task++) {
        for (let pauses = Math.floor(chance() * 20); pauses > 0; pauses--) await new Promise((go) => setImmediate(go))
        if (chance() < 0.3) await write(`${client} ${task}`).catch(() => undefined)
        else {
          const [contacts, deals] = await read()
          expect(deals).toEqual(contacts)
        }
      }
    })
    await Promise.all(clients)
    const [contacts] = await read()
    expect(contacts.length).toBeGreaterThan(30)
  })
})

describe.each(stores.filter((store) => !isDatabase(store)))('a read of the $store store', ({ place }) => {
  const opened = async () => openedAt(await place())

  it('waits behind an earlier transaction, so that reads do not starve transactions', async () => {
    const store = await opened()
    const held = promised()
    const steps: string[] = []
    const first = store.read('acme', () => held.promise.then(() => steps.push('first read')))
    const transaction = store.transaction('acme', async ({ records }) => {
      await records.contacts.insert(ada)
      steps.push('transaction')
    })
    const second = store.read('acme', (team) => {
      steps.push('second read')
      return contactIds(team)
    })
    const other = store.transaction('acme', async () => steps.push('other transaction'))
    held.resolve()
    await Promise.all([first, transaction, second, other])
    expect(await second).toEqual(['ada'])
    expect(steps).toEqual(['first read', 'transaction', 'second read', 'other transaction'])
  })

  it('that waits when its team is removed is refused', async () => {
    const store = await opened()
    const held = promised()
    const transaction = store.transaction('acme', () => held.promise)
    const read = store.read('acme', contactIds)
    const removed = store.removeTeam('acme')
    held.resolve()
    await expect(transaction).rejects.toThrow('No team acme')
    await expect(read).rejects.toThrow('No team acme')
    await removed
  })
})

describe.each(stores.filter(isDatabase))('a read of the $store store', ({ place }) => {
  it('waits for no transaction', async () => {
    const store = await openedAt(await place())
    const held = promised()
    const transaction = store.transaction('acme', async ({ records }) => {
      await records.contacts.insert(ada)
      await held.promise
    })
    expect(await store.read('acme', contactIds)).toEqual([])
    held.resolve()
    await transaction
    expect(await store.read('acme', contactIds)).toEqual(['ada'])
  })
})

describe.each(stores)('what processes share on the $store store:', ({ place }) => {
  const opened = async (world?: World) => openedAt(await place(), world)

  describe('a generation', () => {
    it('has its own secret, and lasts until a reset', async () => {
      const store = await opened()
      const before = await store.generation()
      expect(before.tokenSecret).toHaveLength(43)
      expect(await store.generation()).toEqual(before)
      expect((await (await opened()).generation()).tokenSecret).not.toEqual(before.tokenSecret)
      await store.replaceAll(emptyTeams)
      const after = await store.generation()
      expect(after.epoch).toBeGreaterThan(before.epoch)
      expect(after.tokenSecret).not.toEqual(before.tokenSecret)
    })
  })

  describe('a counter', () => {
    it('counts by name, and restarts when its time is over or the clock was set back', async () => {
      const store = await opened()
      const count = (name: string, now: number) => store.count(name, now, now + 10_000)
      for (const [before, now] of [0, 5_000, 9_999].entries())
        expect(await count('one', now)).toEqual({ times: before + 1, until: 10_000 })
      expect(await count('other', 9_999)).toEqual({ times: 1, until: 19_999 })
      expect(await count('one', 10_000)).toEqual({ times: 1, until: 20_000 })
      expect(await count('one', 9_000)).toEqual({ times: 2, until: 20_000 }) // by the clock of another process
      expect(await count('one', 8_999)).toEqual({ times: 1, until: 18_999 }) // the clock was set back
    })
  })

  describe('due work', () => {
    const claimed = async (store: Store, now: number) => [
      await store.claimDue(now, now, now + 10),
      await store.claimDue(now, now, now + 10),
      await store.claimDue(now, now, now + 10),
    ]

    it('is claimed by one of several when it is due, and again when the lease of its process is over', async () => {
      const store = await opened()
      await workDueBy(store, 5)
      expect([await store.nextDue(), await store.claimDue(4, 0, 10)]).toEqual([5, undefined])
      const claims = await Promise.all(Array.from({ length: 8 }, () => store.claimDue(5, 0, 10)))
      expect(claims.filter((claim) => claim !== undefined)).toEqual(['acme'])
      expect(await store.nextDue()).toBe(5)
      expect([await store.claimDue(20, 9, 19), await store.claimDue(5, 10, 20)]).toEqual([undefined, 'acme'])
    })

    it('is due before the lease is over when a transaction asks for it meanwhile', async () => {
      const store = await opened()
      await workDueBy(store, 5)
      await store.claimDue(5, 5, 15)
      await workDueBy(store, 6)
      expect(await claimed(store, 6)).toEqual(['acme', undefined, undefined])
    })

    it.each([
      ['is due when its transaction says', 30, 30],
      ['is gone when the transaction that did it says so', undefined, undefined],
    ])('%s', async (_, next, nextDue) => {
      const store = await opened()
      await workDueBy(store, 5)
      await store.claimDue(5, 5, 15)
      await store.transaction('acme', async (team) => {
        team.scheduleNext(next)
      })
      expect(await store.nextDue()).toBe(nextDue)
      await store.transaction('acme', async (team) => {
        team.scheduleNext(40)
        team.scheduleAt(20)
      })
      expect(await store.nextDue()).toBe(20)
    })

    it.each<[what: string, records: Partial<TeamInWorld>]>([
      ['a bulk send', { bulkSends: [bulkSend] }],
      ['a template that awaits its approval', { templates: [awaiting] }],
    ])('may wait in every team that was opened with %s', async (_, records) => {
      const store = await opened({
        teams: emptyTeams.teams.map((team, at) => (at === 0 ? { ...team, ...records } : team)),
      })
      expect(await store.nextDue()).toBe(0)
      expect(await claimed(store, 0)).toEqual(['acme', undefined, undefined])
    })

    it('is given to the team that has waited longest, and is removed with its team, and by a reset', async () => {
      const store = await opened()
      await workDueBy(store, 5, 'acme')
      await workDueBy(store, 3, 'globex')
      expect(await claimed(store, 6)).toEqual(['globex', 'acme', undefined])
      await store.removeTeam('acme')
      expect(await claimed(store, 16)).toEqual(['globex', undefined, undefined])
      await store.replaceAll(emptyTeams)
      expect(await store.nextDue()).toBeUndefined()
    })
  })
})

describe('after a restart of the file store', () => {
  const place = namedStores.find(({ store }) => store === 'file')?.place

  it('the generation goes on, and every team with records may have due work', async () => {
    const name = (await place?.()) ?? ''
    const before = await openStore(name, emptyTeams)
    await before.replaceAll(emptyTeams)
    await before.transaction('acme', async (team) => {
      await team.records.contacts.insert(ada)
      team.scheduleAt(1e15)
    })
    const generation = await before.generation()
    await before.close()
    const after = await openedAt(name)
    expect(await after.generation()).toEqual(generation)
    expect([await after.claimDue(0, 0, 10), await after.claimDue(0, 0, 10)]).toEqual(['acme', undefined])
  })
})

describe.each(stores)('the $store store', ({ place }) => {
  it('returns every record as it was, whatever it and its index contain', async () => {
    const store = await openedAt(await place())
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom("'", '\\', '"', '\0', '\ud800', 'x'.repeat(5000)),
    )
    const property = fc.asyncProperty(text, text, fc.dictionary(text, fc.jsonValue()), async (_id, email, fields) => {
      const record = contact(_id, { email, additionalFields: fields })
      await store.replaceAll({ teams: [{ _id: 'acme', name: 'acme', apiKeys: [] }] })
      await insert(store, record)
      const asJson = JSON.parse(JSON.stringify(record)) as unknown
      await store.read('acme', async ({ records: { contacts } }) => {
        expect(JSON.parse(JSON.stringify(await contacts.get(_id)))).toEqual(asJson)
        expect(idsOf(await contacts.find('email', foldedEmail(email)))).toEqual([_id])
      })
      await expect(insert(store, record)).rejects.toThrow('exists already')
    })
    await fc.assert(property, { numRuns: inTier({ test: 20, ci: 40, nightly: 100 }) })
  })

  it('reads 2,500 records beside records of another kind and another team, oldest first', async () => {
    const contacts = Array.from({ length: 2_500 }, (_, at) => contact(`${9_999 - at}`))
    const deals = [{ _id: 'one', name: 'one', pipeline: 'sales', stage: 'new' }]
    const store = await openedAt(await place(), {
      teams: emptyTeams.teams.map((team) => ({ ...team, deals, contacts: team._id === 'acme' ? contacts : [ada] })),
    })
    expect((await partsOf(store, 'contacts')).flat()).toEqual(contacts)
    for (const [skip, take] of [
      [0, 2],
      [1_999, 3],
      [2_499, 9],
      [2_500, 9],
      [0, 0],
    ] as const)
      expect(await store.page('acme', 'contacts', { skip, take })).toEqual({
        total: 2_500,
        records: contacts.slice(skip, skip + take),
      })
    await expect(store.page('initech', 'contacts', { skip: 0, take: 1 })).rejects.toThrow('No team initech')
    await expect(partsOf(store, 'contacts', 'initech')).rejects.toThrow('No team initech')
  })

  it('finds the records that contain a text in any case, with or without accents', async () => {
    const names = [
      'Lovelace',
      'LOVELACE 100%',
      'love\\lace',
      'a "quote"',
      'Kelvin',
      '\u212aelvin',
      '\u0130stanbul',
      'ÉTÉ',
      'été',
      'Müller',
    ]
    const contacts = names.map((lastName, at) => contact(`${at}`, { lastName }))
    const store = await openedAt(await place(), { teams: [{ _id: 'acme', name: 'acme', apiKeys: [], contacts }] })
    const wanted = { where: [], sort: undefined, skip: 0, take: 10 }
    for (const search of [
      'lovelace',
      '100%',
      'love_',
      '\\l',
      '"q',
      'kelvin',
      'KELVIN',
      'istanbul',
      'i\u0307s',
      'été',
      'ete',
      'muller',
      '.x',
      "o'l",
      '100% lovelace',
      'ada kelvin',
      'ada nobody',
      'lovelace été',
    ]) {
      const plain = (text: string) =>
        text
          .toLowerCase()
          .normalize('NFKD')
          .replace(/[\u0300-\u036f]/g, '')
      const expected = contacts.filter(({ firstName, lastName }) =>
        search.split(' ').every((word) => plain(`${firstName} ${lastName}`).includes(plain(word))),
      )
      const { records } = await findRecords(store, 'acme', 'contacts', { ...wanted, search })
      expect(records, search).toEqual(expected)
    }
  })

  it.each(['email', 'phone', 'company'] as const)('finds contacts by %s without reading the others', async (field) => {
    const values = { email: 'ada@example.com', phone: '+1 (415) 555-0123', company: 'engines' }
    const contacts = [contact('ada', values), contact('grace')]
    const store = await openedAt(await place(), { teams: [{ _id: 'acme', name: 'acme', apiKeys: [], contacts }] })
    const scan = vi.spyOn(store, 'scan')
    const wanted = { where: [[field, values[field]]], search: '', sort: undefined, skip: 0, take: 10 } as const
    expect((await findRecords(store, 'acme', 'contacts', wanted)).records).toEqual([contacts[0]])
    expect(scan).not.toHaveBeenCalled()
  })

  it('keeps the first records of a team that was added, and brings others', async () => {
    const store = await openedAt(await place())
    const initech = { _id: 'initech', name: 'Initech', apiKeys: ['new-key'], contacts: [ada] }
    await store.addTeam(initech)
    await insert(store, grace, 'initech')
    expect(await store.initialRecords('initech')).toEqual(initech)
    expect(await store.initialRecords('acme')).toBeUndefined()
    await store.restoreTeam('initech', { ...initech, contacts: [grace] })
    expect(await store.teamInWorld('initech')).toEqual({ ...initech, contacts: [grace] })
    await insert(store, ada, 'initech')
    expect(await found(store, 'ada@example.com', 'initech')).toEqual(['ada'])
    await store.replaceAll(emptyTeams, [initech, { ...withRecords.teams[0], _id: 'acme', name: 'acme', apiKeys: [] }])
    expect((await store.initialRecords('acme'))?.contacts).toEqual([ada])
    await expect(store.teamInWorld('initech')).rejects.toThrow('No team initech')
    await expect(store.restoreTeam('initech', initech)).rejects.toThrow('No team initech')
  })

  it('keeps snapshots, which a reset leaves', async () => {
    const { snapshots } = await openedAt(await place())
    const many = Array.from({ length: 250 }, (_, at) => contact(`contact ${at}`))
    const world = { teams: [{ _id: 'acme', name: 'acme', apiKeys: [], contacts: many }, ...emptyTeams.teams.slice(1)] }
    await snapshots.put('one', { world: withRecords, isWhole: true })
    await snapshots.put('one', { world, isWhole: true })
    await snapshots.put('other', { world: emptyTeams, isWhole: false })
    expect(await snapshots.get('one')).toMatchObject({ isWhole: true, world })
    expect(await snapshots.summary('one')).toEqual({ isWhole: true, teams: ['acme', 'globex'], records: 250 })
    expect([...(await snapshots.names())].toSorted()).toEqual(['one', 'other'])
    await snapshots.remove('one')
    await snapshots.remove('one')
    expect([await snapshots.get('one'), await snapshots.summary('one')]).toEqual([undefined, undefined])
    expect(await snapshots.get('other')).toMatchObject({ world: emptyTeams, isWhole: false })
  })
})

const bulkSend = {
  _id: 'one',
  to: ['+14155550123'],
  sendAt: '2026-03-01T09:30:00.000Z',
  message: { channel: 'sms', content: 'Hello', providerId: 'sms-provider' },
} as const

const awaiting: Kinds['templates'] = {
  ...{ _id: 'one', name: 'One', uniqueName: 'one', templateType: 'whatsapp', content: 'Hello', status: 'pending' },
  approveAt: '2026-03-01T09:30:00.000Z',
}

const workDueBy = (store: Store, at: number, teamId = 'acme') =>
  store.transaction(teamId, async (team) => {
    team.scheduleAt(at)
  })

type Work = (team: StoreTransaction) => void | Promise<void>

const contactsOf = async (store: Store, teamId = 'acme') => {
  const { teams } = await store.transaction(teamId, async () => undefined).then(() => store.world())
  return teams.find(({ _id }) => _id === teamId)?.contacts ?? []
}

const found = async (store: Store, email: string, teamId = 'acme') =>
  idsOf(await store.transaction(teamId, ({ records: { contacts } }) => contacts.find('email', email)))

async function partsOf<K extends Kind>(store: Store, kind: K, teamId = 'acme'): Promise<(readonly Kinds[K][])[]> {
  const parts: (readonly Kinds[K][])[] = []
  for await (const part of store.scan(teamId, kind)) parts.push(part)
  return parts
}

type Message = Kinds['messages']

const conversations = ['a', 'b', 'c']
const ids = ['one', 'two', 'three', 'four', 'five', 'six']
const someIds = fc.subarray(ids, { minLength: 1 })

const change = fc.record({
  does: fc.constantFrom('write', 'write', 'remove', 'writeAll', 'removeWhere'),
  ids: fc.oneof(someIds, fc.shuffledSubarray(ids, { minLength: 1 })),
  to: fc.constantFrom(...conversations),
})
const transaction = fc.record({ changes: fc.array(change, { maxLength: 8 }), throws: fc.boolean() })
const part = fc.record({ skip: fc.nat(8), take: fc.nat(8), order: fc.constantFrom('newestFirst', 'oldestFirst') })

describe.each(stores)('the $store store', ({ place }) => {
  it('finds changed records while an index finds many others first', async () => {
    const contacts = Array.from({ length: 1_500 }, (_, at) => contact(`${at}`, { email: `${at % 500}@example.com` }))
    const team = { _id: 'acme', name: 'acme', apiKeys: [], contacts }
    const store = await openedAt(await place(), { teams: [team] })
    const found = await store.transaction('acme', async ({ records: { contacts } }) => {
      const first = contacts.find('email', '1@example.com')
      await contacts.remove('1001')
      await contacts.replace(contact('501', { email: '2@example.com' }))
      await contacts.insert(contact('new', { email: '1@example.com' }))
      await first
      return Promise.all(['1', '2'].map(async (name) => contacts.find('email', `${name}@example.com`)))
    })
    expect(found.map(idsOf)).toEqual([
      ['1', 'new'],
      ['2', '501', '502', '1002'],
    ])
  })

  it('finds what a plain list would, in the order of creation, after any transactions', async () => {
    const store = await openedAt(await place())
    const property = fc.asyncProperty(
      fc.array(transaction, { maxLength: 12 }),
      fc.subarray(conversations),
      part,
      fc.shuffledSubarray(ids),
      async (transactions, values, part, wanted) => {
        await store.replaceAll({ teams: [{ _id: 'acme', name: 'acme', apiKeys: [] }] })
        let list: readonly Message[] = []
        for (const { changes, throws } of transactions) {
          const next = changes.reduce(applyChange, list)
          await store.transaction('acme', ({ records }) => carryOut(records, changes, throws)).catch(onPurpose)
          if (!throws) list = next
        }
        await store.read('acme', async ({ records: { messages } }) => {
          for (const value of conversations) {
            const found = within(list, [value])
            expect(await messages.find('conversation', value)).toEqual(found)
            expect(await messages.first('conversation', value)).toEqual(found[0])
            expect(await messages.last('conversation', value)).toEqual(found.at(-1))
          }
          expect(await messages.page('conversation', values, part)).toEqual(partOf(within(list, values), part))
          expect(await messages.count('conversation', values)).toBe(within(list, values).length)
          for (const id of ids) expect(await messages.get(id)).toEqual(list.find(({ _id }) => _id === id))
          const known = wanted.filter((id) => list.some(({ _id }) => _id === id))
          expect(idsOf(await messages.getMany(wanted))).toEqual(known)
        })
        expect((await store.world()).teams[0]?.messages ?? []).toEqual(list)
        expect(await store.page('acme', 'messages', part)).toEqual(partOf(list, { ...part, order: 'oldestFirst' }))
        expect((await partsOf(store, 'messages')).flat()).toEqual(list)
      },
    )
    await fc.assert(property, { numRuns: inTier({ test: 100, nightly: 300 }) })
  })
})

interface Change {
  readonly does: string
  readonly ids: readonly string[]
  readonly to: string
}

async function carryOut({ messages }: Records, changes: readonly Change[], throws: boolean): Promise<void> {
  for (const { does, ids, to } of changes) {
    const [id = ''] = ids
    if (does === 'remove') await messages.remove(id)
    else if (does === 'removeWhere') {
      const count = await messages.count('conversation', [to])
      expect(await messages.removeWhere('conversation', to)).toBe(count)
    } else if (does === 'writeAll') {
      const known = new Set(idsOf(await messages.getMany(ids)))
      await messages.insertAll(ids.filter((id) => !known.has(id)).map((id) => message(id, to)))
      for (const id of known) await messages.replace(message(id, to))
    } else if (await messages.get(id)) await messages.replace(message(id, to))
    else await messages.insert(message(id, to))
  }
  if (throws) throw new Error('on purpose')
}

function onPurpose(error: unknown): void {
  expect(error).toEqual(new Error('on purpose'))
}

function applyChange(list: readonly Message[], { does, ids, to }: Change): readonly Message[] {
  const [id = ''] = ids
  if (does === 'remove') return list.filter(({ _id }) => _id !== id)
  if (does === 'removeWhere') return list.filter(({ conversationId }) => conversationId !== to)
  const written = does === 'writeAll' ? ids : [id]
  const known = new Set(idsOf(list))
  return [
    ...list.map((one) => (written.includes(one._id) ? message(one._id, to) : one)),
    ...written.filter((id) => !known.has(id)).map((id) => message(id, to)),
  ]
}

const within = (list: readonly Message[], values: readonly string[]) =>
  list.filter(({ conversationId }) => values.includes(conversationId))

function partOf(list: readonly Message[], { skip, take, order }: Part) {
  const ordered = order === 'oldestFirst' ? list : list.toReversed()
  return { total: list.length, records: ordered.slice(skip, skip + take) }
}

function message(_id: string, conversationId: string): Message {
  const fixed = { channel: 'chat', direction: 'outgoing', content: 'hello', status: 'sent' } as const
  return { _id, conversationId, contactId: 'ada', createdAt: '2026-03-01T09:30:00.000Z', ...fixed }
}
