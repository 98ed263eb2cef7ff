import { randomBytes } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../lib/files.ts'

/** Passes choices to sandboxes that a test suite starts. */
export const assumeVariable = 'CRM_SANDBOX_ASSUME'

/** Names the folder where these sandboxes write the assumptions that responses relied on. */
export const marksVariable = 'CRM_SANDBOX_MARKS'

/** The file to which the sandboxes of this process write, if `crm-sandbox sweep` has named a folder. */
export function marksFor({ [marksVariable]: folder = '' }: NodeJS.ProcessEnv): MarksFile | undefined {
  return folder === '' ? undefined : new MarksFile(folder)
}

/** Names are written at once, since the process may be killed. */
export class MarksFile {
  readonly #path: string
  readonly #written = new Set<string>()

  constructor(folder: string) {
    this.#path = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}`)
  }

  onUse(): void {
    this.#write('')
  }

  onRelied(name: string): void {
    this.#write(name)
  }

  #write(line: string): void {
    if (this.#written.has(line)) return
    this.#written.add(line)
    try {
      appendFileSync(this.#path, `${line}\n`)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error // the folder is deleted when the run is over
    }
  }
}

/** The names in all files; undefined when no sandbox got a request. */
export function readMarks(folder: string): ReadonlySet<string> | undefined {
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  if (files.length === 0) return undefined
  return new Set(files.flatMap((text) => text.split('\n')).filter((name) => name !== ''))
}
