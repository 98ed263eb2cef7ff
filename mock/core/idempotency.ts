import { hash } from 'node:crypto'
import { type Awaitable, andThen } from '../../lib/async.ts'
import { parseMeasured } from '../../lib/json.ts'
import type { StoredResponse } from '../../fixtures/records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { AssumptionName, ByChoice } from '../../spec/assumptions.ts'
import type { keyRefusals } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { BadRequest, KeyRefused } from './refusals.ts'
import { type ServiceResponse, marksOf } from './operation.ts'
import { keepLatest } from '../store/retention.ts'
import type { Transaction } from './transaction.ts'

/** An Idempotency-Key, with what identifies the request that carries it. */
export interface Keyed {
  readonly key: string
  readonly operationId: OperationId
  /** The id of the stored response. */
  readonly responseId: string
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: string
}

const oneDay = 24 * 60 * 60 * 1000

export function keyedBy(key: string, operationId: OperationId, fingerprint: string): Keyed {
  return { key, operationId, responseId: `${operationId} ${key}`, fingerprint }
}

type StoredResponses = readonly StoredResponse[]

/**
 * The stored response of the key, if a repeated key gets it. Repeating a key is not documented: a response relies on
 * an assumption only when its key comes twice.
 */
export function storedResponse(keyed: Keyed, tx: Transaction): Awaitable<ServiceResponse | undefined> {
  return andThen(findResponses(keyed, tx), (stored) =>
    stored.length === 0 ? undefined : repeatedResponse(stored, keyed, tx),
  )
}

function repeatedResponse(stored: StoredResponses, keyed: Keyed, tx: Transaction): ServiceResponse | undefined {
  const before = chooseResponse(stored, keyed, tx)
  if (!before) return undefined
  const { status, body } = before
  const now = marksOf(tx.assumed)
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

function findResponses({ key }: Keyed, { team }: Transaction): Awaitable<StoredResponses> {
  return team.answers.find('key', key)
}

function chooseResponse(stored: StoredResponses, keyed: Keyed, tx: Transaction): ServiceResponse | undefined {
  const known = ownFirst(stored, keyed).find((response) => isKnown(response, keyed, tx))
  if (!known) return undefined
  return isSameRequest(known.fingerprint, keyed.fingerprint)
    ? repeatedKey[tx.assumed.repeatedKey](known)
    : repeatedKeyOtherBody[tx.assumed.repeatedKeyOtherBody](known)
}

/** A response of the same operation takes precedence over a response of another operation. */
function ownFirst(stored: StoredResponses, keyed: Keyed): StoredResponses {
  const own = findOwn(stored, keyed)
  return own ? [own, ...stored.filter((response) => response !== own)] : stored
}

const findOwn = (stored: StoredResponses, { responseId }: Keyed) => stored.find(({ _id }) => _id === responseId)

function isKnown({ _id, at, status }: StoredResponse, { responseId }: Keyed, { assumed, clock }: Transaction): boolean {
  if (_id !== responseId && assumed.keyScope !== 'team') return false
  if (clock.now() - at > oneDay && assumed.keyRetention === 'oneDay') return false
  return status < 400 || assumed.failuresKept === 'yes'
}

/** Stores the response in the transaction that has the effect: both are stored, or neither. */
export async function storeResponse(response: ServiceResponse, keyed: Keyed, tx: Transaction): Promise<void> {
  const { team, clock } = tx
  const { key, responseId: _id, fingerprint } = keyed
  const { status, body, assumed, learned } = response
  const marks = learned === undefined ? { assumed } : { assumed, learned }
  if (findOwn(await findResponses(keyed, tx), keyed)) await team.answers.remove(_id)
  const stored: StoredResponse = { _id, status, body, ...marks, key, fingerprint, at: clock.now() }
  team.keptBytes.set(
    team.onFile._id,
    'answers',
    await keepLatest<StoredResponse>(team.answers, [stored], team.keptBytes.mostOfTeam),
  )
}

/** Stores a refusal, unless the key already has a success. Throws when the refusal is about the key itself. */
export async function storeFailure(response: ServiceResponse, keyed: Keyed, tx: Transaction): Promise<void> {
  await storedResponse(keyed, tx)
  const own = findOwn(await findResponses(keyed, tx), keyed)
  if (!own || own.status >= 400) await storeResponse(response, keyed, tx)
}

/** The longest request that is stored as it is: a hash would cost a tenth of a create. */
const longestStored = 1024

/** The request itself if it is short. The order of the fields matters only when its key is repeated. */
export function fingerprintOf(request: string, text: string | undefined, body: unknown): string {
  const whole = `${request}\n${text}`
  return whole.length <= longestStored ? whole : hashOf(request, body)
}

/** Whether two requests are equal, whatever the order of the fields in their bodies. */
const isSameRequest = (one: string, other: string) => one === other || hashed(one) === hashed(other)

function hashed(fingerprint: string): string {
  const end = fingerprint.indexOf('\n')
  if (end < 0) return fingerprint // a hash has one line
  const text = fingerprint.slice(end + 1)
  return hashOf(fingerprint.slice(0, end), parseMeasured(text) ?? text)
}

const hashOf = (request: string, body: unknown) =>
  hash('sha256', `${request}\n${JSON.stringify(sortedByName(body))}`, 'base64')

/** The value with the fields of every object sorted by name. */
function sortedByName(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortedByName)
  const fields = value as Record<string, unknown>
  const inOrder: Record<string, unknown> = {}
  for (const name of Object.keys(fields).sort()) inOrder[name] = sortedByName(fields[name])
  return inOrder
}

const repeatedKey: ByChoice<'repeatedKey', (known: StoredResponse) => ServiceResponse | undefined> = {
  replay: (known) => known,
  reexecute: () => undefined,
  refuse: () => refuseRepeated(400),
  conflict: () => refuseRepeated(409),
  unprocessable: () => refuseRepeated(422),
}

const refuseRepeated = (status: StatusOfKey) =>
  refuseKey(status, 'Idempotency-Key was used before; use a new one for a new request', 'repeatedKey')

const repeatedKeyOtherBody: ByChoice<'repeatedKeyOtherBody', (known: StoredResponse) => ServiceResponse | undefined> = {
  refuse: () => refuseOtherBody(400),
  conflict: () => refuseOtherBody(409),
  unprocessable: () => refuseOtherBody(422),
  replay: (known) => known,
  execute: () => undefined,
}

const refuseOtherBody = (status: StatusOfKey) =>
  refuseKey(status, 'Idempotency-Key was used before for another request; use a new one', 'repeatedKeyOtherBody')

type StatusOfKey = keyof typeof keyRefusals

function refuseKey(status: StatusOfKey, sentence: string, assumption: AssumptionName): never {
  const because = { assumption, field: keyHeader }
  throw status === 400 ? new BadRequest(sentence, because) : new KeyRefused(status, sentence, because)
}

const keyHeader = 'Idempotency-Key'

interface Flight {
  readonly operations: OperationId[]
  last: Promise<unknown>
}

type InOrder = <Result>(teamId: string, keyed: Keyed, assumed: Assumed, work: () => Promise<Result>) => Promise<Result>

/** Runs requests with the same key in order. While one is under way, a second one waits for it, or is refused. */
export function inOrderOfKeys(): InOrder {
  const flights = new Map<string, Flight>()

  return async (teamId, { key, operationId }, assumed, work) => {
    // A header cannot contain a line feed, so names of two teams never collide.
    const name = `${teamId}\n${key}`
    const before = flights.get(name)
    if (before && concerns(before.operations, operationId, assumed)) repeatedKeyInFlight[assumed.repeatedKeyInFlight]()
    const mine = before ? before.last.then(work, work) : work()
    const flight = before ?? { operations: [], last: mine }
    flight.last = mine
    flight.operations.push(operationId)
    flights.set(name, flight)
    try {
      return await mine
    } finally {
      flight.operations.splice(flight.operations.indexOf(operationId), 1)
      if (flight.operations.length === 0) flights.delete(name)
    }
  }
}

function concerns(others: readonly OperationId[], operationId: OperationId, assumed: Assumed): boolean {
  return others.includes(operationId) || assumed.keyScope === 'team'
}

const repeatedKeyInFlight: ByChoice<'repeatedKeyInFlight', () => void> = {
  wait: () => undefined,
  refuse: () => refuseInFlight(400),
  conflict: () => refuseInFlight(409),
  unprocessable: () => refuseInFlight(422),
}

const refuseInFlight = (status: StatusOfKey) =>
  refuseKey(
    status,
    'Idempotency-Key belongs to a request that is still being worked on; try again later',
    'repeatedKeyInFlight',
  )
