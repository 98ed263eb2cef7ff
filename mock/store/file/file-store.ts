import { MemoryStore } from '../memory/memory-store.ts'
import { type InitialWorld, loadInitial, type Store } from '../port.ts'
import { type FileOptions, FileWriteAheadLog } from './file-write-ahead-log.ts'
import { asUnusable, filesOnDisk } from './files.ts'
import { lock } from './lock.ts'
import { SnapshotFiles } from './snapshot-files.ts'

const defaults: FileOptions = {
  files: filesOnDisk,
  shortestToCompact: 8 * 1024 * 1024,
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
      const log = new FileWriteAheadLog(path, options, unlock)
      const first = async () => ({ world: await loadInitial(world), initialRecords: [] })
      const snapshots = new SnapshotFiles(path, files)
      return await log.open(first, (contents) => MemoryStore.open(contents.world, { ...contents, log, snapshots }))
    } catch (error) {
      await unlock()
      throw error
    }
  } catch (error) {
    throw asUnusable(error, name)
  }
}
