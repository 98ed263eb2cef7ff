import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Step } from '../journal.ts'
import { hexOf } from './document-file.ts'
import { type Files, type FileToWrite, linesOf, UnusableFile } from './files.ts'
import type { StoredWorld } from './stored-world.ts'

// Each line of a log is a JSON object: {"checksum":"9bd366ae","steps":[{"insert":"contacts","team":"acme",…}]}
// Each checksum continues the checksum of the line before. A line with "more" is applied together with the next line.

const longestLine = 1024 * 1024
const start = '{"checksum":"'
const restAt = start.length + '00000000",'.length

/** A file that entries are appended to. The next append removes the rest of one that failed. */
export class Log {
  readonly #file: FileToWrite
  #checksum: string
  #length = 0
  #isTorn = false

  private constructor(file: FileToWrite, after: string) {
    this.#file = file
    this.#checksum = after
  }

  /** Creates a log, and syncs its name before any entry is written. */
  static async create(path: string, after: string, files: Files): Promise<Log> {
    await files.remove(path)
    await (await files.create(path)).close()
    await files.syncFolder(dirname(path))
    return new Log(await files.append(path), after)
  }

  get length(): number {
    return this.#length
  }

  /** The checksum of the last line. */
  get checksum(): string {
    return this.#checksum
  }

  /** Appends all of the changes, or none. They are synced when it resolves. */
  async append(changes: readonly Iterable<Step>[]): Promise<void> {
    if (this.#isTorn) await this.#cut()
    this.#isTorn = true
    let [length, checksum] = [this.#length, this.#checksum]
    for (const { text, isLast } of textsOf(changes)) {
      const bytes = Buffer.from(`${start}00000000",${isLast ? '' : '"more":true,'}"steps":[${text}]}\n`)
      checksum = checksumOf(bytes.subarray(0, -1), checksum)
      bytes.write(checksum, start.length, 'latin1')
      await this.#file.write(bytes)
      length += bytes.length
    }
    ;[this.#length, this.#checksum] = [length, checksum]
    this.#isTorn = false
  }

  async close(): Promise<void> {
    // If even this fails, a change may remain that was answered with an error: the client cannot know whether it happened.
    if (this.#isTorn) await this.#cut().catch(() => undefined)
    await this.#file.close()
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#length)
    await this.#file.sync()
    this.#isTorn = false
  }
}

const checksumOf = (line: Buffer, after: string) => hexOf(crc32(line.subarray(restAt), parseInt(after, 16)))

/** The steps, as texts of about the length of a line. */
function* textsOf(changes: readonly Iterable<Step>[]): Generator<{ text: string; isLast: boolean }> {
  let text = ''
  for (const steps of changes) {
    for (const step of steps) {
      const one = JSON.stringify(step)
      if (text.length + one.length > longestLine && text !== '') {
        yield { text, isLast: false }
        text = ''
      }
      text += text === '' ? one : `,${one}`
    }
  }
  yield { text, isLast: true }
}

/**
 * Applies the lines of a log to the stored world; returns the checksum of the last line. An incomplete line at the end is
 * ignored: a process that was killed had not acknowledged it.
 */
export async function replay(path: string, stored: StoredWorld, after: string, files: Files): Promise<string> {
  const file = await files.open(path)
  if (!file) return after
  let number = 0
  let applied = after
  let pending: Step[] = []
  const fail = (reason: string) => {
    throw new UnusableFile(
      path,
      `is damaged in line ${number} (${reason})`,
      `restore a backup, or delete everything from line ${number} on to go on without that`,
    )
  }
  try {
    for await (const { bytes, isWhole } of linesOf(file)) {
      number++
      if (!isWhole) break
      if (bytes.toString('latin1', 0, restAt) !== `${start}${checksumOf(bytes, after)}",`)
        fail('it was changed, or does not follow what is before it')
      after = checksumOf(bytes, after)
      const { steps, more } = JSON.parse(bytes.toString()) as { steps: readonly Step[]; more?: true }
      for (const step of steps) pending.push(step)
      if (more) continue
      applyAll(pending, stored, fail)
      pending = []
      applied = after
    }
  } finally {
    await file.close()
  }
  return applied
}

function applyAll(steps: readonly Step[], stored: StoredWorld, fail: (reason: string) => void): void {
  try {
    for (const step of steps) stored.apply(step)
  } catch (error) {
    fail((error as Error).message)
  }
}
