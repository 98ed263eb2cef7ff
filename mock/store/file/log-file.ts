import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { Step } from '../write-ahead-log.ts'
import { hexOf } from './document-file.ts'
import { newPause } from '../../../lib/pause.ts'
import { type Files, type FileToWrite, linesOf, UnusableFile } from './files.ts'

// The first line of a log is always the same: without it, a log that was emptied would look like one without changes.
// Each other line is a JSON object: {"checksum":"9bd366ae","steps":[{"insert":"contacts","team":"acme",…}]}
// Each checksum continues the checksum of the line before. A line with "more" is applied together with the next line.

const firstLine = Buffer.from('{"format":"crm-sandbox","log":true}\n')
const longestLine = 1024 * 1024
const start = '{"checksum":"'
const restAt = start.length + '00000000",'.length

/** A file that entries are appended to. The next append removes the rest of one that failed. */
export class LogFile {
  readonly #file: FileToWrite
  #checksum: string
  #length = firstLine.length
  #isTorn = false

  private constructor(file: FileToWrite, after: string) {
    this.#file = file
    this.#checksum = after
  }

  /** Creates a log with its first line, and syncs both it and its name before any entry is written. */
  static async create(path: string, after: string, files: Files): Promise<LogFile> {
    const temporary = `${path}.tmp`
    await files.remove(temporary)
    const file = await files.create(temporary)
    try {
      await file.write(firstLine)
      await file.sync()
    } finally {
      await file.close()
    }
    await files.rename(temporary, path)
    await files.syncFolder(dirname(path))
    return new LogFile(await files.append(path), after)
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

/** The texts of the lines, each with as many steps as fit; the last one is marked. */
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
 * Applies the lines of a log to the store; returns the checksum of the last line. An incomplete line at the end is
 * ignored: a process that was killed had not acknowledged it.
 */
export async function replay(path: string, store: MemoryStore, after: string, files: Files): Promise<string> {
  const file = await files.open(path)
  if (!file) return after
  const pause = newPause()
  let number = 0
  let applied = after
  let pending: Step[] = []
  const fail = (reason: string) => {
    throw new UnusableFile(
      path,
      `is damaged in line ${number} (${reason})`,
      number === 1
        ? restoreOrDelete
        : `restore a backup, or delete everything from line ${number} on to go on without that`,
    )
  }
  try {
    for await (const { bytes, isWhole } of linesOf(file)) {
      if (!isWhole) break
      number++
      if (number === 1) {
        if (!bytes.equals(firstLine.subarray(0, -1))) fail('it is not the first line of a log')
        continue
      }
      if (bytes.toString('latin1', 0, restAt) !== `${start}${checksumOf(bytes, after)}",`)
        fail('it was changed, or does not follow what is before it')
      after = checksumOf(bytes, after)
      const { steps, more } = JSON.parse(bytes.toString()) as { steps: readonly Step[]; more?: true }
      for (const step of steps) pending.push(step)
      if (more) continue
      applyAll(pending, store, fail)
      await pause(pending.length)
      pending = []
      applied = after
    }
  } finally {
    await file.close()
  }
  if (number === 0) throw new UnusableFile(path, 'is empty, although it had lines', restoreOrDelete)
  return applied
}

const restoreOrDelete = 'restore a backup, or delete it to go on without it'

function applyAll(steps: readonly Step[], store: MemoryStore, fail: (reason: string) => void): void {
  try {
    for (const step of steps) store.replay(step)
  } catch (error) {
    fail((error as Error).message)
  }
}
