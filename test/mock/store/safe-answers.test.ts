import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../mock/store/port.ts'
import { inTier } from '../../tier.ts'
import { Disk } from './disk.ts'
import { openOn, path, withFaults } from './faults.ts'
import { contact, emptyTeams, idsOf, insert, promised } from './helpers.ts'

describe('an answer', () => {
  it.each<[string, (store: Store) => Promise<unknown>]>([
    ['to a change', (store) => insert(store, contact('grace'))],
    [
      'to a transaction that only read',
      (store) => store.transaction('acme', ({ records: { contacts } }) => contacts.get('ada')),
    ],
    [
      'that refuses',
      (store) => store.transaction('acme', async () => Promise.reject(new Error('There is an ada already'))),
    ],
    ['to a read', (store) => store.read('acme', ({ records: { contacts } }) => contacts.get('ada'))],
    ['that shows the world', (store) => store.world()],
  ])('%s waits until what it has seen is safe', async (_, ask) => {
    const { store, disk, letSync } = await slow()
    const change = insert(store, contact('ada'))
    const answer = ask(store)
    expect(await Promise.race([change, answer, soon()])).toBe('nothing yet')
    expect(idsOf(await contactsOn(disk.afterPowerLoss(() => 0)))).toEqual([])
    letSync()
    await Promise.all([change, answer.catch(() => undefined)])
    expect(idsOf(await contactsOn(disk.afterPowerLoss(() => 0)))).toContain('ada')
  })

  it('from a new world waits until that world is safe', async () => {
    const { store, letSync } = await slow()
    const became = store.replaceAll({ teams: [{ _id: 'acme', name: 'acme', apiKeys: [], contacts: [contact('ada')] }] })
    await new Promise((go) => setImmediate(go))
    const answer = store.transaction('acme', ({ records: { contacts } }) => contacts.get('ada'))
    expect(await Promise.race([became, answer, soon()])).toBe('nothing yet')
    letSync()
    expect(await answer).toEqual(contact('ada'))
    await became
  })

  it('about a team without changes does not wait', async () => {
    const { store, letSync } = await slow()
    const change = insert(store, contact('ada'))
    expect(await store.transaction('globex', ({ records: { contacts } }) => contacts.get('ada'))).toBeUndefined()
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
    const transactions = Array.from({ length: 100 }, (_, at) =>
      store.transaction(at % 2 === 0 ? 'acme' : 'globex', ({ records: { contacts } }) =>
        contacts.insert(contact(`contact ${at}`)),
      ),
    )
    await Promise.all(transactions)
    const aWriteAndASync = 2
    expect(log.calls - before).toBeLessThanOrEqual(2 * aWriteAndASync)
  })
})

describe('a compaction', () => {
  it('leaves a document and a short log, and loses nothing that goes on meanwhile', async () => {
    const disk = new Disk()
    const store = await openOn(disk)
    const long = 'x'.repeat(3000)
    for (let round = 0; round < 30; round++) {
      const ids = Array.from({ length: 30 }, (_, at) => `${round} ${at}`)
      await Promise.all(ids.map((id) => insert(store, contact(id, { lastName: long }))))
    }
    const isClaim = (name: string) => name.endsWith('.lock')
    await expect.poll(() => disk.paths.filter((name) => !isClaim(name))).toHaveLength(2)
    const log = disk.paths.find((name) => name.endsWith('.log'))
    expect((await disk.read(path))?.length).toBeGreaterThan(1_000_000)
    expect((await disk.read(log ?? ''))?.length).toBeLessThan(2_000_000)
    expect(await worldOn(disk.afterKill())).toEqual(await store.world())
    await store.close()
    expect(disk.paths).toEqual([path])
  })
})

it.each([
  ['commits', undefined],
  ['rolls back', new Error('on purpose')],
])('a compaction leaves out the changes of a transaction, which %s later', async (_, refusal) => {
  const disk = new Disk()
  const store = await openOn(disk, undefined, 1)
  for (const id of ['ada', 'bill', 'grace']) await insert(store, contact(id))
  const untilCompacted = async (id: string) => {
    const document = await disk.read(path)
    for (let at = 0; (await disk.read(path)) === document; at++) await insert(store, contact(`${id} ${at}`), 'globex')
  }
  const [changed, go] = [promised(), promised()]
  const running = store.transaction('acme', async ({ records: { contacts } }) => {
    await contacts.remove('ada')
    await contacts.replace(contact('bill', { firstName: 'William' }))
    await contacts.insert(contact('tim'))
    await contacts.insert(contact('ada'))
    changed.resolve()
    await go.promise
    if (refusal) throw refusal
  })
  await changed.promise
  await untilCompacted('one')
  expect(idsOf(await contactsOn(disk.afterKill()))).toEqual(['ada', 'bill', 'grace'])
  go.resolve()
  await running.catch(() => undefined)
  await untilCompacted('other')
  expect(await worldOn(disk.afterKill())).toEqual(await store.world())
})

describe('the generation', () => {
  it.each<[string, (disk: Disk, store: Store) => Disk | Promise<Disk>]>([
    ['a kill', (disk) => disk.afterKill()],
    ['a power loss', (disk) => disk.afterPowerLoss(() => 0)],
    ['a close', (disk, store) => store.close().then(() => disk)],
  ])('outlives %s, from the start and after a reset', async (_, ends) => {
    for (const resets of [0, 1]) {
      const disk = new Disk()
      const store = await openOn(disk)
      for (let reset = 0; reset < resets; reset++) await store.replaceAll(emptyTeams)
      const generation = await store.generation()
      const reopened = await openOn(await ends(disk, store))
      expect(await reopened.generation()).toEqual(generation)
    }
  })
})

describe('a record', () => {
  it('comes back as it was, whatever it holds', async () => {
    const anything = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))
    const property = fc.asyncProperty(anything, async (additionalFields) => {
      const disk = new Disk()
      const store = await openOn(disk)
      await insert(store, contact('ada', { additionalFields }))
      const [fromLog] = await contactsOn(disk.afterKill())
      await store.close()
      const [fromDocument] = await contactsOn(disk)
      const asJson = JSON.stringify(contact('ada', { additionalFields }))
      expect([JSON.stringify(fromLog), JSON.stringify(fromDocument)]).toEqual([asJson, asJson])
    })
    await fc.assert(property, { numRuns: inTier({ test: 30, nightly: 100 }) })
  })
})

/** A store on a disk that syncs nothing until `letSync` is called. */
async function slow() {
  const disk = new Disk()
  const { promise: letGo, resolve: letSync } = promised()
  let waits = false
  const { files } = withFaults(disk, () => (waits ? async (call) => letGo.then(call) : undefined))
  const store = await openOn(files)
  waits = true
  return { store, disk, letSync }
}

/** Resolves after more turns than a store without a disk needs. */
const soon = async () => {
  for (let turns = 0; turns < 100; turns++) await new Promise((go) => setImmediate(go))
  return 'nothing yet'
}

async function worldOn(disk: Disk) {
  const store = await openOn(disk)
  const world = await store.world()
  await store.close()
  return world
}

const contactsOn = async (disk: Disk) => (await worldOn(disk)).teams[0]?.contacts ?? []
