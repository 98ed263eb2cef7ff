import { crc32 } from 'node:zlib'
import { type Kind, kinds } from '../../fixtures/records.ts'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { recordsOf, teamOf } from './team-and-records.ts'

export const format = 'crm-sandbox'
export const version = 1

/** A world on file. */
export interface Document {
  /** How much has happened since the file was made. */
  readonly turns: number
  /** Nothing has happened since it was written. Otherwise a log goes on from here. */
  readonly closed: boolean
  readonly world: World
}

const slice = 64 * 1024

/** The document as text with a record on each line, slice by slice, so that others get their turn in between. */
export function* slicesOf(document: Document): Generator<Buffer> {
  let text = ''
  let sum = 0
  for (const piece of piecesOf(document)) {
    text += piece
    if (text.length < slice) continue
    const bytes = Buffer.from(text)
    sum = crc32(bytes, sum)
    text = ''
    yield bytes
  }
  yield Buffer.from(`${text}${endWith(crc32(text, sum))}`)
}

const beforeChecksum = ',\n  "checksum": '
const endWith = (sum: number) => `${beforeChecksum}"${sum.toString(16).padStart(8, '0')}"\n}\n`

/** The checksum that a document of these bytes should carry. */
export function checksumOf(bytes: Buffer): string {
  const end = bytes.lastIndexOf(beforeChecksum)
  return crc32(bytes.subarray(0, Math.max(end, 0)))
    .toString(16)
    .padStart(8, '0')
}

function* piecesOf({ turns, closed, world }: Document): Generator<string> {
  yield `{\n  "format": "${format}",\n  "version": ${version},\n  "turns": ${turns},\n  "closed": ${closed},\n  "teams": [`
  yield* listed(world.teams, piecesOfTeam, '\n    ')
  yield '\n  ]'
}

function* piecesOfTeam(team: TeamInWorld): Generator<string> {
  yield '{'
  yield* listed(Object.entries(teamOf(team)), pieceOfField, '\n      ')
  for (const kind of kinds) yield* piecesOfKind(team, kind)
  yield '\n    }'
}

function* piecesOfKind(team: TeamInWorld, kind: Kind): Generator<string> {
  const records = recordsOf(team, kind)
  if (records.length === 0) return
  yield `,\n      "${kind}": [`
  yield* listed<unknown>(records, pieceOfRecord, '\n        ')
  yield '\n      ]'
}

function* pieceOfField([field, value]: [string, unknown]): Generator<string> {
  yield `${JSON.stringify(field)}: ${JSON.stringify(value)}`
}

function* pieceOfRecord(record: unknown): Generator<string> {
  yield JSON.stringify(record)
}

function* listed<Item>(
  items: readonly Item[],
  pieces: (item: Item) => Generator<string>,
  newLine: string,
): Generator<string> {
  let comma = ''
  for (const item of items) {
    yield comma + newLine
    yield* pieces(item)
    comma = ','
  }
}
