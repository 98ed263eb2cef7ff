import { codeOf } from './files.ts'

/** The file cannot be used as a store. Nothing was changed. */
export class UnusableFile extends Error {
  constructor(path: string, reason: string, remedy: string) {
    super(`${path} ${reason}: ${remedy}.`)
  }
}

/** Says what is wrong with a file of that name, whatever went wrong. */
export function inWords(error: unknown, name: string): UnusableFile {
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
