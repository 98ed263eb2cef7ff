import { createHmac } from 'node:crypto'
import fs, { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileError, makeFolder, readText } from '../../lib/files.ts'
import { parseJson } from '../../lib/json.ts'
import { canBeSeen, isRunning, type Process, thisProcess } from '../../lib/running-process.ts'
import type { OperationId } from '../../spec/types.ts'
import { CannotRun } from './errors.ts'
import type { CreatedKind } from './kinds.ts'
import type { Marks } from './mint.ts'
import type { Who } from './target/credentials.ts'
import type { Target } from './target/target.ts'

// The records that a run creates, each written before its request is sent, so that a killed run can be cleaned up. A
// line of JSON for each event, without credentials.

/** The folder of ledgers if none is named. */
export const defaultFolder = '.crm-sandbox'

/** The first line. */
export interface Heading extends Marks {
  readonly ledger: 'check' | 'seed'
  readonly origin: string
  readonly startedAt: string
  /** Identifies the team without its key. */
  readonly team: string
  readonly process: Process
}

/** A request that is about to be sent. */
export interface Intent {
  /** Names the request in the ledger; in a seeding, the place of the record in its world. */
  readonly intent: string
  /** In milliseconds since 1970. */
  readonly at: number
  readonly operation: OperationId
  readonly who: Who
  /** The kind of record to delete; none for a message to people, a conversation or an update. */
  readonly kind?: CreatedKind | undefined
  readonly key?: string | undefined
  readonly body?: unknown
}

/** The result of a request, from its answer or from a later read of the record. */
export interface RequestOutcome {
  /** `open`: no answer came. `nothing`: it was refused, or had no effect. `foreign`: the record is of another owner. */
  readonly state: 'open' | 'created' | 'nothing' | 'foreign' | 'deleted'
  /** The id is missing if the answer to a create did not contain one. */
  readonly id?: string | undefined
  /** Of the contact in the answer. */
  readonly conversationId?: string | undefined
  /** The answer with the id showed the mark of the run. */
  readonly isMarked?: boolean
  /** A later answer showed it. */
  readonly isOwned?: boolean
  /** The server accepted the request, and will process it later. */
  readonly isQueued?: boolean
  /** No operation can undo it. */
  readonly stays?: Stays
  readonly status?: number
  readonly why?: string
}

/** The effects that stay on a server. */
export type Stays = 'scheduled' | 'toPeople' | 'queued' | 'conversation'

export type Entry = Intent & RequestOutcome

/** The requests that may have left a record on the server. */
export const unresolvedIn = ({ entries }: Pick<Ledger, 'entries'>) =>
  [...entries.values()].filter(({ kind, state }) => kind !== undefined && state !== 'nothing' && state !== 'deleted')

/** The file of one run. This process holds it until it is closed. */
export class Ledger {
  readonly path: string
  readonly heading: Heading
  /** By the name of the intent, in the order of the first attempt. */
  readonly entries: Map<string, Entry>
  readonly #isDurable: boolean
  readonly #file: number
  readonly #prefix = Math.random().toString(36).slice(2, 8)
  #count = 0
  #isClosed = false

  /** Begins the ledger of a new run. A ledger for this machine is not fsynced: a power cut also ends the sandbox. */
  static create(folder: string, target: Target, facts: Marks & Pick<Heading, 'ledger'>): Ledger {
    const path = join(folder, `${facts.run}.jsonl`)
    const { origin, loopback } = target
    const startedAt = new Date().toISOString()
    const heading = { origin, startedAt, team: fingerprint(target, facts.run), process: thisProcess(), ...facts }
    return orFail(path, () => {
      makeFolder(folder, 0o700)
      fs.writeFileSync(path, `${JSON.stringify(heading)}\n`, { flag: 'wx', mode: 0o600, flush: true })
      syncFolder(folder)
      return new Ledger(path, { heading, entries: new Map() }, !loopback)
    })
  }

  /** Continues the ledger of a run that has ended. Throws `CannotRun` if it is of another server or team, or in use. */
  static open(path: string, target: Target): Ledger {
    const content = readLedger(path)
    const { heading, holder, end } = content
    if (heading.origin !== target.origin) throw new CannotRun(`${path} is about another server than ${target.origin}.`)
    if (heading.team !== fingerprint(target, heading.run))
      throw new CannotRun(`${path} is the ledger of a run with another key: set CRM_API_KEY to the key of that run.`)
    if (isHeld(path, holder))
      throw new CannotRun(`The run of ${path} still goes on, as ${nameOf(holder)}: wait until it is over, or end it.`)
    return orFail(path, () => {
      if (end < statSync(path).size) fs.truncateSync(path, end)
      const ledger = new Ledger(path, content, !target.loopback)
      ledger.#write({ held: thisProcess() })
      return ledger
    })
  }

  private constructor(path: string, { heading, entries }: Pick<Content, 'heading' | 'entries'>, isDurable: boolean) {
    this.path = path
    this.heading = heading
    this.entries = entries
    this.#isDurable = isDurable
    this.#file = fs.openSync(path, 'a')
    held.add(resolve(path))
  }

  /** Writes the intent to the disk. Only then may the request be sent. */
  intend(intent: Omit<Intent, 'intent' | 'at'> & { readonly intent?: string }): string {
    const line = { intent: `${this.#prefix}-${++this.#count}`, at: Date.now(), state: 'open', ...intent } as const
    this.#write(line)
    if (this.#isDurable) orFail(this.path, () => fs.fdatasyncSync(this.#file))
    apply(line, this.entries)
    return line.intent
  }

  /** Adds facts to an entry. */
  record(intent: string, outcome: Partial<RequestOutcome>): void {
    this.#write({ intent, ...outcome })
    apply({ intent, ...outcome }, this.entries)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    held.delete(resolve(this.path))
    fs.closeSync(this.#file)
  }

  /** Closes and deletes the file. */
  remove(): void {
    this.close()
    removeLedger(this.path)
  }

  /** Writes the whole line or, on a full disk, no part of it. */
  #write(line: object): void {
    orFail(this.path, () => {
      const { size } = fs.fstatSync(this.#file)
      try {
        fs.appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
      } catch (error) {
        fs.ftruncateSync(this.#file, size)
        throw error
      }
    })
  }
}

interface Content {
  readonly heading: Heading
  readonly entries: Map<string, Entry>
  /** The process that writes the ledger, or wrote its last line. */
  readonly holder: Process
  /** The length of the whole lines. */
  readonly end: number
}

/** The first line of an entry is complete; later ones add facts. */
type Line = Pick<Entry, 'intent'> & Partial<Entry>

function apply(line: Line, entries: Map<string, Entry>): void {
  entries.set(line.intent, { ...entries.get(line.intent), ...line } as Entry)
}

/** The content of a ledger. An incomplete last line is ignored: its request was not sent. */
export function readLedger(path: string): Content {
  if (!existsSync(path))
    throw new CannotRun(`There is no ledger ${path}: it is deleted once nothing is left to delete.`)
  const content = parseLedger(path)
  if (!content) throw new CannotRun(`${path} is no ledger of a run.`)
  return content
}

function parseLedger(path: string): Content | undefined {
  const text = readText(path, `The ledger ${path}`, (sentence) => new CannotRun(sentence))
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const [first, ...rest] = whole
    .split('\n')
    .slice(0, -1)
    .map((line) => parseJson(line))
  const { ledger, origin, run } = (first ?? {}) as Partial<Heading>
  if (!ledger || !origin || !/^(contract|seed)-[a-z0-9]{10}$/.test(String(run))) return undefined
  const wrong = rest.findIndex((line) => typeof line !== 'object' || line === null)
  if (wrong >= 0) throw new CannotRun(`Line ${wrong + 2} of ${path} cannot be read, so nothing is sent.`)
  const heading = first as Heading
  let holder = heading.process
  const entries = new Map<string, Entry>()
  for (const line of rest as (Line | { readonly held: Process })[])
    if ('held' in line) holder = line.held
    else apply(line, entries)
  return { heading, holder, end: Buffer.byteLength(whole), entries }
}

/**
 * Refuses a new run on a server while another run is going on there or, beyond this machine, after one that may have left
 * records. On this machine such runs are named, since a server may have been restarted without its records.
 */
export function checkEarlierRuns({ host, origin, loopback }: Target, folder = defaultFolder): readonly string[] {
  return ledgersIn(folder).flatMap((path) => {
    const content = parseLedger(path)
    if (content?.heading.ledger !== 'check' || content.heading.origin !== origin) return []
    if (isHeld(path, content.holder)) {
      const holder = nameOf(content.holder)
      throw new CannotRun(`A run on ${host} is going on, as ${holder}: wait until it is over, or end it.`)
    }
    if (unresolvedIn(content).length === 0) return []
    const left = `An earlier run may have left records on ${host}`
    if (!loopback) throw new CannotRun(`${left}; first finish it: verify --clean ${path} --confirm-host ${host}`)
    return [`${left}; \`verify --clean ${path}\` deletes them.`]
  })
}

function ledgersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith('.jsonl') ? join(folder, name) : []))
  } catch (error) {
    throw new CannotRun(`${fileError(`The folder ${folder}`, 'read', error)}.`)
  }
}

/** Deletes a ledger, and the default folder once it is empty. */
export function removeLedger(path: string): void {
  try {
    rmSync(path, { force: true })
    if (dirname(path) === defaultFolder && readdirSync(defaultFolder).length === 0) rmdirSync(defaultFolder)
  } catch {
    // A ledger that stays has nothing left to clean up.
  }
}

/** Too short to find the key from it. */
const fingerprint = ({ credentials }: Target, run: string) =>
  createHmac('sha256', credentials.team ?? '')
    .update(run)
    .digest('hex')
    .slice(0, 6)

/** A new file is durable once its folder is. Windows cannot sync a folder, and writes its changes by itself. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const directory = fs.openSync(folder, 'r')
  fs.fsyncSync(directory)
  fs.closeSync(directory)
}

/** The ledgers that this thread has open. */
const held = new Set<string>()

/** A process of another computer or container counts as ended after so many milliseconds without a line in the ledger. */
const mostSilence = 120_000

/** Whether the process that continues the run of a ledger is still running. */
function isHeld(path: string, holder: Process): boolean {
  if (JSON.stringify(holder) === JSON.stringify(thisProcess())) return held.has(resolve(path))
  return canBeSeen(holder) ? isRunning(holder) : statSync(path).mtimeMs > Date.now() - mostSilence
}

const nameOf = ({ pid, host }: Process) => `process ${pid}${host === hostname() ? '' : ` on ${host}`}`

function orFail<Value>(path: string, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    if (error instanceof CannotRun) throw error
    throw new CannotRun(`${fileError(`The ledger ${path}`, 'written', error)}.`)
  }
}
