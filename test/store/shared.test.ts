import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { openStore } from '../../mock/store/open-store.ts'
import type { Store } from '../../mock/store/port.ts'
import { contact, emptyTeams, openedAt, stores } from './harness.ts'

const ada = contact('ada')
const withRecords: World = {
  teams: emptyTeams.teams.map((team) => (team._id === 'acme' ? { ...team, contacts: [ada] } : team)),
}

describe.each(stores)('what processes share on the $store store:', ({ place }) => {
  const opened = async (world?: World) => openedAt(await place(), world)

  describe('an era', () => {
    it('has a secret of its own, and lasts', async () => {
      const store = await opened()
      const era = await store.era()
      expect(era.tokenSecret).toHaveLength(32)
      expect(await store.era()).toEqual(era)
      expect((await (await opened()).era()).tokenSecret).not.toEqual(era.tokenSecret)
    })

    it('ends with a reset', async () => {
      const store = await opened()
      const before = await store.era()
      await store.become(emptyTeams)
      const after = await store.era()
      expect(after.epoch).toBeGreaterThan(before.epoch)
      expect(after.tokenSecret).not.toEqual(before.tokenSecret)
    })

    it('does not end with a world that is refused', async () => {
      const store = await opened()
      const before = await store.era()
      await expect(store.become({ teams: [...emptyTeams.teams, ...emptyTeams.teams] })).rejects.toThrow('already')
      expect(await store.era()).toEqual(before)
    })
  })

  describe('a counter', () => {
    it('counts by name, and begins anew when its time is over', async () => {
      const store = await opened()
      const count = async (name: string, now: number) => (await store.count(name, now, 100)).times
      expect([await count('one', 0), await count('one', 50), await count('one', 99)]).toEqual([1, 2, 3])
      expect(await count('other', 99)).toBe(1)
      expect(await store.count('one', 100, 200)).toEqual({ times: 1, until: 200 })
    })

    it('counts everybody who comes at once', async () => {
      const store = await opened()
      const counts = await Promise.all(Array.from({ length: 50 }, () => store.count('one', 0, 100)))
      expect(counts.map(({ times }) => times).toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 50 }, (_, at) => at + 1),
      )
    })

    it('begins anew when the clock was set back', async () => {
      const store = await opened()
      await store.count('one', 1_000, 1_100)
      expect(await store.count('one', 0, 100)).toEqual({ times: 1, until: 100 })
    })

    it('begins anew with a reset', async () => {
      const store = await opened()
      await store.count('one', 0, 100)
      await store.become(emptyTeams)
      expect(await store.count('one', 0, 100)).toEqual({ times: 1, until: 100 })
    })
  })

  describe('due work', () => {
    const claimed = async (store: Store, now: number) => [
      await store.claimDue(now, now + 10),
      await store.claimDue(now, now + 10),
      await store.claimDue(now, now + 10),
    ]

    it('does not exist in teams without records', async () => {
      const store = await opened()
      expect([await store.nextDue(), await store.claimDue(1e15, 2e15)]).toEqual([undefined, undefined])
    })

    it('is claimed once when its time has come', async () => {
      const store = await opened()
      await workDueBy(store, 5)
      expect(await store.nextDue()).toBe(5)
      expect(await claimed(store, 4)).toEqual([undefined, undefined, undefined])
      expect(await claimed(store, 5)).toEqual(['acme', undefined, undefined])
    })

    it('is claimed by one of several who come at once', async () => {
      const store = await opened()
      await workDueBy(store, 5)
      const claims = await Promise.all(Array.from({ length: 8 }, () => store.claimDue(5, 15)))
      expect(claims.filter((claim) => claim === 'acme')).toHaveLength(1)
    })

    it('is due again when the lease is over, for whoever took it may be gone', async () => {
      const store = await opened()
      await workDueBy(store, 5)
      await store.claimDue(5, 15)
      expect(await store.nextDue()).toBe(15)
      expect(await claimed(store, 14)).toEqual([undefined, undefined, undefined])
      expect(await claimed(store, 15)).toEqual(['acme', undefined, undefined])
    })

    it('is due at the earliest time that was asked for', async () => {
      const store = await opened()
      await store.turn('acme', async (team) => {
        for (const at of [6, 5, 7]) team.dueBy(at)
      })
      await workDueBy(store, 6)
      expect(await store.nextDue()).toBe(5)
    })

    it('is due before the lease is over when a turn asks for it meanwhile', async () => {
      const store = await opened()
      await workDueBy(store, 5)
      await store.claimDue(5, 15)
      await workDueBy(store, 6)
      expect(await claimed(store, 6)).toEqual(['acme', undefined, undefined])
    })

    it.each([
      ['is due when the turn that did it says', 30, 30],
      ['is gone when the turn that did it says so', undefined, undefined],
    ])('%s', async (_, next, nextDue) => {
      const store = await opened()
      await workDueBy(store, 5)
      await store.claimDue(5, 15)
      await store.turn('acme', async (team) => {
        team.dueNext(next)
      })
      expect(await store.nextDue()).toBe(nextDue)
      await store.turn('acme', async (team) => {
        team.dueNext(40)
        team.dueBy(20)
      })
      expect(await store.nextDue()).toBe(20)
    })

    it('stays as it was when the turn throws', async () => {
      const store = await opened()
      await workDueBy(store, 5)
      const turn = store.turn('acme', async (team) => {
        team.dueNext(undefined)
        team.dueBy(1)
        throw new Error('on second thoughts')
      })
      await expect(turn).rejects.toThrow('on second thoughts')
      expect(await store.nextDue()).toBe(5)
    })

    it('is announced in turns only', async () => {
      const store = await opened()
      const team = await store.turn('acme', async (open) => open)
      expect(() => {
        team.dueBy(5)
      }).toThrow('outside a turn')
      expect(() => {
        team.dueNext(5)
      }).toThrow('outside a turn')
      expect(await store.nextDue()).toBeUndefined()
    })

    it('is given to the team that has waited longest', async () => {
      const store = await opened()
      await workDueBy(store, 5, 'acme')
      await workDueBy(store, 3, 'globex')
      expect(await claimed(store, 6)).toEqual(['globex', 'acme', undefined])
    })

    it('may wait in every team that was opened with records', async () => {
      const store = await opened(withRecords)
      expect(await store.nextDue()).toBe(0)
      expect(await claimed(store, 0)).toEqual(['acme', undefined, undefined])
    })

    it('may wait in every team that was added, or came with a reset, with records', async () => {
      const store = await opened()
      await store.addTeam({ _id: 'initech', name: 'Initech', apiKeys: [], contacts: [ada] })
      expect(await claimed(store, 0)).toEqual(['initech', undefined, undefined])
      await store.become(withRecords)
      expect(await claimed(store, 0)).toEqual(['acme', undefined, undefined])
    })

    it('goes with its team, and with a reset', async () => {
      const store = await opened()
      for (const teamId of ['acme', 'globex']) await workDueBy(store, 5, teamId)
      await store.removeTeam('acme')
      expect(await claimed(store, 5)).toEqual(['globex', undefined, undefined])
      await store.become(emptyTeams)
      expect(await store.nextDue()).toBeUndefined()
    })
  })
})

describe('after a restart of the file store', () => {
  const place = stores.find(({ store }) => store === 'file')?.place

  it('the era goes on, and every team with records may have due work', async () => {
    const name = (await place?.()) ?? ''
    const before = await openStore(name, emptyTeams)
    await before.become(emptyTeams)
    await before.turn('acme', async (team) => {
      await team.records.contacts.insert(ada)
      team.dueBy(1e15)
    })
    const era = await before.era()
    await before.close()
    const after = await openedAt(name)
    expect(await after.era()).toEqual(era)
    expect([await after.claimDue(0, 10), await after.claimDue(0, 10)]).toEqual(['acme', undefined])
  })
})

const workDueBy = (store: Store, at: number, teamId = 'acme') =>
  store.turn(teamId, async (team) => {
    team.dueBy(at)
  })
