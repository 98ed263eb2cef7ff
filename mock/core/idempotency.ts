import { hash } from 'node:crypto'
import type { KeptAnswer } from '../../fixtures/records.ts'
import type { AssumptionName, ByChoice } from '../../spec/assumptions.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Answered, marksOf } from './answered.ts'
import { keepLatest } from './keep-latest.ts'
import { BadRequest } from './refusals.ts'
import type { Turn } from './turn.ts'

/** An Idempotency-Key, with what identifies the request that carries it. */
export interface Keyed {
  readonly key: string
  readonly operationId: OperationId
  /** The id under which the operation's answer is kept. */
  readonly answerId: string
  /** Tells the request from others with the same key; see `isSameRequest`. */
  readonly fingerprint: string
}

const answersKept = 10_000
const oneDay = 24 * 60 * 60 * 1000

export function keyedBy(key: string, operationId: OperationId, fingerprint: string): Keyed {
  return { key, operationId, answerId: `${operationId} ${key}`, fingerprint }
}

type KeptAnswers = readonly KeptAnswer[]

/**
 * The answer that the key got before, if a repeated key gets that. Repeating a key is not documented: an answer relies on
 * an assumption only when its key comes twice.
 */
export async function answerBefore(keyed: Keyed, turn: Turn): Promise<Answered | undefined> {
  const kept = await keptAnswers(keyed, turn)
  const before = kept.length === 0 ? undefined : answerAmong(kept, keyed, turn)
  if (!before) return undefined
  const { status, body } = before
  const now = marksOf(turn.assumed)
  const learned = union(before.learned, now.learned)
  return {
    status,
    body,
    assumed: union(before.assumed, now.assumed),
    ...(learned.length === 0 ? {} : { learned }),
    ...(status < 400 ? {} : { because: { assumption: 'repeatedKey', field: keyHeader } }),
  }
}

const union = (some: readonly string[] = [], more: readonly string[] = []) => [...new Set([...some, ...more])]

function keptAnswers({ key }: Keyed, { team }: Turn): Promise<KeptAnswers> {
  return team.answers.find('key', key)
}

function answerAmong(kept: KeptAnswers, keyed: Keyed, turn: Turn): Answered | undefined {
  const known = ownFirst(kept, keyed).find((answer) => isKnown(answer, keyed, turn))
  if (!known) return undefined
  return isSameRequest(known.fingerprint, keyed.fingerprint)
    ? repeatedKey[turn.assumed.repeatedKey](known)
    : repeatedKeyOtherBody[turn.assumed.repeatedKeyOtherBody](known)
}

/** An answer of the same operation counts before that of another. */
function ownFirst(kept: KeptAnswers, keyed: Keyed): KeptAnswers {
  const own = ownAnswer(kept, keyed)
  return own ? [own, ...kept.filter((answer) => answer !== own)] : kept
}

const ownAnswer = (kept: KeptAnswers, { answerId }: Keyed) => kept.find(({ _id }) => _id === answerId)

function isKnown({ _id, at, status }: KeptAnswer, { answerId }: Keyed, { assumed, clock }: Turn): boolean {
  if (_id !== answerId && !isTakenElsewhere[assumed.keyScope]) return false
  if (clock.now() - at > oneDay && !outlivesTheDay[assumed.keyRetention]) return false
  return status < 400 || areKept[assumed.failuresKept]
}

/** Keeps the answer in the turn that has the effect: both are kept, or neither. */
export async function keepAnswer(answered: Answered, keyed: Keyed, { team, clock }: Turn): Promise<void> {
  const { key, answerId: _id, fingerprint } = keyed
  const { status, body, assumed, learned } = answered
  const marks = learned === undefined ? { assumed } : { assumed, learned }
  await team.answers.remove(_id)
  await team.answers.insert({ _id, status, body, ...marks, key, fingerprint, at: clock.now() })
  await keepLatest(team.answers, answersKept)
}

/** Keeps a refusal, unless the key already has a success. */
export async function keepFailure(answered: Answered, keyed: Keyed, turn: Turn): Promise<void> {
  const own = ownAnswer(await keptAnswers(keyed, turn), keyed)
  if (!own || own.status >= 400) await keepAnswer(answered, keyed, turn)
}

/** The longest body that is kept as it is, so that nothing is sorted or hashed unless its key comes again. */
const longestKept = 1024

export function fingerprintOf(method: string, url: string, body: unknown): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  return `${method} ${url}\n${text.length <= longestKept ? text : hash('sha256', inOrder(body), 'base64')}`
}

/** Whether the bodies are equal, whatever the order of their fields. Equal bodies are equally long. */
function isSameRequest(one: string, other: string): boolean {
  if (one === other) return true
  const [head, body] = parts(one)
  const [otherHead, otherBody] = parts(other)
  return (
    head === otherHead &&
    isKept.test(body) &&
    isKept.test(otherBody) &&
    inOrder(JSON.parse(body)) === inOrder(JSON.parse(otherBody))
  )
}

/** A URL has no line feed. */
function parts(fingerprint: string): [head: string, body: string] {
  const end = fingerprint.indexOf('\n')
  return [fingerprint.slice(0, end), fingerprint.slice(end + 1)]
}

/** A hash begins with neither. */
const isKept = /^[{[]/

const inOrder = (body: unknown) => JSON.stringify(sortedByName(body))

/** The value with the fields of every object sorted by name. */
function sortedByName(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortedByName)
  const fields = value as Record<string, unknown>
  const inOrder: Record<string, unknown> = {}
  for (const name of Object.keys(fields).sort()) inOrder[name] = sortedByName(fields[name])
  return inOrder
}

export const isTakenElsewhere: ByChoice<'keyScope', boolean> = { team: true, teamAndOperation: false }

const outlivesTheDay: ByChoice<'keyRetention', boolean> = { oneDay: false, untilReset: true }

const areKept: ByChoice<'failuresKept', boolean> = { no: false, yes: true }

const repeatedKey: ByChoice<'repeatedKey', (known: KeptAnswer) => Answered | undefined> = {
  replay: (known) => known,
  reexecute: () => undefined,
  refuse: () => refuseKey('Idempotency-Key was used before; use a new one for a new request', 'repeatedKey'),
}

const repeatedKeyOtherBody: ByChoice<'repeatedKeyOtherBody', (known: KeptAnswer) => Answered | undefined> = {
  refuse: () => refuseKey('Idempotency-Key was used before for another request; use a new one', 'repeatedKeyOtherBody'),
  replay: (known) => known,
  execute: () => undefined,
}

/** Refuses the key itself. The request was not looked at, so this is not kept as its answer. */
export class KeyRefused extends BadRequest {}

function refuseKey(sentence: string, assumption: AssumptionName): never {
  throw new KeyRefused(sentence, { assumption, field: keyHeader })
}

export const keyHeader = 'Idempotency-Key'
