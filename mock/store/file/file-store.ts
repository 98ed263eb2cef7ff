import type { World } from '../../../fixtures/world.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import type { Store } from '../port.ts'
import type { Means } from './document-file.ts'
import { FileJournal } from './file-journal.ts'
import { lock } from './file-lock.ts'
import type { Files } from './files.ts'
import { filesOnDisk } from './files-on-disk.ts'
import { sayOnStderr } from './trouble.ts'
import { inWords } from './unusable-file.ts'
import { WorldFile } from './world-file.ts'
import { WorldsOnDisk } from './worlds-on-disk.ts'
import { readEra } from './written-era.ts'

const oneMiB = 1024 * 1024

/**
 * Opens a store in memory that answers a change once it is safe in a file. If the file exists, what it holds counts and
 * not the world. A log shorter than `shortestFold` bytes is not folded into the document.
 */
export async function openFileStore(
  name: string,
  world: World,
  files: Files = filesOnDisk,
  shortestFold = 8 * oneMiB,
  { pieceSize = oneMiB, say = sayOnStderr }: Partial<Means> = {},
): Promise<Store> {
  try {
    const path = await files.find(name)
    const unlock = await lock(path, files)
    try {
      const means = { files, shortestFold, pieceSize, say }
      const file = await WorldFile.read(path, world, means)
      return await storeOn(file, new FileJournal(file, unlock, say), means)
    } catch (error) {
      await unlock()
      throw error
    }
  } catch (error) {
    throw inWords(error, name)
  }
}

async function storeOn(file: WorldFile, journal: FileJournal, means: Means): Promise<Store> {
  const snapshots = new WorldsOnDisk(file.path, 'snapshot', means)
  const origins = new WorldsOnDisk(file.path, 'origin', means)
  // Refuses what only looks like a world before anything is written.
  const store = new MemoryStore(file.world, { era: readEra(file.era), journal, snapshots, origins })
  await file.begin()
  return store
}
