import { readFileSync } from 'node:fs'

/** What is wrong with a file, such as `The profile crm.yaml cannot be read (ENOENT)`. */
export function fileError(file: string, participle: 'read' | 'written', error: unknown): string {
  return `${file} cannot be ${participle} (${codeOf(error) ?? 'no reason is known'})`
}

/** Reads a text file, or throws the error that `fail` makes of the sentence. */
export function readText(path: string, file: string, fail: (sentence: string) => Error): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fail(`${fileError(file, 'read', error)}.`)
  }
}

/** The system's code of an error, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
