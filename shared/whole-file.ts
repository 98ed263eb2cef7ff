import { closeSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Deletes the file of an earlier run. Throws if a new one cannot be written, so that this is known before the run. */
export function prepareFile(path: string): void {
  checkWritable(path)
  if (!isSpecial(path)) rmSync(realPathOf(path), { force: true })
}

/** Throws if the file could not be written. */
export function checkWritable(path: string): void {
  makeFolder(dirname(path))
  if (path === '' || isFolder(path)) openSync(path, 'w') // throws ENOENT or EISDIR
  if (isSpecial(path)) return
  closeSync(openSync(partOf(path), 'w'))
  rmSync(partOf(path))
}

/** A file that is written piece by piece, and whole or not at all. */
export interface PartialFile {
  readonly write: (text: string) => Promise<void>
  /** Puts it where it belongs. */
  readonly finish: () => Promise<void>
  /** Leaves what was there before. */
  readonly discard: () => Promise<void>
}

export async function openPartial(path: string): Promise<PartialFile> {
  makeFolder(dirname(path))
  const special = isSpecial(path)
  const [real, part] = special ? [path, path] : [realPathOf(path), partOf(path)]
  const file = await open(part, 'w')
  return {
    write: async (text) => {
      await file.writeFile(text)
    },
    async finish() {
      await file.close()
      if (!special) renameSync(part, real)
    },
    async discard() {
      await file.close().catch(() => undefined)
      if (!special) rmSync(part, { force: true })
    },
  }
}

/** Writes the file whole or, when that fails, not at all. */
export function writeWhole(path: string, text: string): void {
  makeFolder(dirname(path))
  if (isSpecial(path)) {
    writeFileSync(path, text)
    return
  }
  const part = partOf(path)
  try {
    writeFileSync(part, text)
    renameSync(part, realPathOf(path))
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

const partOf = (path: string) => `${realPathOf(path)}.${process.pid}.part`

/** Behind any links. */
function realPathOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : path
}

/** Such as /dev/stdout, which is neither deleted nor replaced. */
function isSpecial(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile()
}

/** With the folders around it. Node's own way to do that never ends below /proc. */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!isFolder(path)) throw error // or else another process was faster
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
