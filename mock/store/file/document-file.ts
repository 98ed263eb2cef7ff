import { isUtf8 } from 'node:buffer'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, World } from '../../../fixtures/world.ts'
import type { SnapshotSummary } from '../snapshots.ts'
import type { Contents } from '../write-ahead-log.ts'
import type { Generation } from '../port.ts'
import { recordsOf, teamOf } from '../teams.ts'
import { newPause } from '../../../lib/pause.ts'
import { type Files, type FileToRead, type FileToWrite, linesOf, restoreOrMove, UnusableFile } from './files.ts'
import { isObject, parseOrThrow } from '../../../lib/json.ts'

const format = 'crm-sandbox'
const version = 2

/** The contents of a document. */
export interface Document extends Contents {
  /** The log that goes on from the document. */
  readonly log?: LogStart | undefined
  /** Whether the store was closed, so that there is no log. */
  readonly isClosed: boolean
  /** Of a snapshot, so that a list of snapshots does not read the files. */
  readonly summary?: SnapshotSummary | undefined
}

export interface LogStart {
  readonly number: number
  /** The checksum before its first change. The first change of another log does not match it. */
  readonly after: string
}

// A document is read and written a record at a time, since no string can hold more than 512 MiB.

/** Writes beside the old document, syncs, and renames, so that there is always a whole one. Returns its length. */
export async function writeDocument(path: string, document: Document, files: Files): Promise<number> {
  const temporary = `${path}.tmp`
  await files.remove(temporary)
  try {
    const file = await files.create(temporary)
    const length = await writeLines(linesOfDocument(document), file).finally(() => file.close())
    await files.rename(temporary, path)
    await files.syncFolder(dirname(path))
    return length
  } catch (error) {
    await files.remove(temporary).catch(() => undefined)
    throw error
  }
}

/** Undefined when there is no file. Rejects with a sentence about the damage. */
export async function readDocument(path: string, files: Files): Promise<Document | undefined> {
  const read = await readFields(path, files)
  return read && documentFrom(read, path)
}

/** The summary at the start of a document; undefined when it has none. */
export async function readSummary(path: string, files: Files): Promise<SnapshotSummary | undefined> {
  const file = await files.open(path)
  try {
    for await (const { bytes } of file ? linesOf(file, sliceLength) : []) {
      const [, summary] = /^ {2}"summary": (.*),$/.exec(bytes.toString()) ?? []
      if (summary !== undefined) return parseOrThrow(summary) as SnapshotSummary
      if (bytes.toString().startsWith('  "teams"')) return undefined
    }
    return undefined
  } finally {
    await file?.close()
  }
}

const sliceLength = 128 * 1024
const syncedAtOnce = 4 * 1024 * 1024

/** Writes in slices, so that requests are answered between them, and syncs now and then, so that the log waits less. */
async function writeLines(lines: Iterable<string>, file: FileToWrite): Promise<number> {
  let slice = ''
  let sum = 0
  let length = 0
  let synced = 0
  const writeSlice = async () => {
    const bytes = Buffer.from(slice)
    slice = ''
    sum = crc32(bytes, sum)
    length += bytes.length
    await file.write(bytes)
  }
  for (const line of lines) {
    slice += line
    if (slice.length < sliceLength) continue
    await writeSlice()
    if (length - synced >= syncedAtOnce) {
      await file.sync()
      synced = length
    }
    await setImmediate()
  }
  slice += `,\n${checksumStart}"${hexOf(crc32(slice, sum))}"\n}\n`
  await writeSlice()
  await file.sync()
  return length
}

const checksumStart = '  "checksum": '

export const hexOf = (sum: number) => sum.toString(16).padStart(8, '0')

/** The document up to its checksum. */
function* linesOfDocument({ world, initialRecords, generation, log, isClosed, summary }: Document): Generator<string> {
  yield `{${membersOf({ format, version, closed: isClosed, log, generation, summary }, 2)}`
  yield* linesOfTeams('teams', world.teams)
  if (initialRecords.length > 0) yield* linesOfTeams('origins', initialRecords)
}

const membersOf = (fields: object, indent: number) =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `\n${' '.repeat(indent)}${JSON.stringify(field)}: ${JSON.stringify(value)}`)
    .join(',')

function* linesOfTeams(name: string, teams: readonly TeamInWorld[]): Generator<string> {
  yield `,\n  "${name}": [`
  let comma = ''
  for (const team of teams) {
    yield `${comma}\n    {${membersOf(teamOf(team), 6)}`
    for (const kind of kinds) yield* linesOfRecords(kind, recordsOf(team, kind))
    yield '\n    }'
    comma = ','
  }
  yield '\n  ]'
}

function* linesOfRecords(kind: string, records: readonly object[]): Generator<string> {
  if (records.length === 0) return
  let start = `,\n      "${kind}": [`
  for (const record of records) {
    yield `${start}\n        ${JSON.stringify(record)}`
    start = ','
  }
  yield '\n      ]'
}

type Members = Readonly<Record<string, unknown>>

interface ReadFields {
  readonly fields: unknown
  /** The checksum that the document should have. Undefined when no line has one. */
  readonly checksum: string | undefined
}

async function readFields(path: string, files: Files): Promise<ReadFields | undefined> {
  const file = await files.open(path)
  if (!file) return undefined
  try {
    return await fieldsIn(file)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UnusableFile(path, 'is empty, or is not JSON, or not all of it', restoreOrMove)
  } finally {
    await file.close()
  }
}

async function fieldsIn(file: FileToRead): Promise<ReadFields> {
  const json = new JsonByLine()
  let sum = 0
  let last: string | undefined
  let checksum: string | undefined
  const pause = newPause()
  for await (const { bytes } of linesOf(file)) {
    if (!isUtf8(bytes)) throw new SyntaxError(notJson)
    const line = bytes.toString()
    if (line.startsWith(checksumStart)) checksum = hexOf(crc32(last?.replace(/,$/, '') ?? '', sum))
    if (last !== undefined) sum = crc32(`${last}\n`, sum)
    last = line
    json.add(line)
    const paused = pause(1 + bytes.length / bytesInStep)
    if (paused) await paused
  }
  return { fields: json.end(), checksum }
}

const bytesInStep = 1_000

const notJson = 'not JSON, or not all of it'

/** Builds the value of a JSON text that has one value or one bracket on each line, as the store and most editors write it. */
class JsonByLine {
  readonly #open: (object | unknown[])[] = [[]]

  add(line: string): void {
    const text = line.trim().replace(/,$/, '')
    const container = this.#open.at(-1)
    if (text === '' || container === undefined) return
    if (text === '}' || text === ']') {
      this.#open.pop()
      if (this.#open.length === 0 || Array.isArray(container) !== (text === ']')) throw new SyntaxError(notJson)
      return
    }
    const close = text.endsWith('{') ? '}' : text.endsWith('[') ? ']' : ''
    const isInArray = Array.isArray(container)
    const added = parseOrThrow(isInArray ? `[${text}${close}]` : `{${text}${close}}`) as object
    // Unlike an assignment, this makes a field of `__proto__`.
    if (!isInArray) Object.defineProperties(container, Object.getOwnPropertyDescriptors(added))
    else for (const value of added as unknown[]) container.push(value)
    if (close === '') return
    const [opened, ...others] = Object.values(added) as object[]
    if (opened === undefined || others.length > 0) throw new SyntaxError(notJson)
    this.#open.push(opened)
  }

  end(): unknown {
    const [outer, ...unclosed] = this.#open
    const [value, ...others] = outer as unknown[]
    if (unclosed.length > 0 || value === undefined || others.length > 0) throw new SyntaxError(notJson)
    return value
  }
}

async function documentFrom({ fields, checksum }: ReadFields, path: string): Promise<Document> {
  const fail = (reason: string, remedy = restoreOrMove): never => {
    throw new UnusableFile(path, reason, remedy)
  }
  if (!isObject(fields) || fields.format !== format || !Number.isInteger(fields.version))
    return fail('is not a file of crm-sandbox')
  if (fields.version !== version)
    fail(`is of format ${String(fields.version)}, and this version reads ${version}`, 'use the version that wrote it')
  if (!isHead(fields)) return fail('does not say whether it is closed, which log it goes on in, or its generation')
  if (isSigned(fields) && fields.checksum !== checksum)
    fail(
      'was changed or damaged since it was written (its checksum does not match)',
      'restore a backup, or set its checksum to null if it was changed on purpose',
    )
  const { teams, origins = [], generation, log, closed: isClosed, summary } = fields
  const read = { version: 1, teams }
  const world = isSigned(fields) ? (read as unknown as World) : await checkWorld(read, path)
  return { world, initialRecords: origins, generation, log, isClosed, summary }
}

interface Head {
  readonly closed: boolean
  readonly log?: LogStart
  readonly generation?: Generation
  readonly origins?: readonly TeamInWorld[]
  readonly summary?: SnapshotSummary
}

function isHead(fields: Members): fields is Members & Head {
  const { closed, log, generation } = fields
  const { number, after } = (log ?? {}) as Partial<Record<string, unknown>>
  const { epoch, tokenSecret } = (generation ?? {}) as Partial<Record<string, unknown>>
  const hasLog = Number.isSafeInteger(number) && /^[0-9a-f]{8}$/.test(String(after))
  const hasGeneration = Number.isSafeInteger(epoch) && /^[\w-]{43}$/.test(String(tokenSecret))
  const hasStart = hasLog || (closed === true && log === undefined)
  return typeof closed === 'boolean' && hasStart && (hasGeneration || generation === undefined)
}

const isSigned = ({ checksum }: Members) => checksum !== undefined && checksum !== null

/** Loads the check only when it is needed: it takes longer to load than all the rest of a start. */
async function checkWorld(value: object, path: string): Promise<World> {
  const check = await import('../../../fixtures/check-world.ts')
  try {
    return await check.checkWorld(value, 'the world')
  } catch (error) {
    throw new UnusableFile(path, `does not hold a world (${(error as Error).message})`, restoreOrMove)
  }
}
