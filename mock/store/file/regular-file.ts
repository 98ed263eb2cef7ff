import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { codeOf } from './files.ts'
import { UnusableFile } from './unusable-file.ts'

// Windows has neither. There, the looks before and after the open have to do.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>

/** Opens a regular file that exists. A link is not followed, and nothing else is opened. Undefined when there is none. */
export async function openRegular(path: string, flags: number): Promise<FileHandle | undefined> {
  const seen = await lookAt(path)
  if (!seen) return undefined
  const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK).catch(notThere)
  if (!handle) return undefined
  const opened = await handle.stat({ bigint: true })
  if (opened.ino === seen.ino && opened.dev === seen.dev) return handle
  await handle.close()
  throw new UnusableFile(path, 'was replaced while it was opened', 'see what else works on it, and try again')
}

/** Looks at a path without opening it. Refuses what is not a regular file. */
export async function lookAt(path: string): Promise<BigIntStats | undefined> {
  const status = await lstat(path, { bigint: true }).catch(notThere)
  if (!status || status.isFile()) return status
  throw new UnusableFile(path, `is ${kindOf(status)}, where a file of the store belongs`, 'move it away')
}

export const stampFrom = ({ dev, ino, size, mtimeNs }: BigIntStats) => [dev, ino, size, mtimeNs].join(' ')

export function notThere(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
}

function kindOf(status: BigIntStats): string {
  if (status.isSymbolicLink()) return 'a symbolic link'
  if (status.isDirectory()) return 'a folder'
  if (status.isFIFO()) return 'a named pipe'
  return status.isSocket() ? 'a socket' : 'a device'
}
