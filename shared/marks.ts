import { randomBytes } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './file-errors.ts'

/** Carries choices into sandboxes that a test suite starts itself. */
export const assumeVariable = 'CRM_SANDBOX_ASSUME'

/** Names a folder, in which these sandboxes write down which assumptions were relied on. */
export const marksVariable = 'CRM_SANDBOX_MARKS'

/** What one sandbox writes down, at once, since its process may be killed. Others write files of their own. */
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
      if (codeOf(error) !== 'ENOENT') throw error // without the folder, nobody waits for it any more
    }
  }
}

/** The names that sandboxes have written down; undefined when no sandbox was asked anything. */
export function readMarks(folder: string): ReadonlySet<string> | undefined {
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  if (files.length === 0) return undefined
  return new Set(files.flatMap((text) => text.split('\n')).filter((name) => name !== ''))
}
