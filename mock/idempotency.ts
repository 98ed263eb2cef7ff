import { createHash } from 'node:crypto'
import type { KeptAnswer } from '../fixtures/records.ts'
import type { Assumed } from '../spec/assumed.ts'
import type { ByChoice } from '../spec/assumptions.ts'
import type { OperationId } from '../spec/types.ts'
import type { Clock } from './clock.ts'
import { refuse } from './replies.ts'
import type { Team } from './team.ts'

/** A key that was sent, and what a request with it is recognised by. */
export interface Keyed {
  readonly key: string
  readonly operationId: OperationId
  /** The same for the same request, whatever the order of its fields. */
  readonly fingerprint: string
}

/** An answer as it goes over the wire, and as a repeated key gives it again. */
export interface Answered {
  readonly status: number
  readonly body: string
  readonly assumed: readonly string[]
}

const answersKept = 10_000
const oneDay = 24 * 60 * 60 * 1000

/**
 * The answer that the key was given before, if that is what a repeated key gets. Nothing here is documented; so nothing
 * is assumed either, until a key comes twice.
 */
export async function answerBefore(
  { key, operationId, fingerprint }: Keyed,
  team: Team,
  clock: Clock,
  assumed: Assumed,
): Promise<Answered | undefined> {
  const before = await team.answers.find('key', key)
  const ofOperation = before.find((answer) => answer._id === idOf(key, operationId))
  const known = ofOperation ?? (before[0] && keyScope[assumed.keyScope](before[0]))
  if (!known) return undefined
  if (clock.now() - known.at > oneDay && keyRetention[assumed.keyRetention] === 'forgotten') return undefined
  if (known.status >= 400 && failuresKept[assumed.failuresKept] === 'forgotten') return undefined
  return known.fingerprint === fingerprint && known === ofOperation
    ? repeatedKey[assumed.repeatedKey](known)
    : repeatedKeyOtherBody[assumed.repeatedKeyOtherBody](known)
}

/** Keeps the answer in the turn that has the effect: they are kept together, or neither is. */
export async function keepAnswer(keyed: Keyed, answered: Answered, team: Team, clock: Clock): Promise<void> {
  const _id = idOf(keyed.key, keyed.operationId)
  const answer = { _id, ...answered, key: keyed.key, fingerprint: keyed.fingerprint, at: clock.now() }
  if (await team.answers.get(_id)) await team.answers.remove(_id)
  await team.answers.insert(answer)
  const { total, records } = await team.answers.page('all', ['all'], { skip: 0, take: 1, order: 'oldestFirst' })
  if (total > answersKept) for (const oldest of records) await team.answers.remove(oldest._id)
}

/** Keeps a refusal, unless the key has had its effect before. */
export async function keepFailure(keyed: Keyed, answered: Answered, team: Team, clock: Clock): Promise<void> {
  const known = await team.answers.get(idOf(keyed.key, keyed.operationId))
  if (!known || known.status >= 400) await keepAnswer(keyed, answered, team, clock)
}

export function fingerprintOf(method: string, url: string, body: unknown): string {
  return createHash('sha256')
    .update(`${method} ${url}\n${JSON.stringify(body, inOrderOfName)}`)
    .digest('base64')
}

const idOf = (key: string, operationId: OperationId) => `${operationId} ${key}`

function inOrderOfName(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

const keyScope: ByChoice<'keyScope', (known: KeptAnswer) => KeptAnswer | undefined> = {
  team: (known) => known,
  teamAndOperation: () => undefined,
}

const keyRetention: ByChoice<'keyRetention', 'forgotten' | 'kept'> = { oneDay: 'forgotten', untilReset: 'kept' }

const failuresKept: ByChoice<'failuresKept', 'forgotten' | 'kept'> = { no: 'forgotten', yes: 'kept' }

const repeatedKey: ByChoice<'repeatedKey', (known: KeptAnswer) => Answered | undefined> = {
  replay: (known) => known,
  reexecute: () => undefined,
  refuse: () => refuse('Idempotency-Key was used before; use a new one for a new request'),
}

const repeatedKeyOtherBody: ByChoice<'repeatedKeyOtherBody', (known: KeptAnswer) => Answered | undefined> = {
  refuse: () => refuse('Idempotency-Key was used before for another request; use a new one'),
  replay: (known) => known,
  execute: () => undefined,
}
