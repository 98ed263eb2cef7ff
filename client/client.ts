import { SecretWindows } from '../shared/secret-windows.ts'
import type { AssumptionName } from '../spec/assumptions.ts'
import { operations } from '../spec/operations.ts'
import type { OperationId } from '../spec/types.ts'
import { Answer } from './answer.ts'
import { Claims } from './claims.ts'
import { CannotRun, ConnectionLost, NotAllowed, StepFailed, TooBusy } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { Guard } from './guard.ts'
import { KnownIds } from './known-ids.ts'
import type { Ledger } from './ledger/ledger.ts'
import { WritingAhead } from './ledger/writing-ahead.ts'
import type { Mint } from './mint.ts'
import type { Kind } from './operations/index.ts'
import { PatientSend } from './patient-send.ts'
import { createRequest, type Input } from './request.ts'
import { Stop, type Stopped } from './stop.ts'
import { type Caller, credentialHeader, credentialNames, revealAll, variables, type Who } from './target/credentials.ts'
import type { Target } from './target/target.ts'
import { type ForeignRecord, Teams } from './teams.ts'
import { type Incoming, type Outgoing, type Send, Unanswered } from './transport.ts'

export interface ClientOptions {
  readonly target: Target
  readonly mint: Mint
  /** Where records are written down before they are made. */
  readonly ledger: Pick<Ledger, 'intend' | 'record'>
  readonly send: Send
  readonly guard?: Pick<Guard, 'check' | 'remember' | 'giveBack'>
  /** Ids of records that were there before. */
  readonly seenBefore?: readonly string[]
  /** Whether it cleans up after a run, whose records may be old. */
  readonly cleansUp?: boolean
  readonly observer?: Observer
}

/** Follows what a client does: to judge the answers, to learn from them, to log them. */
export interface Observer {
  onAnswer(
    answer: Answer,
    exchange: Exchange & { readonly incoming: Incoming },
    foreign: readonly ForeignRecord[],
  ): void
  onNoAnswer(exchange: Exchange, error: Unanswered): void
  /** What the server does where the specification leaves it open. */
  onChoice(assumption: AssumptionName, choice: string): void
}

/** The server, or a proxy before it, refused the request unprocessed. */
const isTooBusy = (status: number) => [408, 429, 502, 503, 504].includes(status)

/** Calls operations of a server by their ids, within what the operator allows. */
export class Client {
  readonly #target: Target
  readonly #send: PatientSend
  readonly #guard: Pick<Guard, 'check' | 'remember' | 'giveBack'>
  readonly #observer: Observer | undefined
  readonly #stop: Stop
  readonly #teams = new Teams()
  readonly #ids: KnownIds
  readonly #writing: WritingAhead
  readonly #claims: Claims
  /** Not at a slow pace, and not after one was lost: the server may close an idle connection just as it is used again. */
  #keepsConnections: boolean

  constructor({
    target,
    mint,
    ledger,
    send,
    guard = new Guard(target, mint),
    observer,
    seenBefore,
    cleansUp,
  }: ClientOptions) {
    this.#target = target
    this.#keepsConnections = target.loopback
    this.#guard = guard
    this.#observer = observer
    this.#stop = new Stop(target)
    this.#send = new PatientSend(send, target, this.#stop)
    this.#ids = new KnownIds(mint, seenBefore, !cleansUp)
    const secrets = new SecretWindows(Object.values(revealAll(target.credentials)))
    this.#writing = new WritingAhead(ledger, mint, this.#ids, (text) => secrets.redact(text) !== text)
    this.#claims = new Claims({
      mint,
      look: this.#look,
      latest: () => this.#ids.latest,
      onTold: (id, whose) => {
        if (whose === 'another') this.#ids.disown(id)
        this.#write(() => {
          this.#writing.tell(id, whose)
        })
      },
    })
  }

  /** Why nothing more is sent; `undefined` while the run goes on. */
  get stopped(): Stopped | undefined {
    return this.#stop.stopped
  }

  stop(reason: string): void {
    this.#stop.now(reason)
  }

  /** Notes what the server does where the specification leaves it open. */
  observe(assumption: AssumptionName, choice: string): void {
    this.#observer?.onChoice(assumption, choice)
  }

  /** The ids of the records that a caller made and has not deleted, as the answers say; the oldest first. */
  made(kind: Kind, caller: Caller): readonly string[] {
    return this.#claims.idsOf(kind, caller)
  }

  call = async <Id extends OperationId>(operation: Id, input: Input = {}): Promise<Answer<Id>> => {
    if (this.stopped) throw new NotAllowed(this.stopped.reason)
    const { caller = 'team' } = input
    const credentials = [caller, input.also ?? 'nobody'].flatMap((who) => {
      const header = credentialHeader(who, (known) => this.#reveal(known))
      return header ? [header] : []
    })
    this.#guard.check(operation, input)
    if (operations[operation].method !== 'get') {
      this.#ids.check(input)
      await this.#claims.check(operation, input, caller)
    }
    const keyed = this.#writing.addKey(operation, input)
    const request = await createRequest(this.#target.origin, operation, keyed)
    const intent = this.#write(() => this.#writing.intend(operation, keyed))
    const answer = await this.#exchange<Id>({ operation, caller, request }, credentials)
    this.#write(() => {
      this.#writing.settle(operation, intent, keyed, answer)
    })
    this.#ids.note(keyed, answer)
    this.#claims.note(operation, keyed, answer, caller)
    if (answer.status >= 400 && answer.status < 500) this.#guard.giveBack(operation)
    if (isTooBusy(answer.status))
      throw new TooBusy(`${operation}: the server takes no more requests for now (${answer.status})`)
    if (answer.succeeded && operations[operation].method === 'post') this.#guard.remember(input, answer.body)
    return answer
  }

  /** Shows a record without a change; it is no part of what is judged. */
  #look = async (operation: OperationId, input: Input, caller: Caller): Promise<Answer> => {
    const credential = credentialHeader(caller, (known) => this.#reveal(known))
    const request = await createRequest(this.#target.origin, operation, input)
    try {
      const headers = this.#headersOf(request, credential ? [credential] : [])
      const { status, text } = await this.#send.send({ ...request, headers })
      return new Answer(operation, status, text)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      this.#stop.onNoAnswer(error)
      throw this.#failed(operation, error)
    }
  }

  #failed(operation: OperationId, { message, isLost }: Unanswered): StepFailed {
    if (!isLost) return new StepFailed(`${operation}: ${message}`)
    this.#keepsConnections = false
    return new ConnectionLost(`${operation}: ${message}`)
  }

  /** What cannot be written down must not be sent. */
  #write<Value>(act: () => Value): Value {
    try {
      return act()
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error
      this.#stop.failed(error.message)
      throw new NotAllowed(error.message)
    }
  }

  #reveal(who: Who): string {
    const secret = this.#target.credentials[who]
    if (!secret) throw new NotAllowed(`needs ${credentialNames[who]}, in ${variables[who]}`)
    return secret.reveal()
  }

  async #exchange<Id extends OperationId>(
    exchange: Exchange & { readonly operation: Id },
    credentials: readonly (readonly [string, string])[],
  ): Promise<Answer<Id>> {
    const { operation, caller, request } = exchange
    try {
      const headers = this.#headersOf(request, credentials)
      const incoming = await this.#send.send({ ...request, headers })
      const answer = new Answer(operation, incoming.status, incoming.text)
      if (answer.status === 429) {
        this.#stop.onRefusalByRate()
        return answer
      }
      const foreign = this.#teams.findForeign(caller, answer.body)
      this.#observer?.onAnswer(answer, { ...exchange, incoming }, foreign)
      this.#stop.onAnswer(answer, caller, foreign.length > 0)
      return answer
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      this.#observer?.onNoAnswer(exchange, error)
      this.#stop.onNoAnswer(error)
      throw this.#failed(operation, error)
    }
  }

  #headersOf({ headers }: Outgoing, credentials: readonly (readonly [string, string])[]): Outgoing['headers'] {
    return {
      ...this.#target.headers,
      ...headers,
      ...Object.fromEntries(credentials),
      ...(this.#keepsConnections ? {} : { connection: 'close' }),
    }
  }
}
