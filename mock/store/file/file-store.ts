import { MemoryStore } from '../memory/memory-store.ts'
import { loadInitial, type InitialWorld, type Store } from '../port.ts'
import { FileJournal, type FileOptions } from './file-journal.ts'
import { asUnusable, filesOnDisk } from './files.ts'
import { lock } from './lock.ts'
import { SnapshotFiles } from './snapshot-files.ts'

const defaults: FileOptions = {
  files: filesOnDisk,
  shortestFold: 8 * 1024 * 1024,
  warn: (sentence) => {
    process.stderr.write(`${sentence}\n`)
  },
}

/** Opens a store in memory that answers a change once it is safe in a file. An existing file has precedence over `world`. */
export async function openFileStore(
  name: string,
  world: InitialWorld,
  changes: Partial<FileOptions> = {},
): Promise<Store> {
  const options = { ...defaults, ...changes }
  const { files } = options
  try {
    const path = await files.resolve(name)
    const unlock = await lock(path, files)
    try {
      const journal = await FileJournal.read(path, () => loadInitial(world), options, unlock)
      const snapshots = new SnapshotFiles(path, files)
      // Refuses what only looks like a world before anything is written.
      const store = await MemoryStore.open(journal.world, {
        generation: journal.generation,
        origins: journal.origins,
        journal,
        snapshots,
      })
      await journal.begin()
      return store
    } catch (error) {
      await unlock()
      throw error
    }
  } catch (error) {
    throw asUnusable(error, name)
  }
}
