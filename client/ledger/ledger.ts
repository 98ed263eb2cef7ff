import { closeSync, existsSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readText } from '../../shared/file-errors.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Kind } from '../operations/kinds.ts'
import type { Marks } from '../mint.ts'
import { CannotVerify } from '../../contracts/judge/outcome.ts'
import type { Who } from '../target/target.ts'

// What a run may leave behind, written down before each request that could make it, so that nothing is forgotten even
// when the run is killed. One line of JSON for each event; no secret is in any of them.

/** The first line: whose ledger it is. */
export interface Heading extends Marks {
  readonly ledger: 1
  readonly origin: string
  readonly startedAt: string
}

/** A record that is about to be made. */
export interface Intent {
  readonly intent: string
  readonly operation: OperationId
  readonly who: Who
  readonly kind: Kind
  /** The addresses of it that this run minted. */
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  /** What to look for on a list of templates. */
  readonly uniqueName?: string
  /** How to ask again for the same thing, where no other way leads to it. */
  readonly again?: { readonly key: string; readonly body: unknown }
}

/** What became of it. */
type Event =
  | { readonly created: string; readonly id: string; readonly marked: boolean }
  | { readonly nothing: string }
  | { readonly gone: string }

export interface Entry extends Intent {
  /** `open`: no answer was seen, or none with an id. `made`: it is there. `over`: it is not, or not any more. */
  readonly state: 'open' | 'made' | 'over'
  readonly id?: string
  /** The answer that gave the id showed the mark of the run. */
  readonly marked?: boolean
}

/** Writes events, each a line. */
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

  /** Another hand for the same ledger. */
  static open(path: string): Ledger {
    return new Ledger(openSync(path, 'a'))
  }

  /** It is on the disk when this returns: only then may the request leave. */
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

export interface Left {
  readonly heading: Heading
  readonly entries: readonly Entry[]
}

/** A ledger as it was left, even in the middle of a line. */
export function readLedger(path: string): Left {
  const left = leftIn(path)
  if (!left) throw new CannotVerify(`${path} is no ledger of a run.`)
  return left
}

/** Nothing, when not even the first line was written: then nothing was asked either. */
function leftIn(path: string): Left | undefined {
  const [heading, ...lines] = readText(path, `The ledger ${path}`, (sentence) => new CannotVerify(sentence))
    .split('\n')
    .flatMap(parsed)
  if (!isHeading(heading)) return undefined
  const entries = new Map<string, Entry>()
  for (const line of lines as (Intent | Event)[]) {
    if ('intent' in line) entries.set(line.intent, { ...line, state: 'open' })
    else take(entries, line)
  }
  return { heading, entries: [...entries.values()] }
}

function take(entries: Map<string, Entry>, event: Event): void {
  const [name, change] = changeOf(event)
  const entry = entries.get(name)
  if (entry) entries.set(name, { ...entry, ...change })
}

function changeOf(event: Event): readonly [string, Partial<Entry>] {
  if ('created' in event) return [event.created, { state: 'made', id: event.id, marked: event.marked }]
  return ['gone' in event ? event.gone : event.nothing, { state: 'over' }]
}

/** The ledgers in a folder that speak of this host and are not over. */
export function unresolvedLedgers(folder: string, origin: string): string[] {
  if (!existsSync(folder)) return []
  const paths = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
  return paths.filter((path) => {
    const left = leftIn(path)
    return left?.heading.origin === origin && left.entries.some(({ state }) => state !== 'over')
  })
}

/** The last line may have been cut: what it spoke of has not left. */
function parsed(line: string): unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)]
  } catch {
    return []
  }
}

function isHeading(line: unknown): line is Heading {
  return typeof line === 'object' && line !== null && 'ledger' in line && line.ledger === 1 && 'origin' in line
}

/** A new file is only safe when its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
