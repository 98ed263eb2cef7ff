import { hash } from 'node:crypto'
import type { KeptAnswer } from '../fixtures/records.ts'
import type { Assumed } from '../spec/assumed.ts'
import type { ByChoice } from '../spec/assumptions.ts'
import type { OperationId } from '../spec/types.ts'
import type { Clock } from './clock.ts'
import { BadRequest } from './replies.ts'
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
  keyed: Keyed,
  team: Team,
  clock: Clock,
  assumed: Assumed,
): Promise<Answered | undefined> {
  const answers = await team.answers.find('key', keyed.key)
  if (answers.length === 0) return undefined
  const known = ownFirst(answers, keyed).find((answer) => isKnown(answer, keyed, clock, assumed))
  if (!known) return undefined
  return known.fingerprint === keyed.fingerprint
    ? repeatedKey[assumed.repeatedKey](known)
    : repeatedKeyOtherBody[assumed.repeatedKeyOtherBody](known)
}

/** What the operation itself has answered comes before what another has. */
function ownFirst(answers: readonly KeptAnswer[], { key, operationId }: Keyed): readonly KeptAnswer[] {
  const own = answers.find(({ _id }) => _id === idOf(key, operationId))
  return own ? [own, ...answers.filter((answer) => answer !== own)] : answers
}

function isKnown(
  { _id, at, status }: KeptAnswer,
  { key, operationId }: Keyed,
  clock: Clock,
  assumed: Assumed,
): boolean {
  if (_id !== idOf(key, operationId) && !isTakenElsewhere[assumed.keyScope]) return false
  if (clock.now() - at > oneDay && !outlivesTheDay[assumed.keyRetention]) return false
  return status < 400 || areKept[assumed.failuresKept]
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
  return hash('sha256', `${method} ${url}\n${inOrderOfName(body)}`, 'base64')
}

const idOf = (key: string, operationId: OperationId) => `${operationId} ${key}`

/** JSON that does not tell in which order the fields of an object came. */
function inOrderOfName(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inOrderOfName).join()}]`
  const fields = value as Record<string, unknown>
  const inOrder = Object.keys(fields).sort()
  return `{${inOrder.map((name) => `${JSON.stringify(name)}:${inOrderOfName(fields[name])}`).join()}}`
}

export const isTakenElsewhere: ByChoice<'keyScope', boolean> = { team: true, teamAndOperation: false }

const outlivesTheDay: ByChoice<'keyRetention', boolean> = { oneDay: false, untilReset: true }

const areKept: ByChoice<'failuresKept', boolean> = { no: false, yes: true }

const repeatedKey: ByChoice<'repeatedKey', (known: KeptAnswer) => Answered | undefined> = {
  replay: (known) => known,
  reexecute: () => undefined,
  refuse: () => refuseKey('Idempotency-Key was used before; use a new one for a new request'),
}

const repeatedKeyOtherBody: ByChoice<'repeatedKeyOtherBody', (known: KeptAnswer) => Answered | undefined> = {
  refuse: () => refuseKey('Idempotency-Key was used before for another request; use a new one'),
  replay: (known) => known,
  execute: () => undefined,
}

/** It is the key that is refused. What was asked for with it was never looked at, and this is no answer to it. */
export class KeyRefused extends BadRequest {}

export function refuseKey(sentence: string): never {
  throw new KeyRefused(sentence)
}
