import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Store } from '../../mock/store/port.ts'
import { Disk } from './disk.ts'
import { withFaults } from './faults.ts'
import { contact, emptyTeams, idsOf, promised } from './harness.ts'
import { openOn, path } from './on-files.ts'

describe('an answer', () => {
  it.each<[string, (store: Store) => Promise<unknown>]>([
    ['to a change', (store) => store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('grace')))],
    ['to a turn that only read', (store) => store.turn('acme', ({ records: { contacts } }) => contacts.get('ada'))],
    ['that refuses', (store) => store.turn('acme', async () => Promise.reject(new Error('There is an ada already')))],
    ['to a read', (store) => store.read('acme', ({ records: { contacts } }) => contacts.get('ada'))],
    ['that shows the world', (store) => store.world()],
  ])('%s waits until what it has seen is safe', async (_, ask) => {
    const { store, disk, letSync } = await slow()
    const change = store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('ada')))
    const answer = ask(store)
    expect(await Promise.race([change, answer, soon()])).toBe('nothing yet')
    expect(idsOf(await contactsOn(disk.afterPowerLoss(() => 0)))).toEqual([])
    letSync()
    await Promise.all([change, answer.catch(() => undefined)])
    expect(idsOf(await contactsOn(disk.afterPowerLoss(() => 0)))).toContain('ada')
  })

  it('from a new world waits until that world is safe', async () => {
    const { store, letSync } = await slow()
    const became = store.become({ teams: [{ _id: 'acme', name: 'acme', apiKeys: [], contacts: [contact('ada')] }] })
    const answer = store.turn('acme', ({ records: { contacts } }) => contacts.get('ada'))
    expect(await Promise.race([became, answer, soon()])).toBe('nothing yet')
    letSync()
    expect(await answer).toEqual(contact('ada'))
    await became
  })

  it('that shows the era of a new world waits until that world is safe', async () => {
    const { store, letSync } = await slow()
    const became = store.become(emptyTeams)
    const era = store.era()
    expect(await Promise.race([became, era, soon()])).toBe('nothing yet')
    letSync()
    expect((await era).epoch).toBe(2)
    await became
  })

  it('about a team without changes does not wait', async () => {
    const { store, letSync } = await slow()
    const change = store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('ada')))
    expect(await store.turn('globex', ({ records: { contacts } }) => contacts.get('ada'))).toBeUndefined()
    expect(await store.read('globex', ({ records: { contacts } }) => contacts.get('ada'))).toBeUndefined()
    letSync()
    await change
  })
})

describe('a batch', () => {
  it('holds all that came while the one before was made safe', async () => {
    const disk = new Disk()
    const { files, log } = withFaults(disk, () => undefined)
    const store = await openOn(files)
    const before = log.calls
    const turns = Array.from({ length: 100 }, (_, at) =>
      store.turn(at % 2 === 0 ? 'acme' : 'globex', ({ records: { contacts } }) =>
        contacts.insert(contact(`contact ${at}`)),
      ),
    )
    await Promise.all(turns)
    const aWriteAndASync = 2
    expect(log.calls - before).toBeLessThanOrEqual(2 * aWriteAndASync)
  })
})

describe('a fold', () => {
  it('leaves a document and a short log, and loses nothing that goes on meanwhile', async () => {
    const disk = new Disk()
    const store = await openOn(disk)
    const long = 'x'.repeat(3000)
    for (let round = 0; round < 30; round++) {
      const ids = Array.from({ length: 30 }, (_, at) => `${round} ${at}`)
      await Promise.all(
        ids.map((id) =>
          store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact(id, { lastName: long }))),
        ),
      )
    }
    const isClaim = (name: string) => name.endsWith('.lock')
    await vi.waitFor(
      () => {
        expect(disk.paths.filter((name) => !isClaim(name))).toHaveLength(2)
      },
      { timeout: 15_000 },
    )
    const log = disk.paths.find((name) => name.endsWith('.log'))
    expect((await disk.read(path))?.length).toBeGreaterThan(1_000_000)
    expect((await disk.read(log ?? ''))?.length).toBeLessThan(2_000_000)
    expect(await worldOn(disk.afterKill())).toEqual(await store.world())
    await store.close()
    expect(disk.paths).toEqual([path])
  })

  it('that was cut short leaves nothing behind, though nothing had happened since', async () => {
    const disk = new Disk()
    await openOn(disk)
    const killed = disk.afterKill()
    await killed.create(`${path}.tmp`)
    const store = await openOn(killed)
    expect(killed.paths).toEqual([path, `${path}.0.log`, `${path}.1.lock`])
    await store.close()
  })
})

describe('the era', () => {
  it.each<[string, (disk: Disk, store: Store) => Disk | Promise<Disk>]>([
    ['a kill', (disk) => disk.afterKill()],
    ['a power loss', (disk) => disk.afterPowerLoss(() => 0)],
    ['a close', (disk, store) => store.close().then(() => disk)],
  ])('outlives %s, from the start and after a reset', async (_, ends) => {
    for (const resets of [0, 1]) {
      const disk = new Disk()
      const store = await openOn(disk)
      for (let reset = 0; reset < resets; reset++) await store.become(emptyTeams)
      const era = await store.era()
      const reopened = await openOn(await ends(disk, store))
      expect(await reopened.era()).toEqual(era)
    }
  })
})

describe('the era of a file that was written without one', () => {
  it('is kept from the start', async () => {
    const disk = new Disk()
    const store = await openOn(disk)
    await store.close()
    const document = (await disk.read(path))?.toString() ?? ''
    const older = document.replace(/,\n {2}"era": .*/, ',').replace(/"checksum": .*/, '"checksum": null')
    expect(older).not.toContain('era')
    const found = Disk.holding({ [path]: older })
    const era = await (await openOn(found)).era()
    expect(await (await openOn(found.afterKill())).era()).toEqual(era)
  })
})

describe('a record', () => {
  it('comes back in the order of creation', async () => {
    const disk = new Disk()
    const store = await openOn(disk)
    for (const id of ['one', 'two', 'three'])
      await store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact(id)))
    await store.turn('acme', async ({ records: { contacts } }) => {
      await contacts.replace(contact('one', { firstName: 'Changed' }))
      await contacts.remove('two')
      await contacts.insert(contact('two'))
    })
    expect(idsOf(await contactsOn(disk.afterKill()))).toEqual(['one', 'three', 'two'])
    await store.close()
    expect(idsOf(await contactsOn(disk))).toEqual(['one', 'three', 'two'])
  })

  it('comes back as it was, whatever it holds', async () => {
    const anything = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))
    const property = fc.asyncProperty(anything, async (additionalFields) => {
      const disk = new Disk()
      const store = await openOn(disk)
      await store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('ada', { additionalFields })))
      const [fromLog] = await contactsOn(disk.afterKill())
      await store.close()
      const [fromDocument] = await contactsOn(disk)
      const asJson = JSON.stringify(contact('ada', { additionalFields }))
      expect([JSON.stringify(fromLog), JSON.stringify(fromDocument)]).toEqual([asJson, asJson])
    })
    await fc.assert(property, { numRuns: 100 })
  })

  it('is refused once the store is closed', async () => {
    const store = await openOn(new Disk())
    await store.close()
    await expect(store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('ada')))).rejects.toThrow(
      'closed',
    )
    await expect(store.become({ teams: [] })).rejects.toThrow('closed')
    expect(await store.world()).toEqual(emptyTeams)
  })
})

/** A store whose disk makes nothing safe until `letSync` is called. */
async function slow() {
  const disk = new Disk()
  const { promise: letGo, resolve: letSync } = promised()
  let waits = false
  const { files } = withFaults(disk, () => (waits ? async (call) => letGo.then(call) : undefined))
  const store = await openOn(files)
  waits = true
  return { store, disk, letSync }
}

const soon = async () => {
  await new Promise((go) => setTimeout(go, 20))
  return 'nothing yet'
}

async function worldOn(disk: Disk) {
  const store = await openOn(disk)
  const world = await store.world()
  await store.close()
  return world
}

const contactsOn = async (disk: Disk) => (await worldOn(disk)).teams[0]?.contacts ?? []
