import type { Assumed } from '../../spec/assumed.ts'
import type { Operation as Described } from '../../spec/operations.ts'
import type { Records, Store, StoreTransaction } from '../store/port.ts'
import type { Clock } from './clock.ts'
import { type Keyed, inOrderOfKeys, storedAnswer, storeAnswer, storeFailure } from './idempotency.ts'
import { toJson } from './long-json.ts'
import {
  answerTo,
  type AnyReply,
  type Context,
  type Envelope,
  marksOf,
  type Operations,
  type ParsedRequest,
  type StreamableResponse,
} from './operation.ts'
import { Refusal } from './refusals.ts'
import { type Ids, type Team, teamOn } from './team.ts'
import type { Caller, Transaction } from './transaction.ts'

export interface Request {
  readonly operation: Described
  readonly caller: Caller
  readonly assumed: Assumed
  /** Checks the request against the document, and throws a refusal. A repeated key is answered without it. */
  readonly parse: () => ParsedRequest
  readonly keyed: Keyed | undefined
  /** Called after the operation and before the commit. An error that it throws rolls the transaction back. */
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
type AnyOperation = (context: Context) => Promise<AnyReply>
/** An operation on a request that has been checked. */
type Run = (tx: Transaction) => Promise<AnyReply>

/** Executes operations, each in one transaction of the caller's team: all of its changes are stored, or none. */
export function executorOf({ operations, teams, envelopeFor }: ExecutorOptions): Execute {
  const inOrder = inOrderOfKeys()

  return (request) => (request.keyed ? executeOnce(request, request.keyed) : execute(request))

  async function executeOnce(request: Request, keyed: Keyed): Promise<StreamableResponse> {
    const { caller, assumed } = request
    return inOrder(caller.teamId, keyed, assumed, async () => {
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
  async function execute(request: Request) {
    const { operation, caller, assumed, keyed, beforeCommit } = request
    let run = keyed ? undefined : prepare(request)
    return inTransaction(operation, caller, assumed, async (tx) => {
      if (keyed) {
        // In one round trip. The transaction has then read what `storeAnswer` reads.
        const [stored] = await Promise.all([storedAnswer(keyed, tx), tx.team.answers.count('all', ['all'])])
        if (stored) return stored
      }
      run ??= prepare(request)
      const reply = await run(tx)
      beforeCommit?.()
      const envelope = envelopeFor(caller.teamId)(reply, operation)
      const respond = <Body>(body: Body) => ({
        status: reply.status,
        body,
        ...marksOf(assumed),
        changed: tx.changed(),
      })
      if (reply.pagination) return respond(toJson(envelope))
      const response = respond(JSON.stringify(envelope))
      if (keyed) await storeAnswer(response, keyed, tx)
      return response
    })
  }

  /** Checks the request against the document, and returns the operation on it. */
  function prepare({ operation, parse }: Request): Run {
    const { path, query, body, media } = parse()
    const run = operations[operation.id] as unknown as AnyOperation
    // Each member is named, since Node 20 takes microseconds for `{ ...input, tx }`.
    return (tx) => run({ path, query, body, media, tx })
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
 * Thrown by `beforeCommit` to wait without a lock on the team: the transaction is rolled back, and runs again once `over`
 * resolves. When `over` rejects, the request fails with that error.
 */
export class Paused extends Error {
  readonly over: Promise<void>

  constructor(over: Promise<void>) {
    super('The request is held before its commit')
    this.over = over
    over.catch(() => undefined) // may reject before the transaction is rolled back and awaits it
  }
}

interface TeamsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly newAssumed: (teamId: string) => Assumed
  /** Called after a transaction that scheduled work. */
  readonly onDue: (teamId: string) => void
  /** Called after each transaction. */
  readonly onCommit?: (teamId: string) => void
}

type Work<Result> = (tx: Transaction) => Promise<Result>

/** Starts the transactions of requests, due work and the control plane. */
export class Teams {
  readonly #options: TeamsOptions
  /** One for each team: a store gives a team the same records in every transaction. */
  readonly #teams = new WeakMap<object, Team>()

  constructor(options: TeamsOptions) {
    this.#options = options
  }

  /** Runs `work` in a transaction of the team: all of its changes are stored, or none when it throws. */
  async transaction<Result>(
    caller: Caller,
    work: Work<Result>,
    assumed = this.#options.newAssumed(caller.teamId),
  ): Promise<Result> {
    const { store, onDue, onCommit } = this.#options
    const due = { isAsked: false }
    const result = await store.transaction(caller.teamId, (open) => {
      const scheduleAt = (at: number) => {
        due.isAsked = true
        open.scheduleAt(at)
      }
      return work(this.#begin(open, caller, assumed, scheduleAt))
    })
    if (due.isAsked) onDue(caller.teamId)
    onCommit?.(caller.teamId)
    return result
  }

  /** Runs `work` on the team beside other reads. It must not change anything: a store refuses to write during a read. */
  read<Result>(caller: Caller, work: Work<Result>, assumed = this.#options.newAssumed(caller.teamId)): Promise<Result> {
    return this.#options.store.read(caller.teamId, ({ onFile, records }) =>
      work(this.#begin({ onFile, records: records as Records }, caller, assumed, readsOnly)),
    )
  }

  /** Runs due work of the team, and stores when its next work is due. */
  async runDue(teamId: string, work: Work<number | undefined>): Promise<number | undefined> {
    const { store, newAssumed, onCommit } = this.#options
    const due = await store.transaction(teamId, async (open) => {
      const scheduleAt = (at: number) => open.scheduleAt(at)
      const next = await work(this.#begin(open, { teamId }, newAssumed(teamId), scheduleAt))
      open.scheduleNext(next)
      return next
    })
    onCommit?.(teamId)
    return due
  }

  #begin(
    { records, onFile }: Pick<StoreTransaction, 'records' | 'onFile'>,
    caller: Caller,
    assumed: Assumed,
    scheduleAt: Transaction['scheduleAt'],
  ): Transaction {
    const { clock, ids } = this.#options
    let team = this.#teams.get(records)
    if (!team) this.#teams.set(records, (team = teamOn(records, onFile, clock, ids)))
    const { tally } = team
    tally.begin()
    return { team, caller, assumed, clock, scheduleAt, changed: () => tally.changed() }
  }
}

function readsOnly(): never {
  throw new Error('A read asked for due work')
}
