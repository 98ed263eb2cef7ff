import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { fileError, readText } from '../../shared/file-errors.ts'
import type { Process } from '../../shared/running-process.ts'
import { CannotRun } from '../errors.ts'
import type { Event, Heading, Intent, Stays } from './ledger.ts'
import { Seal } from './seal.ts'
import { parseJson } from '../../shared/parse-json.ts'

/** The content of a ledger. */
export interface LedgerContent {
  readonly heading: Heading
  readonly entries: readonly Entry[]
  /** What no operation can take back. */
  readonly stays: readonly Stays[]
  /** The processes that have written to it, in this order. */
  readonly holders: readonly Process[]
}

export interface Entry extends Intent {
  /** `open`: no answer said what was made. `made`: the record exists. `over`: it does not, or no longer. */
  readonly state: 'open' | 'made' | 'over'
  readonly id?: string
  /** The answer that gave the id showed the mark of the run. */
  readonly marked?: boolean
  /** The time of the server when it was made. */
  readonly since?: number | undefined
  /** The record with this id was looked at, and is the one that was made. */
  readonly own?: boolean
  /** The id may be that of a record which the run did not make. */
  readonly foreign?: boolean
  /** No answer came, or one that says that the request is carried out later. */
  readonly late: boolean
}

/** Reads a ledger that was written with the key of this team, even one whose last line was cut when the run was killed. */
export function readLedger(path: string, teamKey: string): LedgerContent {
  const lines = linesIn(path)
  const [heading] = lines
  if (!isHeading(heading)) throw new CannotRun(`${path} is no ledger of a run.`)
  const seal = new Seal(teamKey, heading.run)
  if (!seal.fits({ ...heading }))
    throw new CannotRun(
      `${path} was changed, or written by a run with another key, so nothing is deleted: set CRM_API_KEY to the key of that run.`,
    )
  const wrong = lines.findIndex((line) => !isObject(line) || !seal.fits(line))
  if (wrong >= 0) throw new CannotRun(`Line ${wrong + 1} of ${path} is not as the run wrote it, so nothing is deleted.`)
  return contentOf(heading, lines.slice(1) as (Intent | Event)[])
}

/** Takes a last line away that was cut when the run was killed, so that what is written next begins a line. */
export function dropCutLine(path: string): void {
  try {
    const bytes = readFileSync(path)
    const end = bytes.lastIndexOf('\n') + 1
    if (end < bytes.length) truncateSync(path, end)
  } catch {
    // It cannot be written, so nothing is written next.
  }
}

/** The server that a ledger says it is about; it must not be used before the ledger is read with the key. */
export function originIn(path: string): string {
  const [heading] = linesIn(path)
  if (!isHeading(heading)) throw new CannotRun(`${path} is no ledger of a run.`)
  return heading.origin
}

/** The ledgers of checking runs in a folder about this server; what a seeding made is meant to stay. They may be of another team, and are trusted with nothing. */
export function ledgersIn(folder: string, origin: string): (LedgerContent & { readonly path: string })[] {
  const names = namesIn(folder).filter((name) => name.endsWith('.jsonl') && !name.startsWith('seed-'))
  return names.flatMap((name) => {
    const path = join(folder, name)
    const [heading, ...lines] = linesIn(path)
    if (!isHeading(heading) || heading.origin !== origin) return []
    return [{ path, ...contentOf(heading, lines.filter(isObject) as unknown as (Intent | Event)[]) }]
  })
}

export const isUnresolved = ({ entries }: LedgerContent) => entries.some(({ state }) => state !== 'over')

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder)
  } catch (error) {
    throw new CannotRun(`${fileError(`The folder ${folder}`, 'read', error)}.`)
  }
}

/** A line that is no JSON is `undefined`; one that was cut is left out, since its request has not left. */
function linesIn(path: string): unknown[] {
  const text = readText(path, `The ledger ${path}`, (sentence) => new CannotRun(sentence))
  return text.split('\n').slice(0, -1).map(parseJson)
}

const isObject = (line: unknown): line is Record<string, unknown> => typeof line === 'object' && line !== null

const isHeading = (line: unknown): line is Heading =>
  isObject(line) && line.ledger === 1 && typeof line.origin === 'string' && typeof line.run === 'string'

function contentOf(heading: Heading, lines: readonly (Intent | Event)[]): LedgerContent {
  const entries = new Map<string, Entry>()
  const stays: Stays[] = []
  const holders = isObject(heading.process) ? [heading.process as Process] : []
  for (const line of lines) {
    if ('intent' in line) entries.set(line.intent, { ...line, state: 'open', late: true })
    else if ('stays' in line) stays.push(line.stays)
    else if ('held' in line) holders.push(...(isObject(line.held) ? [line.held] : []))
    else applyEvent(entries, line)
  }
  return { heading, entries: [...entries.values()], stays, holders }
}

type Change = Exclude<Event, { stays: Stays } | { held: Process }>

function applyEvent(entries: Map<string, Entry>, event: Change): void {
  const [name, change] = changeBy(event)
  const entry = entries.get(name)
  if (entry) entries.set(name, { ...entry, ...change })
}

function changeBy(event: Change): readonly [string, Partial<Entry>] {
  if ('created' in event) {
    const { created, id, marked, since } = event
    return [created, { state: 'made', id, marked, since, late: false }]
  }
  if ('own' in event) return [event.own, { own: true }]
  if ('foreign' in event) return [event.foreign, { state: 'made', id: event.id, foreign: true, late: false }]
  if ('answered' in event) return [event.answered, { late: event.queued }]
  return ['gone' in event ? event.gone : event.nothing, { state: 'over', late: false }]
}
