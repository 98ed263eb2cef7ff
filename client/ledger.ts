import { createHmac } from 'node:crypto'
import fs, { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileError, makeFolder, readText } from '../shared/files.ts'
import { parseJson } from '../shared/parse-json.ts'
import { canBeSeen, isRunning, type Process, thisProcess } from '../shared/running-process.ts'
import type { OperationId } from '../spec/types.ts'
import { CannotRun } from './errors.ts'
import type { Kind } from './kinds.ts'
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
  /** The kind of record that the request creates; none for a message, a conversation or an update. */
  readonly kind?: Kind | undefined
  readonly key?: string | undefined
  readonly body?: unknown
}

/** The outcome of a request. */
export type Event =
  /** It succeeded; without an id, the answer did not contain one. */
  | { readonly created: string; readonly id?: string | undefined; readonly isMarked?: boolean }
  /** It was refused, or had no effect. */
  | { readonly nothing: string; readonly status?: number; readonly why?: string }
  /** A read of the record shows the mark of the run, or shows that the record is not the run's. */
  | { readonly owned: string }
  | { readonly foreign: string; readonly id: string; readonly why?: string }
  | { readonly deleted: string }
  /** The server accepted it, and will process it later. */
  | { readonly queued: string }
  /** No operation can undo it. */
  | { readonly stays: Stays }
  /** Another process continues the run. */
  | { readonly held: Process }

/** The effects that stay on a server. */
export type Stays = 'scheduled' | 'toPeople' | 'queued'

/** A request and its outcome. */
export interface Entry extends Intent {
  /** `open`: no answer came. */
  readonly state: 'open' | 'created' | 'nothing' | 'foreign' | 'deleted'
  readonly id?: string | undefined
  /** The answer with the id showed the mark of the run. */
  readonly isMarked?: boolean
  /** A later answer showed it. */
  readonly isOwned?: boolean
  readonly isQueued?: boolean
  readonly status?: number
  readonly why?: string
}

/** The requests whose records may be on the server. */
export const unresolvedIn = ({ entries }: Pick<Ledger, 'entries'>) =>
  [...entries.values()].filter(({ kind, state }) => kind !== undefined && state !== 'nothing' && state !== 'deleted')

/** The file of one run. This process holds it until it is closed. */
export class Ledger {
  readonly path: string
  readonly heading: Heading
  readonly stays: Stays[]
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
      // A new file is only durable once its folder is.
      const directory = fs.openSync(folder, 'r')
      fs.fsyncSync(directory)
      fs.closeSync(directory)
      return new Ledger(path, { heading, ...replay([]) }, !loopback)
    })
  }

  /** Continues the ledger of a run that has ended. Throws `CannotRun` if it is of another server or team, or in use. */
  static open(path: string, target: Target): Ledger {
    const content = readLedger(path)
    const { heading, holder, end } = content
    if (heading.origin !== target.origin) throw new CannotRun(`${path} is about another server than ${target.origin}.`)
    if (heading.team !== fingerprint(target, heading.run))
      throw new CannotRun(`${path} is of a run with another key: set CRM_API_KEY to the key of that run.`)
    if (isHeld(path, holder))
      throw new CannotRun(`The run of ${path} still goes on, as ${nameOf(holder)}: wait until it is over, or end it.`)
    return orFail(path, () => {
      if (end < statSync(path).size) fs.truncateSync(path, end)
      const ledger = new Ledger(path, content, !target.loopback)
      ledger.#write({ held: thisProcess() })
      return ledger
    })
  }

  private constructor(path: string, { heading, entries, stays }: Omit<Content, 'holder' | 'end'>, isDurable: boolean) {
    this.path = path
    this.heading = heading
    this.entries = entries
    this.stays = stays
    this.#isDurable = isDurable
    this.#file = fs.openSync(path, 'a')
    held.add(resolve(path))
  }

  /** Writes the intent to the disk. Only then may the request be sent. */
  intend(intent: Omit<Intent, 'intent' | 'at'> & { readonly intent?: string }): string {
    const line = { intent: `${this.#prefix}-${++this.#count}`, at: Date.now(), ...intent }
    this.#write(line)
    if (this.#isDurable)
      orFail(this.path, () => {
        fs.fdatasyncSync(this.#file)
      })
    apply(line, this)
    return line.intent
  }

  record(event: Event): void {
    this.#write(event)
    apply(event, this)
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

type Line = Intent | Event

/** The outcome of the lines so far. */
type Replayed = Pick<Ledger, 'entries' | 'stays'>

interface Content extends Replayed {
  readonly heading: Heading
  /** The process that writes the ledger, or wrote its last line. */
  readonly holder: Process
  /** The length of the whole lines. */
  readonly end: number
}

function replay(lines: readonly Line[]): Replayed {
  const replayed: Replayed = { entries: new Map(), stays: [] }
  for (const line of lines) apply(line, replayed)
  return replayed
}

const states = ['created', 'nothing', 'foreign', 'deleted'] as const

function apply(line: Line, { entries, stays }: Replayed): void {
  const change = (intent: string, facts: Partial<Entry>) => {
    const entry = entries.get(intent)
    if (entry) entries.set(intent, { ...entry, ...facts })
  }
  if ('intent' in line) entries.set(line.intent, { ...line, state: 'open' })
  else if ('stays' in line) stays.push(line.stays)
  else if ('owned' in line) change(line.owned, { isOwned: true })
  else if ('queued' in line) change(line.queued, { isQueued: true })
  else
    for (const state of states) {
      const { [state]: intent, ...facts } = line as Record<string, unknown>
      if (typeof intent === 'string') change(intent, { state, ...facts })
    }
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
  const [first, ...rest] = whole.split('\n').slice(0, -1).map(parseJson)
  const { ledger, origin, run } = (first ?? {}) as Partial<Heading>
  if (!ledger || !origin || !/^(contract|seed)-[a-z0-9]{10}$/.test(String(run))) return undefined
  const wrong = rest.findIndex((line) => typeof line !== 'object' || line === null)
  if (wrong >= 0) throw new CannotRun(`Line ${wrong + 2} of ${path} cannot be read, so nothing is sent.`)
  const [heading, lines] = [first as Heading, rest as Line[]]
  const last = lines.findLast((line) => 'held' in line)
  return { heading, holder: last?.held ?? heading.process, end: Buffer.byteLength(whole), ...replay(lines) }
}

/** Refuses a new run on a server while another run is going on there, or an earlier one may have left records. */
export function checkEarlierRuns({ host, origin, loopback }: Target, folder = defaultFolder): void {
  if (folder.trim() === '') throw new CannotRun('--ledgers must name a folder.')
  for (const path of ledgersIn(folder)) {
    const content = parseLedger(path)
    if (content?.heading.ledger !== 'check' || content.heading.origin !== origin) continue
    const { holder } = content
    if (isHeld(path, holder))
      throw new CannotRun(`A run on ${host} is going on, as ${nameOf(holder)}: wait until it is over, or end it.`)
    const confirmed = loopback ? '' : ` --confirm-host ${host}`
    if (unresolvedIn(content).length > 0)
      throw new CannotRun(`An earlier run left records on ${host}; first finish it: verify --clean ${path}${confirmed}`)
  }
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
