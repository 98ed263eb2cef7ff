import { createHmac } from 'node:crypto'
import fs, { existsSync, readdirSync, rmdirSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { fileError, makeFolder, readText } from '../shared/files.ts'
import { parseJson } from '../shared/parse-json.ts'
import { canBeSeen, isRunning, type Process, thisProcess } from '../shared/running-process.ts'
import type { OperationId } from '../spec/types.ts'
import { CannotRun } from './errors.ts'
import type { Marks } from './mint.ts'
import type { Kind } from './kinds.ts'
import type { Who } from './target/credentials.ts'
import type { Target } from './target/target.ts'

// The records that a run makes, each written down before the request that makes it, so that none is forgotten when the
// run is killed. One line of JSON for each event; none contains a credential.

/** Where ledgers are when no folder is named. */
export const defaultFolder = '.crm-sandbox'

/** The first line. `Facts` is what a kind of run adds, such as the world that a seeding is from. */
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
  /** Names the request in the ledger; a seeding names the place of the record in its world. */
  readonly intent: string
  /** In milliseconds, by the clock of this machine. */
  readonly at: number
  readonly operation: OperationId
  readonly who: Who
  /** The kind of record that it leaves behind; none for a message, a conversation or an update. */
  readonly kind?: Kind | undefined
  readonly key?: string | undefined
  readonly body?: unknown
}

/** What became of a request. */
export type Event =
  /** It succeeded; without an id, the answer did not give one. */
  | { readonly created: string; readonly id?: string | undefined; readonly isMarked?: boolean }
  /** It was refused, or is known to have had no effect. */
  | { readonly nothing: string; readonly status?: number; readonly why?: string }
  /** The record with this id was read, and shows the mark of the run, or shows that it is not the run's. */
  | { readonly owned: string }
  | { readonly foreign: string; readonly id: string; readonly why?: string }
  | { readonly deleted: string }
  /** It was accepted, and is carried out later. */
  | { readonly queued: string }
  /** It did something that no operation can take back. */
  | { readonly stays: Stays }
  | { readonly held: Process }

/** What stays on a server whatever a run does. */
export type Stays = 'scheduled' | 'toPeople' | 'queued'

/** A request, and what became of it. */
export interface Entry extends Intent {
  /** `open`: no answer said what became of it. */
  readonly state: 'open' | 'created' | 'nothing' | 'foreign' | 'deleted'
  readonly id?: string | undefined
  /** The answer that gave the id showed the mark of the run. */
  readonly isMarked?: boolean
  /** A later answer showed it. */
  readonly isOwned?: boolean
  readonly isQueued?: boolean
  readonly status?: number
  readonly why?: string
}

/** Whether its record may be on the server. */
export const isUnresolved = ({ kind, state }: Entry) => kind !== undefined && state !== 'nothing' && state !== 'deleted'

/** The file of one run, which this process holds until it is closed. */
export class Ledger<Facts extends object = object> {
  readonly path: string
  readonly heading: Heading & Facts
  readonly stays: Stays[] = []
  /** By the name of the intent, in the order in which they were sent first. */
  readonly entries = new Map<string, Entry>()
  readonly #isDurable: boolean
  readonly #file: number
  readonly #heartbeat: NodeJS.Timeout
  readonly #prefix = Math.random().toString(36).slice(2, 8)
  #count = 0
  #isClosed = false
  #sync: Promise<void> | undefined

  /** Begins the ledger of a new run. Against a server on this machine no line waits for the disk: a power cut ends both. */
  static create<Facts extends object>(
    folder: string,
    target: Target,
    heading: Marks & Pick<Heading, 'ledger'> & Facts,
    startedAt = new Date(),
  ): Ledger<Facts> {
    const path = join(folder, `${heading.run}.jsonl`)
    const whole = {
      origin: target.origin,
      startedAt: startedAt.toISOString(),
      team: fingerprint(target, heading.run),
      process: thisProcess(),
      ...heading,
    }
    try {
      makeFolder(folder, 0o700)
      fs.writeFileSync(path, `${JSON.stringify(whole)}\n`, { flag: 'wx', mode: 0o600, flush: true })
      // A new file is only safe once its folder is.
      const directory = fs.openSync(folder, 'r')
      fs.fsyncSync(directory)
      fs.closeSync(directory)
    } catch (error) {
      throw new CannotRun(`${fileError(`The ledger ${path}`, 'written', error)}.`)
    }
    return new Ledger<Facts>(path, whole, [], !target.loopback)
  }

  /** Goes on with the ledger of a run that has ended. Throws `CannotRun` when it is of another server or team, or held. */
  static open<Facts extends object>(path: string, target: Target): Ledger<Facts> {
    const { heading, lines } = readLedger(path) as { heading: Heading & Facts; lines: readonly Line[] }
    if (heading.origin !== target.origin) throw new CannotRun(`${path} is about another server than ${target.origin}.`)
    if (heading.team !== fingerprint(target, heading.run))
      throw new CannotRun(`${path} is of a run with another key: set CRM_API_KEY to the key of that run.`)
    refuseIfHeld(path, holdersIn(heading, lines))
    dropCutLine(path)
    const ledger = new Ledger(path, heading, lines, !target.loopback)
    // Of several processes that open it at once, the first one holds it.
    ledger.#write({ held: thisProcess() })
    try {
      const since = holdersIn(heading, readLedger(path).lines).slice(holdersIn(heading, lines).length)
      refuseIfHeld(path, since.slice(0, Math.max(0, since.findIndex(isThis))))
    } catch (error) {
      ledger.close()
      throw error
    }
    return ledger
  }

  private constructor(path: string, heading: Heading & Facts, lines: readonly Line[], isDurable: boolean) {
    this.path = path
    this.heading = heading
    this.#isDurable = isDurable
    for (const line of lines) this.#apply(line)
    this.#file = this.#orFail(() => fs.openSync(path, 'a'))
    held.add(resolve(path))
    this.#heartbeat = setInterval(() => {
      ignoreFailure(() => {
        utimesSync(path, new Date(), new Date())
      })
    }, 10_000).unref()
  }

  /** Resolves once the intent is on the disk: only then may the request be sent. Intents of one moment share the wait. */
  async intend(intent: Omit<Intent, 'intent' | 'at'> & { readonly intent?: string }): Promise<string> {
    const line = { intent: `${this.#prefix}-${++this.#count}`, at: Date.now(), ...intent }
    this.#write(line)
    this.#apply(line)
    if (this.#isDurable) await this.#flush()
    return line.intent
  }

  record(event: Event): void {
    this.#write(event)
    this.#apply(event)
  }

  /** Reads what other writers have added, such as a worker of the same run. */
  refresh(): void {
    this.entries.clear()
    this.stays.length = 0
    for (const line of readLedger(this.path).lines) this.#apply(line)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#heartbeat)
    held.delete(resolve(this.path))
    fs.closeSync(this.#file)
  }

  /** Closes and deletes it, and the default folder once it is empty. A ledger that cannot be deleted has nothing left to do. */
  remove(): void {
    this.close()
    removeLedger(this.path)
  }

  #flush(): Promise<void> {
    this.#sync ??= new Promise((done) => setImmediate(done)).then(async () => {
      this.#sync = undefined
      await promisify(fs.fdatasync)(this.#file).catch((error: unknown) => {
        this.#orFail(() => {
          throw error
        })
      })
    })
    return this.#sync
  }

  /** Takes a line back that was not written whole, so that the next one begins a line. */
  #write(line: object): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    this.#orFail(() => {
      let from = 0
      try {
        while (from < bytes.length) from += fs.writeSync(this.#file, bytes, from)
      } catch (error) {
        if (from > 0) fs.ftruncateSync(this.#file, fs.fstatSync(this.#file).size - from)
        throw error
      }
    })
  }

  #orFail<Value>(act: () => Value): Value {
    try {
      return act()
    } catch (error) {
      throw new CannotRun(`${fileError(`The ledger ${this.path}`, 'written', error)}.`)
    }
  }

  #apply(line: Line): void {
    if ('stays' in line) this.stays.push(line.stays)
    else if ('intent' in line) this.entries.set(line.intent, { ...line, state: 'open' })
    else if (!('held' in line)) {
      const [name, change] = changeBy(line)
      const entry = this.entries.get(name)
      if (entry) this.entries.set(name, { ...entry, ...change })
    }
  }
}

type Line = Intent | Event

function changeBy(event: Exclude<Event, { stays: Stays } | { held: Process }>): readonly [string, Partial<Entry>] {
  if ('created' in event) {
    const { created, ...change } = event
    return [created, { state: 'created', ...change }]
  }
  if ('nothing' in event) {
    const { nothing, ...change } = event
    return [nothing, { state: 'nothing', ...change }]
  }
  if ('foreign' in event) {
    const { foreign, ...change } = event
    return [foreign, { state: 'foreign', ...change }]
  }
  if ('owned' in event) return [event.owned, { isOwned: true }]
  if ('queued' in event) return [event.queued, { isQueued: true }]
  return [event.deleted, { state: 'deleted' }]
}

/** The content of a ledger; a last line that was cut is left out, since its request was not sent. */
export function readLedger(path: string): { heading: Heading; lines: readonly Line[] } {
  if (!existsSync(path))
    throw new CannotRun(`There is no ledger ${path}: it is deleted once nothing is left to delete.`)
  const text = readText(path, `The ledger ${path}`, (sentence) => new CannotRun(sentence))
  const [heading, ...lines] = text.split('\n').slice(0, -1).map(parseJson)
  if (!isHeading(heading)) throw new CannotRun(`${path} is no ledger of a run.`)
  const wrong = lines.findIndex((line) => typeof line !== 'object' || line === null)
  if (wrong >= 0) throw new CannotRun(`Line ${wrong + 2} of ${path} cannot be read, so nothing is sent.`)
  return { heading, lines: lines as readonly Line[] }
}

const isHeading = (line: unknown): line is Heading =>
  typeof line === 'object' &&
  line !== null &&
  'ledger' in line &&
  'origin' in line &&
  'run' in line &&
  /^(contract|seed)-[a-z0-9]{10}$/.test(String(line.run))

/** Refuses a new run while another is going on, or an earlier one may have left records, on the same server. */
export function checkEarlierRuns({ host, origin, loopback }: Target, folder = defaultFolder): void {
  if (folder.trim() === '') throw new CannotRun('--ledgers must name a folder.')
  for (const path of ledgersIn(folder)) {
    const text = readText(path, `The ledger ${path}`, (sentence) => new CannotRun(sentence))
    const heading = parseJson(text.slice(0, text.indexOf('\n')))
    if (!isHeading(heading) || heading.ledger !== 'check' || heading.origin !== origin) continue
    const lines = text.split('\n').slice(1, -1).map(parseJson) as Line[]
    const holder = findHolder(path, holdersIn(heading, lines))
    if (holder)
      throw new CannotRun(`A run on ${host} is going on, as ${nameOf(holder)}: wait until it is over, or end it.`)
    const confirmed = loopback ? '' : ` --confirm-host ${host}`
    const over = new Set(lines.map((line) => nameOfResolved(line)))
    if (lines.some((line) => 'intent' in line && line.kind !== undefined && !over.has(line.intent)))
      throw new CannotRun(`An earlier run left records on ${host}; first finish it: verify --clean ${path}${confirmed}`)
  }
}

const nameOfResolved = (line: Line) => ('nothing' in line ? line.nothing : 'deleted' in line ? line.deleted : undefined)

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
  ignoreFailure(() => {
    rmSync(path, { force: true })
    if (dirname(path) === defaultFolder && readdirSync(defaultFolder).length === 0) rmdirSync(defaultFolder)
  })
}

/** So short that the key cannot be found from it. */
const fingerprint = ({ credentials }: Target, run: string) =>
  createHmac('sha256', credentials.team?.reveal() ?? '')
    .update(run)
    .digest('hex')
    .slice(0, 6)

/** The ledgers that this process holds. */
const held = new Set<string>()

const holdersIn = ({ process }: Heading, lines: readonly Line[]) => [
  process,
  ...lines.flatMap((line) => ('held' in line ? line.held : [])),
]

function refuseIfHeld(path: string, holders: readonly Process[]): void {
  const holder = findHolder(path, holders)
  if (holder)
    throw new CannotRun(`The run of ${path} still goes on, as ${nameOf(holder)}: wait until it is over, or end it.`)
}

/** A process on another computer, or in another container, cannot be looked up: it is taken for dead after a minute. */
function findHolder(path: string, holders: readonly Process[]): Process | undefined {
  const isFresh = () => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Date.now() - 60_000
  return holders.find((holder) =>
    isThis(holder) ? held.has(resolve(path)) : canBeSeen(holder) ? isRunning(holder) : isFresh(),
  )
}

const nameOf = ({ pid, host }: Process) => `process ${pid}${host === hostname() ? '' : ` on ${host}`}`

function isThis(holder: Process): boolean {
  const { pid, boot, began } = thisProcess()
  return canBeSeen(holder) && holder.pid === pid && holder.boot === boot && holder.began === began
}

/** So that the next line begins a line. */
function dropCutLine(path: string): void {
  ignoreFailure(() => {
    const bytes = fs.readFileSync(path)
    const end = bytes.lastIndexOf('\n') + 1
    if (end < bytes.length) truncateSync(path, end)
  })
}

function ignoreFailure(act: () => void): void {
  try {
    act()
  } catch {
    // The caller goes on without it.
  }
}
