import { execFileSync } from 'node:child_process'
import { copyFile, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFileStore } from '../../mock/store/file/file-store.ts'
import { filesOnDisk } from '../../mock/store/file/files-on-disk.ts'
import { openStore } from '../../mock/store/open-store.ts'
import { contact, emptyTeams, newFolder } from './harness.ts'
import { changed } from './on-files.ts'

const victimText = 'what somebody else needs'

/** Makes a file of a kind that the store must not touch. */
type Make = (path: string, victim: string) => unknown

const isRoot = process.getuid?.() === 0

const kinds: readonly [kind: string, sentence: string, make: Make][] = [
  ['a link', 'a symbolic link', (path, victim) => symlink(victim, path)],
  ['a link to nothing', 'a symbolic link', (path) => symlink('gone', path)],
  ['a link to a device', 'a symbolic link', (path) => symlink('/dev/zero', path)],
  ['a folder', 'a folder', (path) => mkdir(path)],
  ['a named pipe', 'a named pipe', (path) => execFileSync('mkfifo', [path])],
  ['a socket', 'a socket', listenAt],
  // Only root can make one.
  ...(isRoot
    ? [['a device', 'a device', (path: string) => execFileSync('mknod', [path, 'c', '1', '5'])] as const].map(
        ([kind, sentence, make]): [string, string, Make] => [kind, sentence, make],
      )
    : []),
]

const places = [
  ['the log of a new document', 'crm.json.0.log', undefined],
  ['the log of an open document', 'crm.json.1.log', 'crm.json'],
  ['an old log', 'crm.json.0.log', 'crm.json'],
  ['the lock', 'crm.json.1.lock', undefined],
  ['the file beside the document', 'crm.json.tmp', undefined],
] as const

describe.each(places)('in the place of %s', (_, name, document) => {
  it.each(kinds)('%s is refused, and neither opened nor changed', async (_kind, sentence, make) => {
    const folder = await newFolder()
    const victim = join(await newFolder(), 'victim')
    await writeFile(victim, victimText)
    if (document) await copyFile(await openDocument(), join(folder, document))
    await make(join(folder, name), victim)
    const before = await kindsIn(folder)

    await expect(openStore(`file:${join(folder, 'crm.json')}`, emptyTeams)).rejects.toThrow(
      `${join(folder, name)} is ${sentence}, where a file of the store belongs: move it away.`,
    )
    expect(await kindsIn(folder)).toEqual(before)
    expect(await readFile(victim, 'utf8')).toBe(victimText)
  })
})

describe('while the store is open', () => {
  it.each(kinds)('%s in the place of the next file is left alone, and the data is safe', async (_, __, make) => {
    for (const name of ['crm.json.tmp', 'crm.json.1.log']) {
      const folder = await newFolder()
      const victim = join(await newFolder(), 'victim')
      await writeFile(victim, victimText)
      const path = join(folder, 'crm.json')
      const said: string[] = []
      const store = await openFileStore(path, emptyTeams, filesOnDisk, 1, { say: (sentence) => said.push(sentence) })
      await make(join(folder, name), victim)
      const planted = await lstat(join(folder, name))
      for (const id of ['ada', 'grace', 'tim'])
        await store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact(id)))
      await store.close()

      expect(said[0]).toContain(`${join(folder, name)} is `)
      expect((await lstat(join(folder, name))).ino).toBe(planted.ino)
      expect(await readFile(victim, 'utf8')).toBe(victimText)
    }
  })

  it('a link in the place of the document is left alone, and is refused later', async () => {
    const folder = await newFolder()
    const victim = join(await newFolder(), 'victim')
    await writeFile(victim, victimText)
    const path = join(folder, 'crm.json')
    const said: string[] = []
    const store = await openFileStore(path, emptyTeams, filesOnDisk, 1, { say: (sentence) => said.push(sentence) })
    await filesOnDisk.remove(path)
    await symlink(victim, path)
    await store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('ada')))
    await store.close()
    expect(said[0]).toContain(`${path} is a symbolic link`)
    expect((await lstat(path)).isSymbolicLink()).toBe(true)
    expect(await readFile(victim, 'utf8')).toBe(victimText)
  })
})

it('a file that becomes a link between the look and the open is not followed', async () => {
  const folder = await newFolder()
  const path = join(folder, 'crm.json')
  await (await openStore(`file:${path}`, emptyTeams)).close()
  await copyFile(path, join(folder, 'other.json'))
  const files = changed(filesOnDisk, {
    async find(name) {
      const found = await filesOnDisk.find(name)
      await filesOnDisk.remove(path)
      await symlink(join(folder, 'other.json'), path)
      return found
    },
  })
  await expect(openFileStore(path, emptyTeams, files)).rejects.toThrow('is a symbolic link')
})

/** A document as a killed process leaves it, after one turn. */
async function openDocument(): Promise<string> {
  const path = join(await newFolder(), 'crm.json')
  const first = await openStore(`file:${path}`, emptyTeams)
  await first.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('ada')))
  await first.close()
  const store = await openStore(`file:${path}`, emptyTeams)
  onTestFinished(() => store.close())
  return path
}

async function kindsIn(folder: string): Promise<[name: string, mode: number][]> {
  const names = await readdir(folder)
  return Promise.all(names.map(async (name) => [name, (await lstat(join(folder, name))).mode]))
}

async function listenAt(path: string): Promise<void> {
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((listening) => server.listen(path, listening))
}
