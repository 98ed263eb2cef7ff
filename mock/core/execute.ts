import { type Awaitable, bothOf } from '../../lib/async.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { Operation as Described } from '../../spec/operations.ts'
import { KeptBytes, keptKinds, keepWithin, type MemoryBudget, readEnds } from '../store/retention.ts'
import {
  NoSuchTeam,
  type Reader,
  type ReadTeam,
  type Records,
  type Store,
  type StoreTransaction,
  StoreUnreachable,
} from '../store/port.ts'
import { ChangeSubscriptions } from './changes.ts'
import type { ChoicesInForce } from './choices-in-force.ts'
import type { Clock, SteeredClock } from './clock.ts'
import { type Keyed, inOrderOfKeys, storedResponse, storeResponse, storeFailure } from './idempotency.ts'
import { toJson } from './long-json.ts'
import {
  answerTo,
  type AnyReply,
  type Context,
  type Operations,
  type ParsedRequest,
  type ServiceResponse,
  type StreamableResponse,
} from './operation.ts'
import { Refusal } from './refusals.ts'
import type { Ids } from './ids.ts'
import { Scheduler } from './scheduler.ts'
import { type Team, teamOn } from './team.ts'
import type { Caller, Transaction } from './transaction.ts'

export interface Request extends Reader {
  readonly operation: Described
  readonly caller: Caller
  readonly assumed: Assumed
  /** Checks the request against the document, and throws a refusal. A repeated key is answered without it. */
  parse(): ParsedRequest
  readonly keyed: Keyed | undefined
  /** Called after the operation and before the commit. An error that it throws rolls the transaction back. */
  readonly beforeCommit?: (() => void) | undefined
}

/** Carries out a request; throws a refusal, or rejects with it. */
export type Execute = (request: Request) => Promise<StreamableResponse>

interface ExecutorOptions {
  readonly operations: Operations
  readonly teams: Teams
  readonly choices: ChoicesInForce
}

/** Any operation. The check against the document guarantees that the input fits the operation. */
type AnyOperation = (context: Context) => Promise<AnyReply>

/** Executes operations, each in one transaction of the caller's team: all of its changes are stored, or none. */
export function executorOf({ operations, teams, choices }: ExecutorOptions): Execute {
  const inOrder = inOrderOfKeys()

  return (request) => {
    if (request.keyed) return executeOnce(request, request.keyed)
    return request.beforeCommit ? executeAfterPauses(request) : execute(request)
  }

  async function executeOnce(request: Request, keyed: Keyed): Promise<StreamableResponse> {
    const { caller, assumed } = request
    return inOrder(caller.teamId, keyed, assumed, async () => {
      try {
        return await executeAfterPauses(request)
      } catch (refusal) {
        if (refusal instanceof Refusal)
          await teams.transaction(caller, (tx) => storeFailure(answerTo(refusal, assumed), keyed, tx), assumed, request)
        throw refusal
      }
    })
  }

  /** Runs the transaction again after each pause. */
  async function executeAfterPauses(request: Request): Promise<StreamableResponse> {
    for (;;) {
      try {
        return await execute(request)
      } catch (error) {
        if (!(error instanceof Paused)) throw error
        await error.over
      }
    }
  }

  function execute(request: Request): Promise<StreamableResponse> {
    const { operation, caller, assumed, keyed } = request
    if (keyed) return teams.transaction(caller, (tx) => answerOnce(request, keyed, tx), assumed, request)
    const parsed = request.parse()
    const work = (tx: Transaction) => answer(request, parsed, tx)
    const run = operation.effect === 'read' ? 'read' : 'transaction'
    return teams[run](caller, work, assumed, request)
  }

  /** The response to a key is stored in the transaction of the effect, so that there is never one without the other. */
  async function answerOnce(request: Request, keyed: Keyed, tx: Transaction): Promise<StreamableResponse> {
    // In one round trip. The transaction has then read what `storeResponse` reads.
    const [stored] = await bothOf(storedResponse(keyed, tx), readEnds(tx.team.answers))
    if (stored) return stored
    // Only a read has a long response, and a read takes no key.
    const response = (await answer(request, request.parse(), tx)) as ServiceResponse
    await storeResponse(response, keyed, tx)
    return response
  }

  function answer(
    request: Request,
    { path, query, body, media }: ParsedRequest,
    tx: Transaction,
  ): Promise<StreamableResponse> {
    const run = operations[request.operation.id] as unknown as AnyOperation
    // Each member is named, since Node 20 takes microseconds for `{ ...parsed, tx }`.
    return run({ path, query, body, media, tx }).then((reply) => respond(reply, request, tx))
  }

  function respond(
    reply: AnyReply,
    { operation, caller, assumed, beforeCommit }: Request,
    tx: Transaction,
  ): StreamableResponse {
    beforeCommit?.()
    const envelope = choices.envelopeFor(caller.teamId)(reply, operation)
    const learned = assumed.learned()
    return {
      status: reply.status ?? operation.successStatuses[0],
      body: reply.pagination ? toJson(envelope) : JSON.stringify(envelope),
      assumed: assumed.relied(),
      learned: learned.length > 0 ? learned : undefined,
      changed: tx.team.tally.changed(),
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
  readonly clock: SteeredClock
  readonly ids: Ids
  readonly choices: ChoicesInForce
  readonly memory: MemoryBudget
  /** Does due work of a team in one transaction; returns when the next work is due. */
  readonly doDue: Work<number | undefined>
  /** Receives errors of due work, since no request waits for it. */
  readonly failed: (error: unknown) => void
}

type Work<Result> = (tx: Transaction) => Awaitable<Result>

/** Starts the transactions of requests, due work and the control plane. */
export class Teams {
  /** Announces committed transactions, by team. */
  readonly changes = new ChangeSubscriptions()
  readonly scheduler: Scheduler
  readonly #options: TeamsOptions
  /** One for each team: a store gives a team the same records in every transaction. */
  readonly #teams = new WeakMap<object, Team>()
  readonly keptBytes: KeptBytes

  constructor(options: TeamsOptions) {
    this.#options = options
    const { store, clock, doDue, failed, memory } = options
    this.keptBytes = new KeptBytes(memory)
    this.scheduler = new Scheduler({ store, clock, failed, runDue: (teamId) => this.#runDue(teamId, doDue) })
  }

  /** Runs `work` in a transaction of the team: all of its changes are stored, or none when it throws. */
  transaction<Result>(
    caller: Caller,
    work: Work<Result>,
    assumed = this.#options.choices.newAssumed(caller.teamId),
    reader?: Reader,
  ): Promise<Result> {
    const { teamId } = caller
    let tx: TeamTransaction | undefined
    const begin = (open: Open) => (tx = this.#begin(open, caller, assumed))
    const result = this.#options.store.transaction(teamId, (open) => work(begin(open)), reader)
    return result.then((committed) => {
      if (tx?.isDue) void this.scheduler.runDueFirst(teamId)
      if (this.changes.isObserved) this.changes.notify(teamId)
      return this.keptBytes.areTooMany ? this.#makeRoom().then(() => committed) : committed
    })
  }

  /** Runs `work` on the team beside other reads. It must not change anything: a store refuses to write during a read. */
  read<Result>(
    caller: Caller,
    work: Work<Result>,
    assumed = this.#options.choices.newAssumed(caller.teamId),
    reader?: Reader,
  ): Promise<Result> {
    return this.#options.store.read(caller.teamId, (open) => work(this.#begin(open, caller, assumed)), reader)
  }

  /** Runs due work of the team, and stores when its next work is due. */
  async #runDue(teamId: string, work: Work<number | undefined>): Promise<number | undefined> {
    const { store, choices } = this.#options
    const due = await store.transaction(teamId, async (open) => {
      const next = await work(this.#begin(open, { teamId }, choices.newAssumed(teamId)))
      open.scheduleNext(next)
      return next
    })
    this.changes.notify(teamId)
    return due
  }

  /** Removes the older half of the stored responses and copies of the team with the most. */
  async #makeRoom(): Promise<void> {
    const { teamId, most } = this.keptBytes.halveLargest()
    const { store, choices } = this.#options
    try {
      await store.transaction(teamId, async (open) => {
        const { team } = this.#begin(open, { teamId }, choices.newAssumed(teamId))
        for (const kind of keptKinds) this.keptBytes.set(teamId, kind, await keepWithin(most[kind], team[kind]))
      })
    } catch (error) {
      // The request that came before is committed, so it must not fail.
      if (error instanceof NoSuchTeam) this.keptBytes.forget(teamId)
      else if (!(error instanceof StoreUnreachable)) throw error
    }
  }

  #begin(open: Open, caller: Caller, assumed: Assumed): TeamTransaction {
    const { clock, ids } = this.#options
    const records = open.records as Records
    let team = this.#teams.get(records)
    if (!team) this.#teams.set(records, (team = teamOn(records, open.onFile, clock, ids, this.keptBytes)))
    team.tally.begin()
    return new TeamTransaction(team, caller, assumed, clock, open)
  }
}

type Open = StoreTransaction | ReadTeam

class TeamTransaction implements Transaction {
  readonly team: Team
  readonly caller: Caller
  readonly assumed: Assumed
  readonly clock: Clock
  /** Whether it scheduled work. */
  isDue = false
  readonly #open: Open

  constructor(team: Team, caller: Caller, assumed: Assumed, clock: Clock, open: Open) {
    this.team = team
    this.caller = caller
    this.assumed = assumed
    this.clock = clock
    this.#open = open
  }

  scheduleAt(at: number): void {
    if (!('scheduleAt' in this.#open)) throw new Error('A read asked for due work')
    this.isDue = true
    this.#open.scheduleAt(at)
  }
}
