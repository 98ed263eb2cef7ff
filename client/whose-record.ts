import { type Answer, type Fields, fieldsOf } from './answer.ts'
import type { Mint } from './mint.ts'
import { type Kind, kinds, viewInput, pathTo } from './operations/index.ts'
import type { Input } from './request.ts'
import type { OperationId } from '../spec/types.ts'

/**
 * Who made a record, by what it shows: `gone` when the server does not know it, `unknown` when it shows nothing that
 * tells.
 */
export type Whose = 'own' | 'another' | 'unknown' | 'gone'

/** What a run believes to have made. */
interface Made {
  readonly kind: Kind | 'conversation'
  /** Its name is one that the run gave it; a quote without one may get a name from the server. */
  readonly isNamed: boolean
  /** The time of the server when it was made, as far as answers showed it. */
  readonly since?: number | undefined
}

type Shown = Pick<Answer, 'status' | 'succeeded' | 'fields'>
type Look = (operation: OperationId, input: Input) => Promise<Shown>

/** Looks at a record by a read or, where there is none, by an update that changes nothing. */
export async function tellWhose(made: Made, id: string, look: Look, mint: Mint): Promise<Whose> {
  const { kind } = made
  const input = kind === 'conversation' ? pathTo(kind, id) : viewInput(kind, id)
  return readWhose(made, await look(seenBy(kind), input), mint)
}

/** The operation that shows a record. */
const seenBy = (kind: Kind | 'conversation'): OperationId =>
  kind === 'conversation' ? 'getConversation' : kinds[kind].seenBy

export function readWhose({ kind, isNamed, since }: Made, { status, succeeded, fields }: Shown, mint: Mint): Whose {
  if (status === 404) return 'gone'
  if (!succeeded) return 'unknown'
  if (wasBefore(fieldsOf(fields.data), since)) return 'another'
  const shown = kind === 'conversation' ? fieldsOf(fields.data).contactId : fields.data
  if (bearsText(shown, mint)) return 'own'
  const { name, email } = fieldsOf(shown)
  // People may have any name.
  const own = kind === 'contact' || kind === 'conversation' ? email : name
  if (typeof own === 'string' && own !== '') return isNamed ? 'another' : 'unknown'
  if (bearsNumber(shown, mint)) return 'own'
  return numbersIn(shown).length > 0 ? 'another' : 'unknown'
}

/** More than clocks differ, and than a time loses that is to the minute. */
const tolerance = 120_000

/** Whether a record was there before that time: the server has found or merged it, and has not made it. */
export const wasBefore = ({ createdAt }: Fields, since = 0) => (readTime(createdAt) ?? since) < since - tolerance

/** When a record was made and changed, by the clock of the server. */
export const timesIn = ({ createdAt, updatedAt }: Fields) =>
  [createdAt, updatedAt].map(readTime).filter((time) => time !== undefined)

/** Milliseconds; a time without a zone counts as one in UTC. */
function readTime(time: unknown): number | undefined {
  if (typeof time !== 'string') return undefined
  const read = Date.parse(/(z|[+-]\d\d:?\d\d)$/i.test(time) ? time : `${time}Z`)
  return Number.isNaN(read) ? undefined : read
}

/** Whether a record shows something that the run minted. */
export const bearsMark = (record: unknown, mint: Mint) => bearsText(record, mint) || bearsNumber(record, mint)

/** Other people may have a fictional number too. */
const bearsText = (record: unknown, mint: Mint) => mint.marks(JSON.stringify(record ?? null).replace(/\+\d+/g, ''))

/** A server may show a number without its plus sign or its country, or with spaces in it. */
const bearsNumber = (record: unknown, mint: Mint) =>
  numbersIn(record)
    .map((number) => number.replace(/\D/g, '').replace(/^0+/, ''))
    .some((digits) => ['', '1', '44'].some((country) => mint.marks(`+${country}${digits}`)))

function numbersIn(record: unknown): string[] {
  const { phone, phoneNumber } = fieldsOf(record)
  return [phone, phoneNumber].filter((number) => typeof number === 'string' && number !== '') as string[]
}
