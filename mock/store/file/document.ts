import { crc32 } from 'node:zlib'
import { kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, World } from '../../../fixtures/world.ts'
import { recordsOf, teamOf } from '../team-and-records.ts'
import { hexOf } from './log-line.ts'
import type { WrittenEra } from './written-era.ts'

export const format = 'crm-sandbox'
export const version = 1

/** A world on file. */
export interface Document {
  /** How much has happened since the file was made. */
  readonly turns: number
  /** Nothing has happened since it was written. Otherwise a log goes on from here. */
  readonly closed: boolean
  /** The log that goes on from here, unless nothing has happened since. */
  readonly log?: string | undefined
  /** Missing in a file from before there were eras. */
  readonly era?: WrittenEra | undefined
  readonly world: World
}

const slice = 128 * 1024

/** The document as text with a record on each line, in slices, so that requests can be answered between two of them. */
export function* slicesOf(document: Document): Generator<Buffer> {
  let text = ''
  let sum = 0
  for (const line of linesOf(document)) {
    text += line
    if (text.length < slice) continue
    const bytes = Buffer.from(text)
    sum = crc32(bytes, sum)
    text = ''
    yield bytes
  }
  yield Buffer.from(`${text}${endWith(crc32(text, sum))}`)
}

const beforeChecksum = ',\n  "checksum": '
const endWith = (sum: number) => `${beforeChecksum}"${hexOf(sum)}"\n}\n`

/** The checksum and what follows it, with some blank lines from an editor. */
const longestEnd = 1024

/** The checksum that a document of these bytes should carry. It stands at their end, and is of what is before it. */
export class ChecksumOfDocument {
  #sum = 0
  #last = Buffer.alloc(0)

  add(piece: Buffer): void {
    const bytes = Buffer.concat([this.#last, piece])
    const first = Math.max(0, bytes.length - longestEnd)
    this.#sum = crc32(bytes.subarray(0, first), this.#sum)
    this.#last = bytes.subarray(first)
  }

  end(): string {
    const end = Math.max(0, this.#last.lastIndexOf(beforeChecksum))
    return hexOf(crc32(this.#last.subarray(0, end), this.#sum))
  }
}

function* linesOf({ turns, closed, log, era, world }: Document): Generator<string> {
  yield `{\n  "format": "${format}",\n  "version": ${version},\n  "turns": ${turns},\n  "closed": ${closed}`
  if (log !== undefined) yield `,\n  "log": ${JSON.stringify(log)}`
  if (era) yield `,\n  "era": ${JSON.stringify(era)}`
  yield ',\n  "teams": ['
  let comma = ''
  for (const team of world.teams) {
    yield `${comma}\n    {`
    yield* linesOfTeam(team)
    yield '\n    }'
    comma = ','
  }
  yield '\n  ]'
}

function* linesOfTeam(team: TeamInWorld): Generator<string> {
  const fields = Object.entries(teamOf(team))
  yield fields.map(([field, value]) => `\n      ${JSON.stringify(field)}: ${JSON.stringify(value)}`).join(',')
  for (const kind of kinds) {
    const records = recordsOf(team, kind)
    if (records.length === 0) continue
    let start = `,\n      "${kind}": [`
    for (const record of records) {
      yield `${start}\n        ${JSON.stringify(record)}`
      start = ','
    }
    yield '\n      ]'
  }
}
