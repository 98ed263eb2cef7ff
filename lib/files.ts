import { readFileSync } from 'node:fs'
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { getHeapStatistics } from 'node:v8'

/** Returns an error message such as `The profile crm.yaml cannot be read (ENOENT)`. */
export function fileError(file: string, participle: 'read' | 'written', error: unknown): string {
  const why = isLink(error) ? 'it is a symbolic link' : (codeOf(error) ?? 'no reason is known')
  return `${file} cannot be ${participle} (${why})`
}

/** Reads a text file, or throws the error that `fail` returns for the message. */
/** The most that the JSON of a long file may hold: a value takes more memory than its text. */
export const mostOfFile = {
  fields: Infinity,
  values: Math.floor(getHeapStatistics().heap_size_limit / 128),
  /** More than any check needs to name the place of a value that is nested too deeply. */
  levels: 100_000,
}

export function readText(path: string, file: string, fail: (sentence: string) => Error): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fail(`${fileError(file, 'read', error)}.`)
  }
}

/** The code of a system error, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Deletes the file of an earlier run, and throws if a new file cannot be written. */
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

/** A file that is written in pieces, and replaces the old file at once. */
export interface PartialFile {
  readonly write: (text: string) => Promise<void>
  /** Replaces the old file. */
  readonly finish: () => Promise<void>
  /** Leaves the old file unchanged. */
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

/** Replaces a file at once, or leaves it unchanged when writing fails. */
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

/** As `writeWhole`, for a file at a path that others know: their symbolic link there could name a file of the user. */
export function writeUnlinked(path: string, text: string): void {
  checkUnlinked(path)
  writeWhole(path, text)
}

export function checkUnlinked(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink() === true) throw Object.assign(new Error('a symbolic link'), { code: 'ELOOP' })
}

const isLink = (error: unknown) => codeOf(error) === 'ELOOP'

const partOf = (path: string) => `${realPathOf(path)}.${process.pid}.part`

function realPathOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : path
}

/** Special files such as /dev/stdout are neither deleted nor replaced. */
function isSpecial(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile()
}

/** Also creates parent folders. The recursive mkdir of Node never ends below /proc. */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!isFolder(path)) throw error // another process may have created it
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
