import fs from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../../shared/whole-file.ts'
import { fileError } from '../../shared/file-errors.ts'
import { type Process, thisProcess } from '../../shared/running-process.ts'
import type { OperationId } from '../../spec/types.ts'
import { CannotRun } from '../errors.ts'
import type { Marks } from '../mint.ts'
import type { Kind } from '../operations/index.ts'
import type { Who } from '../target/credentials.ts'
import { Seal } from './seal.ts'

// The records that a run may leave behind, each written down before the request that could make it, so that none is
// forgotten even when the run is killed. One line of JSON for each event; none contains a secret.

/** The first line: which run it is, on which server, and which process writes it. */
export interface Heading extends Marks {
  readonly ledger: 1
  readonly origin: string
  readonly startedAt: string
  readonly process?: Process
}

/** A seeding has a heading and lines of its own. */
type AnyHeading = Heading | { readonly seed: 1; readonly run: string }

/** A record that is about to be made. */
export interface Intent {
  readonly intent: string
  /** When, in milliseconds of the clock of this machine. */
  readonly at?: number
  readonly operation: OperationId
  readonly who: Who
  readonly kind: Kind
  /** Its addresses, as far as this run minted them. */
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  /** Its name, for people who look for it. */
  readonly name?: string
  /** How to find it in a list of templates. */
  readonly uniqueName?: string
  /** How to send the same request again, where nothing else can find the record. */
  readonly again?: { readonly key: string; readonly body: unknown }
}

/** What became of an intent, and what else a reader must know. */
export type Event =
  /** It was made, at this time of the server or later. */
  | { readonly created: string; readonly id: string; readonly marked: boolean; readonly since?: number }
  /** The record was looked at, and is the one that was made. */
  | { readonly own: string }
  | { readonly nothing: string }
  | { readonly gone: string }
  /** It was answered, and is known to be carried out later or not, by `queued`. */
  | { readonly answered: string; readonly queued: boolean }
  /** The id may be that of a record which the run did not make. */
  | { readonly foreign: string; readonly id: string }
  /** Something that no operation can take back. */
  | { readonly stays: Stays }
  /** Another process cleans up. */
  | { readonly held: Process }

/** What stays on a server whatever a run does. */
export type Stays = 'scheduled' | 'toPeople' | 'queued'

/** The part of `node:fs` that a ledger writes with; tests give it a disk that is full. */
export type Files = Pick<
  typeof fs,
  'closeSync' | 'fdatasyncSync' | 'fstatSync' | 'fsyncSync' | 'ftruncateSync' | 'openSync' | 'writeSync'
>

/** Appends events to the file of a run. Throws `CannotRun` when one cannot be written whole. */
export class Ledger {
  readonly #path: string
  readonly #file: number
  readonly #seal: Seal
  readonly #files: Files
  readonly #prefix = Math.random().toString(36).slice(2, 8)
  #count = 0
  #sync: Promise<void> | undefined

  private constructor(path: string, seal: Seal, files: Files, flags: string) {
    this.#path = path
    this.#seal = seal
    this.#files = files
    this.#file = this.#orFail(() => files.openSync(path, flags, 0o600))
  }

  static create(path: string, heading: AnyHeading, teamKey: string, files: Files = fs): Ledger {
    try {
      makeFolder(dirname(path), 0o700)
    } catch (error) {
      throw new CannotRun(`${fileError(`The folder ${dirname(path)}`, 'written', error)}.`)
    }
    const ledger = new Ledger(path, new Seal(teamKey, heading.run), files, 'ax')
    ledger.#write({ process: thisProcess(), ...heading })
    files.fsyncSync(ledger.#file)
    syncFolder(dirname(path), files)
    return ledger
  }

  /**
   * Another writer may have the same file open. Against a server on this machine it need not wait for the disk: whoever
   * kills a run loses nothing that was written, and a power cut ends that server too.
   */
  static open(path: string, run: string, teamKey: string, waitsForDisk = true): Ledger {
    const files = waitsForDisk ? fs : { ...fs, fdatasyncSync: () => undefined }
    return new Ledger(path, new Seal(teamKey, run), files, 'a')
  }

  /** Returns once the intent is on the disk: only then may the request leave. */
  intend(intent: Omit<Intent, 'intent'>): string {
    const name = `${this.#prefix}-${++this.#count}`
    this.#write({ intent: name, at: Date.now(), ...intent })
    this.#orFail(() => {
      this.#files.fdatasyncSync(this.#file)
    })
    return name
  }

  record(event: Event): void {
    this.#write(event)
  }

  /** Lines of another kind of run. */
  append(lines: readonly object[]): void {
    this.#write(...lines)
  }

  /** Resolves once all lines so far are on the disk. Those who ask in one turn of the event loop share one wait. */
  sync(): Promise<void> {
    this.#sync ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.#sync = undefined
      this.#orFail(() => {
        this.#files.fdatasyncSync(this.#file)
      })
    })
    return this.#sync
  }

  close(): void {
    this.#files.closeSync(this.#file)
  }

  /** Takes a line back that was not written whole, so that the next one begins a line. */
  #write(...lines: readonly object[]): void {
    const bytes = Buffer.from(lines.map((line) => `${this.#seal.sign(line)}\n`).join(''))
    this.#orFail(() => {
      let from = 0
      try {
        while (from < bytes.length) {
          const written = this.#files.writeSync(this.#file, bytes, from)
          if (written === 0) throw Object.assign(new Error('nothing more could be written'), { code: 'EIO' })
          from += written
        }
      } catch (error) {
        if (from > 0) this.#files.ftruncateSync(this.#file, this.#files.fstatSync(this.#file).size - from)
        throw error
      }
    })
  }

  #orFail<Value>(act: () => Value): Value {
    try {
      return act()
    } catch (error) {
      throw new CannotRun(`${fileError(`The ledger ${this.#path}`, 'written', error)}.`)
    }
  }
}

/** A new file is only safe once its folder is. */
function syncFolder(path: string, files: Files): void {
  const folder = files.openSync(path, 'r')
  files.fsyncSync(folder)
  files.closeSync(folder)
}
