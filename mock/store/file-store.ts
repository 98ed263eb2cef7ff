import type { World } from '../../fixtures/world.ts'
import { FileJournal } from './file-journal.ts'
import { lock } from './file-lock.ts'
import { codeOf, type Files } from './files.ts'
import { filesOnDisk } from './files-on-disk.ts'
import { MemoryStore } from './memory-store.ts'
import type { Store } from './store.ts'
import { UnusableFile } from './unusable-file.ts'
import { WorldFile } from './world-file.ts'

/** A store in memory whose changes are answered once they are safe in a file. A file that is there wins over the world. */
export async function openFileStore(name: string, world: World, files: Files = filesOnDisk): Promise<Store> {
  try {
    const path = await files.find(name)
    const letGo = await lock(path, files)
    try {
      return await storeOn(await WorldFile.read(path, world, files), letGo)
    } catch (error) {
      await letGo()
      throw error
    }
  } catch (error) {
    throw inWords(error, name)
  }
}

async function storeOn(file: WorldFile, letGo: () => Promise<void>): Promise<Store> {
  // It refuses what only looks like a world, before anything is written.
  const store = new MemoryStore(file.world, new FileJournal(file, letGo))
  await file.begin()
  return store
}

function inWords(error: unknown, name: string): unknown {
  if (error instanceof UnusableFile) return error
  const { message } = error as Error
  return codeOf(error) === undefined
    ? new UnusableFile(name, `does not hold a world (${message})`, 'restore a backup, or move it away to begin anew')
    : new UnusableFile(
        name,
        `cannot be used (${message})`,
        'see to its folder, its permissions and the space on the disk',
      )
}
