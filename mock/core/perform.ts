import type { Assumed } from '../../spec/assumed.ts'
import type { Operation as Described } from '../../spec/operations.ts'
import { type Answered, type AnsweredAtLength, marksOf } from './answered.ts'
import type { Caller } from './caller.ts'
import type { AnyReply, Envelope } from './envelope.ts'
import { answerBefore, keepAnswer, keepFailure, type Keyed, KeyRefused } from './idempotency.ts'
import { KeysInFlight } from './keys-in-flight.ts'
import { type LongText, toJson } from './long-json.ts'
import type { Asked, Given, Operations } from './operation.ts'
import { runAgainWhilePaused } from './paused.ts'
import { answerTo, Refusal, type Say } from './refusals.ts'
import type { Teams } from './teams.ts'
import type { Turn } from './turn.ts'

export interface Request {
  readonly operation: Described
  readonly caller: Caller
  readonly assumed: Assumed
  readonly keyed: Keyed | undefined
  /** Reads and checks the request; throws a refusal. */
  read(): Asked
  /** How a refusal is worded. */
  readonly say?: Say | undefined
  /** Called when the work is done and nothing is kept yet. What it throws undoes the work. */
  readonly beforeCommit?: (() => void) | undefined
}

/** Makes a reply sound like that of a server. */
interface Speaking {
  reply(reply: AnyReply, operation: Described, asked: Asked): AnyReply
}

/** Throws a refusal, or rejects with it. */
export type Perform = (request: Request) => Promise<AnsweredAtLength>

interface PerformOptions {
  readonly operations: Operations
  readonly teams: Teams
  readonly envelopeFor: (teamId: string) => Envelope
  readonly speaker?: Speaking | undefined
}

/** Any operation. The checks of the document are what makes the given things those of the operation. */
type AnyOperation = (given: Given) => Promise<AnyReply>
interface AnyPrepared {
  prepare(asked: Asked, assumed: Assumed): Promise<AnyOperation>
}

/** Carries out operations, each in a turn of the caller's team: all that it changes is kept, or nothing. */
export function performer({ operations, teams, envelopeFor, speaker }: PerformOptions): Perform {
  const inFlight = new KeysInFlight()

  return (request) => (request.keyed ? withKey(request, request.keyed) : withoutKey(request))

  function withoutKey(request: Request): Promise<AnsweredAtLength> {
    const asked = request.read()
    const operation = operationFor(request)
    return 'prepare' in operation
      ? operation
          .prepare(asked, request.assumed)
          .then((run) => inTurn(request, (turn) => actAtLength(request, run, asked, turn)))
      : inTurn(request, (turn) => actAtLength(request, operation, asked, turn))
  }

  function withKey(request: Request, keyed: Keyed): Promise<Answered> {
    const { caller, assumed, say } = request
    return inFlight.inOrder(caller.teamId, keyed, assumed, async () => {
      try {
        return await once(request, keyed)
      } catch (refusal) {
        if (refusal instanceof Refusal && !(refusal instanceof KeyRefused)) {
          await inTurn(request, (turn) => keepFailure(answerTo(refusal, assumed, say), keyed, turn))
        }
        throw refusal
      }
    })
  }

  /** The answer is kept in the turn that has the effect, so that a key never has an effect without its answer. */
  async function once(request: Request, keyed: Keyed): Promise<Answered> {
    const operation = operationFor(request)
    if (!('prepare' in operation))
      return onceInTurn(request, keyed, (turn) => act(request, operation, request.read(), turn))
    const before = await inTurn(request, (turn) => answerBefore(keyed, turn))
    if (before) return before
    const asked = request.read()
    const run = await operation.prepare(asked, request.assumed)
    return onceInTurn(request, keyed, (turn) => act(request, run, asked, turn))
  }

  function onceInTurn(request: Request, keyed: Keyed, work: (turn: Turn) => Promise<Answered>): Promise<Answered> {
    return inTurn(request, async (turn) => {
      const before = await answerBefore(keyed, turn)
      if (before) return before
      const answered = await work(turn)
      await keepAnswer(answered, keyed, turn)
      return answered
    })
  }

  async function act(request: Request, run: AnyOperation, asked: Asked, turn: Turn): Promise<Answered> {
    const reply = await run({ ...asked, turn })
    request.beforeCommit?.()
    return answer(request, speak(request, reply, asked), turn, JSON.stringify)
  }

  async function actAtLength(request: Request, run: AnyOperation, asked: Asked, turn: Turn): Promise<AnsweredAtLength> {
    const reply = await run({ ...asked, turn })
    request.beforeCommit?.()
    return answer<string | LongText>(
      request,
      speak(request, reply, asked),
      turn,
      reply.pagination ? toJson : JSON.stringify,
    )
  }

  function speak({ operation }: Request, reply: AnyReply, asked: Asked): AnyReply {
    return speaker ? speaker.reply(reply, operation, asked) : reply
  }

  function answer<Body>(
    { operation, caller: { teamId } }: Request,
    reply: AnyReply,
    turn: Turn,
    write: (content: object) => Body,
  ): Answered<Body> {
    const body = write(envelopeFor(teamId)(reply, operation))
    return { status: reply.status, body, ...marksOf(turn.assumed), changed: turn.changed() }
  }

  function inTurn<Result>(request: Request, work: (turn: Turn) => Promise<Result>): Promise<Result> {
    return request.beforeCommit ? runAgainWhilePaused(() => runTurn(request, work)) : runTurn(request, work)
  }

  function runTurn<Result>(request: Request, work: (turn: Turn) => Promise<Result>): Promise<Result> {
    const { operation, caller, assumed } = request
    return operation.effect === 'read' ? teams.read(caller, work, assumed) : teams.turn(caller, work, assumed)
  }

  function operationFor({ operation: { id } }: Request): AnyOperation | AnyPrepared {
    return operations[id] as unknown as AnyOperation | AnyPrepared
  }
}
