import type { Assumed } from '../../spec/assumed.ts'
import type { Operation as Described } from '../../spec/operations.ts'
import type { Caller } from './caller.ts'
import { marksOf, type AnyReply, type Envelope, type ServiceResponse, type StreamableResponse } from './response.ts'
import { answerBefore, keepAnswer, keepFailure, type Keyed, KeyRefused, KeysInFlight } from './idempotency.ts'
import { toJson } from './long-json.ts'
import type { ParsedRequest, Context, Operations } from './operation.ts'
import { answerTo, Refusal } from './refusals.ts'
import type { Teams } from './teams.ts'
import type { Transaction } from './transaction.ts'

export interface Request {
  readonly operation: Described
  readonly caller: Caller
  readonly assumed: Assumed
  /** The parsed request, or its refusal: a key that was used before is answered before the request is looked at. */
  readonly input: ParsedRequest | Refusal
  readonly keyed: Keyed | undefined
  /** Called when the work is done and nothing is stored yet. An error that it throws undoes the work. */
  readonly beforeCommit?: (() => void) | undefined
}

/** Carries out a request; rejects with a refusal. */
export type Execute = (request: Request) => Promise<StreamableResponse>

interface ExecutorOptions {
  readonly operations: Operations
  readonly teams: Teams
  readonly envelopeFor: (teamId: string) => Envelope
}

/** Any operation. The check against the document guarantees that the input fits the operation. */
type AnyOperation = (given: Context) => Promise<AnyReply>
interface AnyPrepared {
  prepare(asked: ParsedRequest, assumed: Assumed): Promise<AnyOperation>
}

/** Executes operations, each in one transaction of the caller's team: all of its changes are stored, or none. */
export function executorOf({ operations, teams, envelopeFor }: ExecutorOptions): Execute {
  const inFlight = new KeysInFlight()

  return (request) => (request.keyed ? withKey(request, request.keyed) : withoutKey(request))

  async function withoutKey(request: Request): Promise<StreamableResponse> {
    const run = await prepare(request)
    return inTransaction(request, async (tx) => {
      const reply = await run(tx)
      request.beforeCommit?.()
      const envelope = envelopeFor(request.caller.teamId)(reply, request.operation)
      return responseOf(reply, reply.pagination ? toJson(envelope) : JSON.stringify(envelope), tx)
    })
  }

  /** The response is stored in the transaction of the effect, so that a key never has an effect without its response. */
  async function withKey(request: Request, keyed: Keyed): Promise<ServiceResponse> {
    const { caller, assumed, operation } = request
    return inFlight.inOrder(caller.teamId, keyed, assumed, async () => {
      const run = await prepare(request).catch(refusalIn)
      try {
        return await inTransaction(request, async (tx) => {
          const before = await answerBefore(keyed, tx)
          if (before) return before
          if (run instanceof Refusal) throw run
          const reply = await run(tx)
          request.beforeCommit?.()
          const response = responseOf(reply, JSON.stringify(envelopeFor(caller.teamId)(reply, operation)), tx)
          await keepAnswer(response, keyed, tx)
          return response
        })
      } catch (refusal) {
        if (refusal instanceof Refusal && !(refusal instanceof KeyRefused)) {
          await inTransaction(request, (tx) => keepFailure(answerTo(refusal, assumed), keyed, tx))
        }
        throw refusal
      }
    })
  }

  /** Rejects when the request was refused; work that takes long is done before the transaction. */
  async function prepare({
    operation: { id },
    input,
    assumed,
  }: Request): Promise<(tx: Transaction) => Promise<AnyReply>> {
    if (input instanceof Refusal) throw input
    const operation = operations[id] as unknown as AnyOperation | AnyPrepared
    const run = 'prepare' in operation ? await operation.prepare(input, assumed) : operation
    return (tx) => run({ ...input, tx })
  }

  /** Runs a transaction, and runs it again after each pause. */
  async function inTransaction<Result>(request: Request, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const { operation, caller, assumed } = request
    for (;;) {
      try {
        return await (operation.effect === 'read'
          ? teams.read(caller, work, assumed)
          : teams.transaction(caller, work, assumed))
      } catch (error) {
        if (!(error instanceof Paused)) throw error
        await error.over
      }
    }
  }
}

function responseOf<Body>({ status }: AnyReply, body: Body, tx: Transaction): ServiceResponse<Body> {
  return { status, body, ...marksOf(tx.assumed), changed: tx.changed() }
}

function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/**
 * Thrown by `beforeCommit` to wait without holding the team: the changes are undone, and the work is done again once
 * `over` resolves. When `over` rejects, the request fails with that error.
 */
export class Paused extends Error {
  readonly over: Promise<void>

  constructor(over: Promise<void>) {
    super('The request is held before its commit')
    this.over = over
    over.catch(() => undefined) // may reject before the transaction is undone and awaits it
  }
}
