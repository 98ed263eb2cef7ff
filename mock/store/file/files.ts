import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { UserError } from '../../../lib/user-error.ts'

/** The calls of a file system that the file store makes. Tests pass one that fails, or that loses unsynced writes. */
export interface Files {
  /** The path behind any symbolic links, whether or not the file exists yet. */
  resolve(path: string): Promise<string>
  /** Opens a regular file. Undefined when it does not exist. */
  open(path: string): Promise<FileToRead | undefined>
  /** Creates a file; rejects if it exists. */
  create(path: string): Promise<FileToWrite>
  /** Opens an existing file. Each write goes to its end, and is synced before it resolves. */
  append(path: string): Promise<FileToWrite>
  list(folder: string): Promise<readonly string[]>
  rename(from: string, to: string): Promise<void>
  /** Resolves if there is no such file. */
  remove(path: string): Promise<void>
  /** Syncs the names in a folder: created, renamed and removed files. */
  syncFolder(folder: string): Promise<void>
}

export interface FileToRead {
  /** Reads the next bytes, at most so many. Returns no bytes at the end of the file. */
  read(atMost: number): Promise<Buffer>
  close(): Promise<void>
}

export interface FileToWrite {
  write(bytes: Buffer): Promise<void>
  sync(): Promise<void>
  truncate(length: number): Promise<void>
  close(): Promise<void>
}

/** A file that cannot be used as a store. It was not changed. */
export class UnusableFile extends UserError {
  constructor(path: string, reason: string, remedy: string) {
    super(`${path} ${reason}: ${remedy}.`, { option: 'store' })
  }
}

/** Any error as one sentence about the file. */
export function asUnusable(error: unknown, name: string): UserError {
  if (error instanceof UserError) return error
  const { message } = error as Error
  return codeOf(error) === undefined
    ? new UnusableFile(name, `does not hold a world (${message})`, restoreOrMove)
    : new UnusableFile(
        name,
        `cannot be used (${message})`,
        'check its folder, its permissions and the space on the disk',
      )
}

export const restoreOrMove = 'restore a backup, or move it away to start with a new file'

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** The file has API keys in it. */
const ownerOnly = 0o600

// Linux writes and syncs in one call; other systems do not promise it. Windows has none of the three flags.
const { O_DSYNC = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>
const writesAreSynced = process.platform === 'linux'

export const filesOnDisk: Files = {
  async resolve(path) {
    const absolute = resolve(path)
    const real = await realpath(absolute).catch(undefinedIfMissing)
    if (real === undefined) return join(await existingFolder(absolute), basename(absolute))
    const found = await stat(real)
    if (found.isDirectory()) throw new UnusableFile(path, 'is a folder', 'name a file')
    if (!found.isFile()) throw new UnusableFile(path, 'is not a file', 'name a file')
    return real
  },

  async open(path) {
    const handle = await openRegular(path, constants.O_RDONLY).catch(undefinedIfMissing)
    if (!handle) return undefined
    return {
      async read(atMost) {
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(atMost), 0, atMost)
        return buffer.subarray(0, bytesRead)
      },
      close: () => handle.close(),
    }
  },

  async create(path) {
    const handle = await open(path, 'wx', ownerOnly)
    return fileToWrite(handle, (bytes) => handle.writeFile(bytes))
  },

  async append(path) {
    const flags = constants.O_WRONLY | constants.O_APPEND | (writesAreSynced ? O_DSYNC : 0)
    const handle = await openRegular(path, flags)
    return fileToWrite(handle, async (bytes) => {
      await handle.writeFile(bytes)
      if (!writesAreSynced) await handle.datasync()
    })
  },

  list: (folder) => readdir(folder),
  rename,
  remove: (path) => rm(path, { force: true }),

  async syncFolder(folder) {
    // Windows cannot open a folder, and syncs its changes by itself.
    if (process.platform === 'win32') return
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  },
}

const fileToWrite = (handle: FileHandle, write: FileToWrite['write']): FileToWrite => ({
  write,
  sync: () => handle.datasync(),
  truncate: (length) => handle.truncate(length),
  close: () => handle.close(),
})

/** Follows no link, and does not block on a named pipe. */
async function openRegular(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    throw codeOf(error) === 'ELOOP' ? new UnusableFile(path, 'is a symbolic link', moveAway) : error
  })
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new UnusableFile(path, 'is not a regular file', moveAway)
}

const moveAway = 'move it away'

async function existingFolder(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(undefinedIfMissing)
  if (folder !== undefined && (await stat(folder)).isDirectory()) return folder
  throw new UnusableFile(path, 'is in a folder that is not there', `create ${dirname(path)}`)
}

function undefinedIfMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
}

const newline = 0x0a

export interface Line {
  /** Without the newline. */
  readonly bytes: Buffer
  /** Whether a newline follows, which the last line of a torn file lacks. */
  readonly isWhole: boolean
}

/** The lines of a file. It is read in pieces, since no string can hold more than 512 MiB. */
export async function* linesOf(file: FileToRead, pieceSize = 1024 * 1024): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  for (let piece = await file.read(pieceSize); piece.length > 0; piece = await file.read(pieceSize)) {
    let from = 0
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, from)) {
      yield { bytes: Buffer.concat([...rest, piece.subarray(from, at)]), isWhole: true }
      rest = []
      from = at + 1
    }
    rest.push(piece.subarray(from))
  }
  const bytes = Buffer.concat(rest)
  if (bytes.length > 0) yield { bytes, isWhole: false }
}
