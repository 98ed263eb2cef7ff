import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf, type Files, type OpenFile } from './files.ts'
import { UnusableFile } from './unusable-file.ts'

/** Only its owner may read a file that holds keys. */
const ownerOnly = 0o600

/** Linux writes and syncs in one call; other systems may take this flag less seriously than a sync. */
const syncedWrites = process.platform === 'linux' ? constants.O_DSYNC : 0
const emptied = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC

export const filesOnDisk: Files = {
  async find(path) {
    const absolute = resolve(path)
    const real = await realpath(absolute).catch(notThere)
    if (real === undefined) return newIn(await folderOf(absolute), absolute)
    const found = await stat(real)
    if (found.isDirectory()) throw new UnusableFile(path, 'is a folder', 'name a file')
    if (!found.isFile()) throw new UnusableFile(path, 'is not a file', 'name a file')
    return real
  },

  read: (path) => readFile(path).catch(notThere),
  list: (folder) => readdir(folder),

  create: async (path) => openFile(await open(path, 'wx', ownerOnly), false),
  empty: async (path) => openFile(await open(path, emptied | syncedWrites, ownerOnly), syncedWrites !== 0),
  rename,
  remove: (path) => rm(path, { force: true }),

  async syncFolder(folder) {
    // Windows cannot open a folder, and makes its changes safe by itself.
    if (process.platform === 'win32') return
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  },
}

function openFile(handle: FileHandle, isSynced: boolean): OpenFile {
  const write: OpenFile['write'] = async (bytes, from, position) =>
    (await handle.write(bytes, from, bytes.length - from, position)).bytesWritten
  return {
    write,
    async writeSafely(...part) {
      const written = await write(...part)
      if (!isSynced) await handle.datasync()
      return written
    },
    sync: () => handle.datasync(),
    truncate: (length) => handle.truncate(length),
    close: () => handle.close(),
  }
}

async function folderOf(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(notThere)
  if (folder !== undefined && (await stat(folder)).isDirectory()) return folder
  throw new UnusableFile(path, 'is in a folder that is not there', `create ${dirname(path)}`)
}

async function newIn(folder: string, path: string): Promise<string> {
  // If it exists by now and is no link, another process has just created it.
  const there = await lstat(path).catch(notThere)
  if (there?.isSymbolicLink())
    throw new UnusableFile(path, 'is a link to a file that is not there', 'create that file, or name it')
  return join(folder, basename(path))
}

function notThere(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
}
