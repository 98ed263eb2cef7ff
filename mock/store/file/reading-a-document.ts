import type { World } from '../../../fixtures/world.ts'
import { checksumOf, type Document, format, version } from './document.ts'
import { UnusableFile } from './unusable-file.ts'
import { isWrittenEra } from './written-era.ts'

type Refuse = (reason: string, remedy?: string) => never
type Fields = Readonly<Record<string, unknown>>

/** Reads a document, or refuses it with a sentence that says what is wrong with it. */
export async function documentFrom(bytes: Buffer, path: string): Promise<Document> {
  const refuse: Refuse = (reason, remedy = 'restore a backup, or move it away to begin anew') => {
    throw new UnusableFile(path, reason, remedy)
  }
  const fields = fieldsIn(bytes, refuse)
  checkFormat(fields, refuse)
  const { turns, closed, era, teams } = fields
  if (!Number.isSafeInteger(turns) || (turns as number) < 0) refuse('does not say how many turns it holds')
  if (typeof closed !== 'boolean') refuse('does not say whether it is closed')
  if (era !== undefined && !isWrittenEra(era)) refuse('has an era without an epoch and a token secret')
  const head = { turns: turns as number, closed, era }
  if (isAsWritten(fields, bytes, refuse)) return { ...head, world: { teams } as World }
  return { ...head, world: await checkWorld({ version, teams }, refuse) }
}

/** False when somebody has changed it on purpose, and says so. */
function isAsWritten({ checksum }: Fields, bytes: Buffer, refuse: Refuse): boolean {
  if (checksum === undefined || checksum === null) return false
  if (checksum === checksumOf(bytes)) return true
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

function fieldsIn(bytes: Buffer, refuse: Refuse): Fields {
  if (bytes.length === 0) refuse('is empty')
  if (bytes.includes(0)) refuse('holds bytes that are zero, which no text does')
  const value = parse(bytes, refuse)
  return isObject(value) ? value : refuse('is not a file of crm-sandbox')
}

function parse(bytes: Buffer, refuse: Refuse): unknown {
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

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
