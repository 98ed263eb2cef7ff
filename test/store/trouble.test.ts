import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openFileStore } from '../../mock/store/file/file-store.ts'
import { filesOnDisk } from '../../mock/store/file/files-on-disk.ts'
import { openStore } from '../../mock/store/open-store.ts'
import type { Store } from '../../mock/store/port.ts'
import { Disk } from './disk.ts'
import { failure, withFaults } from './faults.ts'
import { contact, emptyTeams, idsOf, newFolder } from './harness.ts'
import { changed, openOn, path } from './on-files.ts'

describe('a full disk', () => {
  it('is said once, refuses every change, and is over as soon as there is space', async () => {
    const disk = new Disk()
    const said: string[] = []
    let isFull = false
    const { files } = withFaults(disk, () => (isFull ? async () => Promise.reject(failure('ENOSPC')) : undefined))
    const store = await openOn(files, path, (sentence) => said.push(sentence))
    await insert(store, 'before')
    isFull = true
    for (const id of ['one', 'two', 'three']) await expect(insert(store, id)).rejects.toThrow('could not be written')
    expect(said).toEqual([
      `${path} cannot be written to (ENOSPC: on purpose): changes are refused until it can be, and nothing that was answered is lost. See to the space on its disk and to its permissions.`,
    ])
    isFull = false
    await insert(store, 'after')
    expect(said.slice(1)).toEqual([`${path} can be written to again.`])
    expect(await idsOn(disk.afterKill())).toEqual(['before', 'after'])
    await store.close()
    expect(await idsOn(disk)).toEqual(['before', 'after'])
  })

  it('is said once when only the document cannot be rewritten, and nothing is refused', async () => {
    const disk = new Disk()
    const said: string[] = []
    let isFull = false
    const files = changed(disk, {
      create: (name) => (isFull ? Promise.reject(failure('ENOSPC')) : disk.create(name)),
    })
    const store = await openFileStore(path, emptyTeams, files, 1, { say: (sentence) => said.push(sentence) })
    isFull = true
    for (let at = 0; at < 30; at++) await insert(store, `${at}`)
    expect(said).toEqual([
      `${path} cannot be rewritten (ENOSPC: on purpose): what was answered is safe in the log beside it, and it is tried again later.`,
    ])
    isFull = false
    for (let at = 30; at < 200; at++) await insert(store, `${at}`)
    await vi.waitFor(() => {
      expect(said.slice(1)).toEqual([`${path} is rewritten again.`])
    })
    await store.close()
    expect(await idsOn(disk)).toHaveLength(200)
  })

  it('is said on stderr', async () => {
    const said: unknown[] = []
    const onStderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(text) > 0)
    try {
      const disk = new Disk()
      let isFull = false
      const { files } = withFaults(disk, () => (isFull ? async () => Promise.reject(failure('ENOSPC')) : undefined))
      const store = await openFileStore(path, emptyTeams, files)
      isFull = true
      await expect(insert(store, 'ada')).rejects.toThrow()
      expect(said).toEqual([expect.stringMatching(/^\/data\/crm\.json cannot be written to \(ENOSPC.*\.\n$/)])
    } finally {
      onStderr.mockRestore()
    }
  })
})

describe('a document that somebody edits while the store is open', () => {
  it.each<[string, string]>([
    ['to something else', 'edited by hand\n'],
    ['to nothing', ''],
  ])('%s is kept beside the one that replaces it', async (_, edited) => {
    const folder = await newFolder()
    const file = join(folder, 'crm.json')
    const said: string[] = []
    const store = await openFileStore(file, emptyTeams, filesOnDisk, undefined, { say: (words) => said.push(words) })
    await insert(store, 'ada')
    await writeFile(file, edited)
    await store.close()
    expect(said).toEqual([
      `${file} was changed by another program while the sandbox was running: what it held is now in ${file}.changed-1, and the sandbox goes on with its own data.`,
    ])
    expect(await readdir(folder)).toEqual(['crm.json', 'crm.json.changed-1'])
    expect(await readFile(`${file}.changed-1`, 'utf8')).toBe(edited)
    expect(await idsIn(file)).toEqual(['ada'])
  })

  it('is kept each time, and under another name', async () => {
    const folder = await newFolder()
    const file = join(folder, 'crm.json')
    for (const edited of ['first', 'second']) {
      const store = await openFileStore(file, emptyTeams, filesOnDisk, undefined, { say: () => undefined })
      await writeFile(file, edited)
      await store.close()
    }
    expect(await readFile(`${file}.changed-1`, 'utf8')).toBe('first')
    expect(await readFile(`${file}.changed-2`, 'utf8')).toBe('second')
  })

  it('is kept by a fold too', async () => {
    const disk = new Disk()
    const said: string[] = []
    const store = await openFileStore(path, emptyTeams, disk, 1, { say: (sentence) => said.push(sentence) })
    const other = await disk.reopen(path)
    await other.truncate(7)
    for (let at = 0; at < 30; at++) await insert(store, `${at}`)
    await store.close()
    expect(said).toHaveLength(1)
    expect((await disk.read(`${path}.changed-1`))?.toString()).toHaveLength(7)
  })

  it('is kept where a file can have one name only', async () => {
    const disk = new Disk()
    const files = changed(disk, {
      keepAs: async (from, to) => disk.rename(from, to),
    })
    const store = await openOn(files)
    await (await disk.reopen(path)).truncate(7)
    await store.close()
    expect(disk.paths).toEqual([path, `${path}.changed-1`])
  })

  it('is not suspected when nobody did, though writes fail and are repeated', async () => {
    const disk = new Disk()
    const said: string[] = []
    let fails = true
    const files = changed(disk, {
      async rename(from, to) {
        await disk.rename(from, to)
        if (fails) throw failure('EIO')
      },
    })
    fails = false
    const store = await openFileStore(path, emptyTeams, files, 1, { say: (sentence) => said.push(sentence) })
    fails = true
    for (let at = 0; at < 30; at++) await insert(store, `${at}`)
    fails = false
    await store.close()
    expect(said.filter((sentence) => sentence.includes('was changed'))).toEqual([])
    expect(disk.paths).toEqual([path])
  })
})

const insert = (store: Store, id: string) =>
  store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact(id)))

async function idsOn(disk: Disk): Promise<string[]> {
  const store = await openOn(disk)
  const { teams } = await store.world()
  await store.close()
  return idsOf(teams[0]?.contacts ?? [])
}

async function idsIn(file: string): Promise<string[]> {
  const store = await openStore(`file:${file}`, emptyTeams)
  const { teams } = await store.world()
  await store.close()
  return idsOf(teams[0]?.contacts ?? [])
}
