import { constants } from 'node:fs'
import { type FileHandle, link, lstat, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf, type Files, type FileToRead, type OpenFile } from './files.ts'
import { lookAt, notThere, openRegular, stampFrom } from './regular-file.ts'
import { UnusableFile } from './unusable-file.ts'

/** Only its owner may read a file that holds keys. */
const ownerOnly = 0o600

/** Linux writes and syncs in one call; other systems may take this flag less seriously than a sync. */
const syncedWrites = process.platform === 'linux' ? constants.O_DSYNC : undefined

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

  async open(path) {
    const handle = await openRegular(path, constants.O_RDONLY)
    return handle && fileToRead(handle)
  },

  async stampOf(path) {
    const status = await lookAt(path)
    return status && stampFrom(status)
  },

  list: (folder) => readdir(folder),
  create: async (path) => openFile(await open(path, 'wx', ownerOnly)),

  async reopen(path) {
    const handle = await reopen(path, 0)
    try {
      return openFile(handle, syncedWrites === undefined ? undefined : await reopen(path, syncedWrites))
    } catch (error) {
      await handle.close()
      throw error
    }
  },

  rename,

  async keepAs(path, other) {
    try {
      await link(path, other)
    } catch (error) {
      if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error
      await rename(path, other) // where there are no hard links
    }
  },

  async remove(path) {
    if (await lookAt(path)) await rm(path, { force: true })
  },

  async syncFolder(folder) {
    // Windows cannot open a folder, and makes its changes safe by itself.
    if (process.platform === 'win32') return
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  },
}

async function fileToRead(handle: FileHandle): Promise<FileToRead> {
  return {
    stamp: stampFrom(await handle.stat({ bigint: true })),
    async read(atMost) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(atMost), 0, atMost)
      return buffer.subarray(0, bytesRead)
    },
    close: () => handle.close(),
  }
}

async function reopen(path: string, flags: number): Promise<FileHandle> {
  const handle = await openRegular(path, constants.O_RDWR | flags)
  if (handle) return handle
  throw new UnusableFile(path, 'is missing', 'see what else works on it, and try again')
}

/** With a second handle whose writes are synced, there is no need for a call to sync them. */
function openFile(handle: FileHandle, synced?: FileHandle): OpenFile {
  const writeBy = (by: FileHandle, bytes: Buffer, from: number, position: number) =>
    by.write(bytes, from, bytes.length - from, position)
  return {
    async write(...part) {
      return (await writeBy(handle, ...part)).bytesWritten
    },
    async writeSafely(...part) {
      const { bytesWritten } = await writeBy(synced ?? handle, ...part)
      if (!synced) await handle.datasync()
      return bytesWritten
    },
    sync: () => handle.datasync(),
    truncate: (length) => handle.truncate(length),
    async close() {
      await synced?.close()
      await handle.close()
    },
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
