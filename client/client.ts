import { operations } from '../spec/operations.ts'
import type { OperationId } from '../spec/types.ts'
import { Answer } from './answer.ts'
import { type As, credentialOf, type Exchange } from './exchange.ts'
import { Guard } from './guard.ts'
import { held } from '../contracts/judge/faults-of-an-answer.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Mint } from './mint.ts'
import { Inconclusive, Skipped, type Stopped } from '../contracts/judge/outcome.ts'
import { Pace, sleep, waitAskedFor } from './pace.ts'
import { type Asked, requestFor } from './request.ts'
import { Seen } from '../contracts/judge/check-log.ts'
import { Stop } from './stop.ts'
import { Teams } from './teams.ts'
import { type Target, variables, type Who } from './target/target.ts'
import { type Incoming, type Outgoing, type Send, Unanswered } from './transport.ts'
import { WritingAhead } from './ledger/writing-ahead.ts'

export interface Behind {
  readonly target: Target
  readonly mint: Mint
  /** Where what is made is written down, before it is. */
  readonly ledger: Pick<Ledger, 'intend' | 'record'>
  readonly send: Send
  /** Who may keep a request back, when it is not the usual one. */
  readonly guard?: Pick<Guard, 'check' | 'remember'>
}

/** Asks operations of the server, each by its id, and holds every answer to the document. */
export class Client {
  readonly #behind: Behind
  readonly #guard: Pick<Guard, 'check' | 'remember'>
  readonly #pace: Pace
  readonly #stop: Stop
  readonly #teams = new Teams()
  readonly #writing: WritingAhead
  /** What was seen since this was last replaced. */
  seen = new Seen()

  constructor(behind: Behind) {
    const { target, mint } = behind
    this.#behind = behind
    this.#guard = behind.guard ?? new Guard(target, mint)
    this.#pace = new Pace(target.rate)
    this.#stop = new Stop(target)
    this.#writing = new WritingAhead(behind.ledger, mint)
  }

  /** Why nothing more is asked; `undefined` as long as everything may go on. */
  get stopped(): Stopped | undefined {
    return this.#stop.stopped
  }

  stop(reason: string): void {
    this.#stop.now(reason)
  }

  call = async <Id extends OperationId>(operation: Id, asked: Asked = {}): Promise<Answer<Id>> => {
    if (this.stopped) throw new Skipped(this.stopped.reason)
    const who = asked.who ?? 'team'
    const credential = credentialOf(who, (known) => this.#reveal(known))
    this.#guard.check(operation, asked)
    const keyed = this.#writing.keyed(operation, asked)
    const request = await requestFor(this.#behind.target.origin, operation, keyed)
    const intent = this.#writing.intend(operation, keyed)
    const incoming = await this.#exchange({ operation, who, request }, credential)
    const answer = this.#taken(operation, who, incoming)
    this.#writing.settle(operation, intent, answer)
    if (answer.succeeded && operations[operation].method === 'post') this.#guard.remember(asked, answer.body)
    return answer
  }

  #reveal(who: Who): string {
    const secret = this.#behind.target.credentials[who]
    if (!secret) throw new Skipped(`it takes ${credentialWords[who]}, in ${variables[who]}`)
    return secret.reveal()
  }

  async #exchange(exchange: Exchange, credential: readonly [string, string] | undefined): Promise<Incoming> {
    const { request } = exchange
    const headers = {
      ...request.headers,
      ...(credential ? { [credential[0]]: credential[1] } : {}),
      // At a slow pace a connection that is kept may be closed just as it is used again.
      ...(this.#behind.target.loopback ? {} : { connection: 'close' }),
    }
    try {
      const answer = await this.#answered({ ...request, headers })
      this.seen.exchange({ ...exchange, answer })
      return answer
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      this.seen.exchange(exchange)
      if (error.cut)
        this.seen.faults(exchange.operation, [
          { promise: 'envelope.answersAreJson', expected: 'a whole answer', actual: error.message },
        ])
      this.#stop.unanswered(error)
      throw new Inconclusive(`${exchange.operation}: ${error.message}`)
    }
  }

  /** A 429 that says when to come again was not carried out, and comes again. */
  async #answered(request: Outgoing, patience = 3): Promise<Incoming> {
    const { send, target } = this.#behind
    const answer = await this.#pace.take(() => send(request, target.timeout))
    const wait =
      answer.status === 429 || answer.status === 503 ? waitAskedFor(answer.headers['retry-after']) : undefined
    if (wait === undefined) return answer
    await sleep(wait)
    if (answer.status === 503) return answer
    if (patience === 0) throw new Inconclusive('the service takes no more requests for now (429)')
    return this.#answered(request, patience - 1)
  }

  #taken<Id extends OperationId>(operation: Id, who: As, incoming: Incoming): Answer<Id> {
    const { body, faults, unlisted } = held(operation, incoming)
    const answer = new Answer(operation, incoming.status, body)
    const foreign = this.#teams.faults(who, body)
    this.seen.faults(operation, [...faults, ...foreign])
    this.seen.answered(operation, answer.succeeded, faults.length === 0, unlisted)
    this.#stop.answered(answer, who, foreign.length > 0)
    return answer
  }
}

const credentialWords: Readonly<Record<Who, string>> = {
  team: 'the key of a team',
  otherTeam: 'the key of a second team',
  admin: 'the token of an admin',
  agent: 'the token of an agent',
}
