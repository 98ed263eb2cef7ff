import { afterEach, expect, it, vi } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { openFileStore } from '../../mock/store/file/file-store.ts'
import type { Files } from '../../mock/store/file/files.ts'
import type { Store } from '../../mock/store/port.ts'
import { Disk } from './disk.ts'
import { contact, emptyTeams, idsOf } from './harness.ts'
import { changed, path } from './on-files.ts'
import { losingPower } from './power-losses.ts'

// The longest string of the engine is 512 MiB. Here a file of megabytes is read and written in pieces of 4 KiB, and
// nothing that is longer than some pieces may ever be made of it.

const pieceSize = 4096
const longestSlice = 160 * 1024
const many = 8_000
const contacts = Array.from({ length: many }, (_, at) => contact(`${at}`, { lastName: 'x'.repeat(100) }))
const acme = { _id: 'acme', name: 'acme', apiKeys: ['acme-key'], contacts }
const world: World = { teams: [acme] }

afterEach(() => {
  vi.restoreAllMocks()
})

it.each<[string, (store: Store) => Promise<unknown>]>([
  ['one turn', (store) => store.turn('acme', ({ records }) => records.contacts.insertAll(contacts))],
  ['a reset', (store) => store.become(world)],
  ['a new team', (store) => store.removeTeam('acme').then(() => store.addTeam(acme))],
])('writes %s to the log, and reads it again, in lines of bounded length', async (_, change) => {
  const disk = new Disk()
  const { files, longest } = measured(disk)
  const store = await openIn(files)
  await change(store)
  const left = disk.afterKill()
  expect(left.longest).toBeGreaterThan(100 * pieceSize)
  const again = measured(left)
  const reopened = await openIn(again.files)
  expect(longest()).toBeLessThan(2 * pieceSize)
  expect(again.longest()).toBeLessThan(2 * pieceSize)
  expect(await reopened.world()).toEqual(await store.world())
})

it('writes a document, and reads it again, in slices of bounded length', async () => {
  const disk = new Disk()
  const { files, longest } = measured(disk)
  const store = await openIn(files)
  await store.become(world)
  await store.close()
  expect(disk.longest).toBeGreaterThan(10 * longestSlice)
  expect(longest()).toBeLessThan(longestSlice)
  const again = measured(disk)
  expect(await (await openIn(again.files)).world()).toEqual(world)
  expect(again.longest()).toBeLessThan(longestSlice)
})

it('keeps all of a turn that takes several lines, or nothing, whenever the power goes, and goes on from there', async () => {
  const large = contact('large', { lastName: 'x'.repeat(2 * pieceSize) })
  const few = [contact('small'), large, ...contacts.slice(0, 100)]
  const kept = new Set<number>()
  for (let goesAt = 0, isOver = false; !isOver; goesAt++) {
    const disk = new Disk()
    const { files, log } = losingPower(disk, goesAt)
    const turns = [[contact('before')], few, [contact('after')]]
    const answered = await openIn(files)
      .then((store) => Promise.allSettled(turns.map((records) => insert(store, records))))
      .catch(() => [])
    isOver = log.calls < goesAt
    const left = disk.afterKill()
    const store = await openIn(left)
    const found = await idsIn(store)
    kept.add(found.filter((id) => few.some(({ _id }) => _id === id)).length)
    const promised = turns.filter((_, at) => answered[at]?.status === 'fulfilled').flat()
    expect(found).toEqual(expect.arrayContaining(idsOf(promised)))
    await insert(store, [contact('next')])
    expect(await idsIn(await openIn(left.afterKill()))).toEqual([...found, 'next'])
  }
  expect([...kept].sort()).toEqual([0, few.length])
})

const insert = (store: Store, records: typeof contacts) =>
  store.turn('acme', (team) => team.records.contacts.insertAll(records))

const idsIn = async (store: Store) => idsOf((await store.world()).teams[0]?.contacts ?? [])

const openIn = (files: Files) =>
  openFileStore(path, emptyTeams, files, 64 * 1024 * 1024, { pieceSize, say: () => undefined })

/** Notes the longest text or buffer that is made, read or written. */
function measured(disk: Disk) {
  vi.restoreAllMocks()
  let longest = 0
  const note = <Sized extends { readonly length: number }>(made: Sized): Sized => {
    longest = Math.max(longest, made.length)
    return made
  }
  const { parse, stringify } = JSON
  const concat = Buffer.concat.bind(Buffer)
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => parse(note(text), reviver) as unknown)
  vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => note(stringify(value)))
  vi.spyOn(Buffer, 'concat').mockImplementation((all) => note(concat(all)))
  const files = changed(disk, {
    async open(name) {
      const file = await disk.open(name)
      return file && { ...file, read: async (atMost) => note(await file.read(atMost)) }
    },
    create: async (name) => noting(await disk.create(name)),
    reopen: async (name) => noting(await disk.reopen(name)),
  })
  const noting = (file: Awaited<ReturnType<Files['create']>>) => ({
    ...file,
    write: (...[bytes, from, at]: Parameters<typeof file.write>) => file.write(note(bytes), from, at),
    writeSafely: (...[bytes, from, at]: Parameters<typeof file.write>) => file.writeSafely(note(bytes), from, at),
  })
  return { files, longest: () => longest }
}
