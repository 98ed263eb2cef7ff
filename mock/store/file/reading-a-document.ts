import type { World } from '../../../fixtures/world.ts'
import { ChecksumOfDocument, type Document, format, version } from './document.ts'
import { type FileToRead, piecesOf } from './files.ts'
import { JsonInPieces } from './json-in-pieces.ts'
import { UnusableFile } from './unusable-file.ts'
import { isWrittenEra } from './written-era.ts'

type Refuse = (reason: string, remedy?: string) => never
type Fields = Readonly<Record<string, unknown>>

/** A document, and how many bytes it has on file. */
interface Found {
  readonly document: Document
  readonly length: number
}

/** Reads a document in pieces, or refuses it with a sentence that says what is wrong with it. */
export async function readDocument(file: FileToRead, path: string, pieceSize: number): Promise<Found> {
  const refuse: Refuse = (reason, remedy = 'restore a backup, or move it away to begin anew') => {
    throw new UnusableFile(path, reason, remedy)
  }
  const { fields, checksum, length } = await fieldsIn(file, pieceSize, refuse)
  checkFormat(fields, refuse)
  const { turns, closed, log, era, teams } = fields
  if (!Number.isSafeInteger(turns) || (turns as number) < 0) refuse('does not say how many turns it holds')
  if (typeof closed !== 'boolean') refuse('does not say whether it is closed')
  if (!closed && typeof log !== 'string') refuse('does not say which log it goes on in', withoutLog)
  if (!isWrittenEra(era) && !(closed && era === undefined)) refuse('has an era without an epoch and a token secret')
  const head = { turns: turns as number, closed, log: closed ? undefined : (log as string), era }
  const world = isAsWritten(fields, checksum, refuse)
    ? ({ teams } as World)
    : await checkWorld({ version, teams }, refuse)
  return { document: { ...head, world }, length }
}

const withoutLog = 'restore a backup, or set closed to true and the checksum to null to go on without its log'

/** False when somebody has changed it on purpose, and says so. */
function isAsWritten({ checksum }: Fields, actual: string, refuse: Refuse): boolean {
  if (checksum === undefined || checksum === null) return false
  if (checksum === actual) return true
  return refuse(
    'was changed or damaged since it was written (its checksum does not match)',
    'restore a backup, or set its checksum to null if it was changed on purpose',
  )
}

/** Loads the check only when it is needed: it takes longer to load than all the rest of a start. */
async function checkWorld(value: unknown, refuse: Refuse): Promise<World> {
  const check = await import('../../../fixtures/check-world.ts')
  try {
    return check.checkWorld(value, 'the world')
  } catch (error) {
    return refuse(`does not hold a world (${(error as Error).message})`)
  }
}

async function fieldsIn(file: FileToRead, pieceSize: number, refuse: Refuse) {
  const json = new JsonInPieces()
  const checksum = new ChecksumOfDocument()
  let length = 0
  for await (const piece of piecesOf(file, pieceSize)) {
    if (piece.includes(0)) refuse('holds bytes that are zero, which no text does')
    length += piece.length
    checksum.add(piece)
    parse(() => {
      json.add(piece)
    }, refuse)
  }
  if (length === 0) refuse('is empty')
  const value = parse(() => json.end(), refuse)
  return {
    fields: isObject(value) ? value : refuse('is not a file of crm-sandbox'),
    checksum: checksum.end(),
    length,
  }
}

function parse<Result>(part: () => Result, refuse: Refuse): Result {
  try {
    return part()
  } catch (error) {
    if (error instanceof SyntaxError) return refuse('is not JSON, or not all of it')
    throw error
  }
}

function checkFormat(fields: Fields, refuse: Refuse): void {
  if (fields.format !== format || typeof fields.version !== 'number') refuse('is not a file of crm-sandbox')
  if (fields.version > version) {
    refuse(`is of format ${fields.version}, and this version reads ${version}`, 'use the newer version that wrote it')
  }
  if (fields.version !== version) refuse(`is of a format ${fields.version} that there is not`)
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
