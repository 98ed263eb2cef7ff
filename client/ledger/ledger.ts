import { closeSync, existsSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readText } from '../../shared/file-errors.ts'
import type { OperationId } from '../../spec/types.ts'
import { CannotRun } from '../errors.ts'
import type { Marks } from '../mint.ts'
import type { Kind } from '../operations/index.ts'
import type { Who } from '../target/credentials.ts'

// The records that a run may leave behind, each written down before the request that could make it, so that none is
// forgotten even when the run is killed. One line of JSON for each event; none contains a secret.

/** The first line: which run it is, and on which server. */
interface Heading extends Marks {
  readonly ledger: 1
  readonly origin: string
  readonly startedAt: string
}

/** A record that is about to be made. */
interface Intent {
  readonly intent: string
  readonly operation: OperationId
  readonly who: Who
  readonly kind: Kind
  /** Its addresses, as far as this run minted them. */
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  /** How to find it in a list of templates. */
  readonly uniqueName?: string
  /** How to send the same request again, where nothing else can find the record. */
  readonly again?: { readonly key: string; readonly body: unknown }
}

/** What became of an intent. */
type Event =
  | { readonly created: string; readonly id: string; readonly marked: boolean }
  | { readonly nothing: string }
  | { readonly gone: string }

export interface Entry extends Intent {
  /** `open`: no answer said what was made. `made`: the record exists. `over`: it does not, or no longer. */
  readonly state: 'open' | 'made' | 'over'
  readonly id?: string
  /** The answer that gave the id showed the mark of the run. */
  readonly marked?: boolean
}

/** Appends events to the file of a run. */
export class Ledger {
  readonly #file: number
  readonly #prefix = Math.random().toString(36).slice(2, 8)
  #count = 0

  private constructor(file: number) {
    this.#file = file
  }

  static create(path: string, heading: Heading): Ledger {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const ledger = new Ledger(openSync(path, 'ax', 0o600))
    ledger.#write(heading)
    fsyncSync(ledger.#file)
    syncFolder(dirname(path))
    return ledger
  }

  /** Another writer may have the same file open. */
  static open(path: string): Ledger {
    return new Ledger(openSync(path, 'a'))
  }

  /** Returns once the intent is on the disk: only then may the request leave. */
  intend(intent: Omit<Intent, 'intent'>): string {
    const name = `${this.#prefix}-${++this.#count}`
    this.#write({ intent: name, ...intent })
    fdatasyncSync(this.#file)
    return name
  }

  record(event: Event): void {
    this.#write(event)
  }

  close(): void {
    closeSync(this.#file)
  }

  #write(line: object): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}

/** The content of a ledger. */
interface LedgerContent {
  readonly heading: Heading
  readonly entries: readonly Entry[]
}

/** Reads a ledger, even one whose last line was cut when the run was killed. */
export function readLedger(path: string): LedgerContent {
  const content = readContent(path)
  if (!content) throw new CannotRun(`${path} is no ledger of a run.`)
  return content
}

/** The ledgers in a folder about this server with records that may still exist. */
export function unresolvedLedgers(folder: string, origin: string): string[] {
  if (!existsSync(folder)) return []
  const paths = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
  return paths.filter((path) => {
    const content = readContent(path)
    return content?.heading.origin === origin && content.entries.some(({ state }) => state !== 'over')
  })
}

/** Nothing when not even the first line is complete: then nothing was sent either. */
function readContent(path: string): LedgerContent | undefined {
  const text = readText(path, `The ledger ${path}`, (sentence) => new CannotRun(sentence))
  const [heading, ...lines] = text.split('\n').flatMap(parseLine)
  if (!isHeading(heading)) return undefined
  const entries = new Map<string, Entry>()
  for (const line of lines as (Intent | Event)[]) {
    if ('intent' in line) entries.set(line.intent, { ...line, state: 'open' })
    else applyEvent(entries, line)
  }
  return { heading, entries: [...entries.values()] }
}

function applyEvent(entries: Map<string, Entry>, event: Event): void {
  const [name, change] = changeBy(event)
  const entry = entries.get(name)
  if (entry) entries.set(name, { ...entry, ...change })
}

function changeBy(event: Event): readonly [string, Partial<Entry>] {
  if ('created' in event) return [event.created, { state: 'made', id: event.id, marked: event.marked }]
  return ['gone' in event ? event.gone : event.nothing, { state: 'over' }]
}

/** Only the last line can be cut, and the request that it was written for has not left. */
function parseLine(line: string): unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)]
  } catch {
    return []
  }
}

function isHeading(line: unknown): line is Heading {
  return typeof line === 'object' && line !== null && 'ledger' in line && line.ledger === 1 && 'origin' in line
}

/** A new file is only safe once its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
