import { type Kind, kinds } from '../../fixtures/records.ts'
import type { World } from '../../fixtures/world.ts'
import { checksumOf, type Document, format, version } from './document.ts'
import { UnusableFile } from './unusable-file.ts'

type Refuse = (reason: string, remedy?: string) => never
type Fields = Readonly<Record<string, unknown>>

/** The document that these bytes are, or a sentence that says why they are none. */
export function documentFrom(bytes: Buffer, path: string): Document {
  const refuse: Refuse = (reason, remedy = 'restore a backup, or move it away to begin anew') => {
    throw new UnusableFile(path, reason, remedy)
  }
  const fields = fieldsIn(bytes, refuse)
  checkFormat(fields, refuse)
  if (fields.checksum !== undefined && fields.checksum !== null && fields.checksum !== checksumOf(bytes)) {
    refuse(
      'was changed or damaged since it was written (its checksum does not match)',
      'restore a backup, or set its checksum to null if it was changed on purpose',
    )
  }
  const { turns, closed, teams } = fields
  if (!Number.isSafeInteger(turns) || (turns as number) < 0) refuse('does not say how many turns it holds')
  if (typeof closed !== 'boolean') refuse('does not say whether it is closed')
  checkTeams(teams, (reason) => refuse(`does not hold a world (${reason})`))
  return { turns: turns as number, closed, world: { teams: teams as World['teams'] } }
}

function fieldsIn(bytes: Buffer, refuse: Refuse): Fields {
  if (bytes.length === 0) refuse('is empty')
  if (bytes.includes(0)) refuse('holds bytes that are zero, which no text does')
  const value = parsed(bytes, refuse)
  return isObject(value) ? value : refuse('is not a file of crm-sandbox')
}

function parsed(bytes: Buffer, refuse: Refuse): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return refuse('is not JSON, or not all of it')
  }
}

function checkFormat(fields: Fields, refuse: Refuse): void {
  if (fields.format !== format || typeof fields.version !== 'number') refuse('is not a file of crm-sandbox')
  if (fields.version > version) {
    refuse(`is of format ${fields.version}, and this version reads ${version}`, 'use the newer version that wrote it')
  }
  if (fields.version !== version) refuse(`is of a format ${fields.version} that there is not`)
}

function checkTeams(teams: unknown, refuse: Refuse): void {
  if (!Array.isArray(teams)) return refuse('teams is not a list')
  teams.forEach((team: unknown, at) => {
    if (!isObject(team)) return refuse(`teams[${at}] is not a team`)
    if (typeof team._id !== 'string' || typeof team.name !== 'string')
      return refuse(`teams[${at}] has no _id or no name`)
    if (!isListOf(team.apiKeys, isText)) return refuse(`teams[${at}] has no list of apiKeys`)
    for (const kind of kinds) checkRecords(kind, team, (reason) => refuse(`teams[${at}].${reason}`))
  })
}

function checkRecords(kind: Kind, { [kind]: records = [] }: Fields, refuse: Refuse): void {
  if (!Array.isArray(records)) return refuse(`${kind} is not a list`)
  const wrong = records.findIndex((record) => !isObject(record) || !isText(record._id))
  if (wrong >= 0) refuse(`${kind}[${wrong}] has no _id`)
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isListOf = <Item>(value: unknown, isItem: (item: unknown) => item is Item) =>
  Array.isArray(value) && value.every(isItem)
