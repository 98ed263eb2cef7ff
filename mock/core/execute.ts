import type { Assumed } from '../../spec/assumed.ts'
import type { Operation as Described } from '../../spec/operations.ts'
import type { Caller } from './caller.ts'
import { type Keyed, inOrderOfKeys, storedAnswer, storeAnswer, storeFailure } from './idempotency.ts'
import { toJson } from './long-json.ts'
import type { Context, Operations, ParsedRequest } from './operation.ts'
import { Refusal } from './refusals.ts'
import { answerTo, type AnyReply, type Envelope, marksOf, type StreamableResponse } from './response.ts'
import type { Teams } from './teams.ts'
import type { Transaction } from './transaction.ts'

export interface Request {
  readonly operation: Described
  readonly caller: Caller
  readonly assumed: Assumed
  /** Checks the request against the document, and throws a refusal. A repeated key is answered without it. */
  readonly parse: () => ParsedRequest
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
  const inOrder = inOrderOfKeys()

  return (request) => (request.keyed ? executeOnce(request, request.keyed) : execute(request))

  async function executeOnce(request: Request, keyed: Keyed): Promise<StreamableResponse> {
    const { caller, assumed } = request
    return inOrder(caller.teamId, keyed, assumed, async () => {
      const stored = await teams.read(caller, (tx) => storedAnswer(keyed, tx), assumed)
      if (stored) return stored
      try {
        return await execute(request)
      } catch (refusal) {
        if (refusal instanceof Refusal)
          await teams.transaction(caller, (tx) => storeFailure(answerTo(refusal, assumed), keyed, tx), assumed)
        throw refusal
      }
    })
  }

  /** The response to a key is stored in the transaction of the effect, so that there is never one without the other. */
  async function execute({ operation, caller, assumed, parse, keyed, beforeCommit }: Request) {
    const input = parse()
    const found = operations[operation.id] as unknown as AnyOperation | AnyPrepared
    const run = 'prepare' in found ? await found.prepare(input, assumed) : found
    return inTransaction(operation, caller, assumed, async (tx) => {
      const reply = await run({ ...input, tx })
      beforeCommit?.()
      const envelope = envelopeFor(caller.teamId)(reply, operation)
      const answer = { status: reply.status, ...marksOf(assumed), changed: tx.changed() }
      if (reply.pagination) return { ...answer, body: toJson(envelope) }
      const response = { ...answer, body: JSON.stringify(envelope) }
      if (keyed) await storeAnswer(response, keyed, tx)
      return response
    })
  }

  /** Runs a transaction, and runs it again after each pause. */
  async function inTransaction<Result>(
    { effect }: Described,
    caller: Caller,
    assumed: Assumed,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      try {
        return await (effect === 'read' ? teams.read(caller, work, assumed) : teams.transaction(caller, work, assumed))
      } catch (error) {
        if (!(error instanceof Paused)) throw error
        await error.over
      }
    }
  }
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
