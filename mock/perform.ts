import type { TeamOnFile } from '../fixtures/world.ts'
import type { Assumed } from '../spec/assumed.ts'
import type { Operation as Described } from '../spec/operations.ts'
import type { OperationId } from '../spec/types.ts'
import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import type { AnyReply, Envelope } from './envelope.ts'
import { answerTo } from './errors.ts'
import {
  type Answered,
  answerBefore,
  keepAnswer,
  keepFailure,
  keptAnswers,
  type Keyed,
  KeyRefused,
} from './idempotency.ts'
import type { Ids } from './ids.ts'
import { KeysInFlight } from './keys-in-flight.ts'
import type { Given, Operations } from './operation.ts'
import { Refusal } from './replies.ts'
import type { Records, Store } from './store/port.ts'
import { Team } from './team.ts'

/** What was asked of an operation, once it has been checked. */
export type Asked = Pick<Given, 'path' | 'query' | 'body' | 'media' | 'recipients'>

export interface Request {
  readonly operation: Described
  readonly caller: Caller
  readonly assumed: Assumed
  readonly keyed: Keyed | undefined
  /** Reads and checks the request; throws a refusal. A promise when that takes long: then nobody's turn waits for it. */
  read(): Asked | Promise<Asked>
}

/** Throws a refusal, or rejects with it. */
export type Perform = (request: Request) => Promise<Answered>

interface Reading {
  readonly reading: Promise<Asked>
}

export interface House {
  readonly operations: Operations
  readonly store: Store
  readonly envelope: Envelope
  readonly clock: Clock
  readonly ids: Ids
}

/** Carries out operations, each in its team's turn: all that it changes is kept, or nothing. */
export function performer({ operations, store, envelope, clock, ids }: House): Perform {
  const teams = new WeakMap<Records, Team>()
  const inFlight = new KeysInFlight()

  return (request) => (request.keyed ? withKey(request, request.keyed) : withoutKey(request))

  function withoutKey(request: Request): Promise<Answered> {
    const actOn = (asked: Asked) => inTurn(request, (team) => act(request, asked, team))
    const asked = request.read()
    return asked instanceof Promise ? asked.then(actOn) : actOn(asked)
  }

  function withKey(request: Request, keyed: Keyed): Promise<Answered> {
    const { caller, assumed } = request
    return inFlight.inOrder(caller.teamId, keyed, assumed, async () => {
      try {
        return await once(request, keyed)
      } catch (refusal) {
        if (refusal instanceof Refusal && !(refusal instanceof KeyRefused)) {
          await inTurn(request, (team) => keepFailure(answerTo(refusal, assumed), keyed, team, clock))
        }
        throw refusal
      }
    })
  }

  /**
   * The answer is kept in the turn that has the effect, so that a key never has an effect without its answer. What takes
   * long to read is read between two turns.
   */
  async function once(request: Request, keyed: Keyed, known?: Asked): Promise<Answered> {
    const { assumed } = request
    const answered = await inTurn(request, async (team): Promise<Answered | Reading> => {
      const kept = await keptAnswers(keyed, team)
      const before = answerBefore(kept, keyed, clock, assumed)
      if (before) return { ...before, assumed: [...new Set([...before.assumed, ...assumed.relied()])] }
      const asked = known ?? request.read()
      if (asked instanceof Promise) return { reading: heard(asked) }
      const answered = await act(request, asked, team)
      await keepAnswer(answered, keyed, team, clock)
      return answered
    })
    return 'reading' in answered ? once(request, keyed, await answered.reading) : answered
  }

  function inTurn<Result>({ caller }: Request, work: (team: Team) => Promise<Result>): Promise<Result> {
    return store.turn(caller.teamId, ({ records, onFile }) => work(teamOf(records, onFile)))
  }

  async function act(request: Request, asked: Asked, team: Team): Promise<Answered> {
    const { operation, caller, assumed } = request
    const reply = await run(operation.id, { team, caller, assumed, clock, ...asked })
    return { status: reply.status, body: envelope(reply, operation), assumed: assumed.relied() }
  }

  /** The checks of the document are what makes the given things those of the operation. */
  function run(id: OperationId, given: object): Promise<AnyReply> {
    const operation = operations[id] as (given: object) => Promise<AnyReply>
    return operation(given)
  }

  function teamOf(records: Records, onFile: TeamOnFile): Team {
    const known = teams.get(records)
    if (known) return known
    const team = new Team(onFile, records, clock, ids)
    teams.set(records, team)
    return team
  }
}

/** Whoever waits for it still hears why it failed; but it may fail before anybody does. */
function heard<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined)
  return promise
}
