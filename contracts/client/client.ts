import { withoutPeriod } from '../../lib/text.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Answer, fieldsOf } from './answer.ts'
import { CannotRun, ConnectionLost, NotAllowed, StepFailed, TooBusy } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { Guard } from './guard.ts'
import { addressesIn, idsIn, type CreatedKind, makes } from './kinds.ts'
import type { Entry, Ledger, RequestOutcome } from './ledger.ts'
import type { Mint } from './mint.ts'
import { Ownership } from './ownership.ts'
import type { Input } from './request.ts'
import { Sender, type SenderObserver, type SenderOptions, type Stopped } from './sender.ts'
import type { Caller } from './target/credentials.ts'
import { type Incoming, NoResponse } from './transport.ts'

export interface ClientOptions extends Omit<SenderOptions, 'observer'> {
  readonly mint: Mint
  readonly ledger: LedgerWriter
  readonly observer?: Observer
}

export type LedgerWriter = Pick<Ledger, 'intend' | 'record'>

/** A record of another team than its caller belongs to. */
export interface ForeignRecord {
  readonly ownTeam: string
  readonly team: string
}

/** Receives every exchange of a client, to judge it, to learn from it or to log it. */
export interface Observer extends Pick<SenderObserver, 'onRequest' | 'onTooMany'> {
  onAnswer(
    answer: Answer,
    exchange: Exchange & { readonly incoming: Incoming },
    foreign: readonly ForeignRecord[],
  ): void
  onNoAnswer(exchange: Exchange, error: NoResponse): void
}

/** A server may skip a recipient such as `x`. */
const namesSomebody = (address: string) => /[@\d]/.test(address)

/** Statuses of a server, or a proxy before it, that refuses a request without processing it. */
const tooBusy = [408, 429, 502, 503, 504]

/** How often a request that is safe to repeat is sent while a gateway fails. */
const mostAttempts = 2

/** Calls operations within the limits that the operator set, and records in a ledger what they create. */
export class Client {
  readonly #sender: Sender
  readonly #mint: Mint
  readonly #ledger: LedgerWriter
  readonly #guard: Guard
  readonly #ownership: Ownership
  /** The team of each caller, from the first record in an answer. */
  readonly #teams = new Map<Caller, string>()

  constructor({ mint, ledger, observer, ...options }: ClientOptions) {
    const { target } = options
    this.#mint = mint
    this.#ledger = ledger
    this.#guard = new Guard(target)
    this.#sender = new Sender({
      ...options,
      observer: {
        onRequest: (exchange) => observer?.onRequest?.(exchange),
        onTooMany: (exchange) => observer?.onTooMany?.(exchange),
        onAnswer: (answer, exchange) => {
          const foreign = this.#findForeign(exchange.caller, answer.body)
          observer?.onAnswer(answer, exchange, foreign)
          if (foreign.length > 0 && !target.loopback)
            this.stop('stopped, since a response showed a record of another team')
        },
        onNoAnswer: (exchange, error) => observer?.onNoAnswer(exchange, error),
      },
    })
    this.#ownership = new Ownership({
      mint,
      isShared: !target.loopback,
      read: (operation, input, caller) => this.#send(operation, { ...input, caller }, false),
      onOwner: (intent, isOwned) => this.#record(intent, isOwned ? { isOwned } : { state: 'foreign' }),
    })
  }

  /** Why the client sends no more requests; `undefined` while the run goes on. */
  get stopped(): Stopped | undefined {
    return this.#sender.stopped
  }

  stop(reason: string): void {
    this.#sender.stop(reason)
  }

  /** The ids of the records that a caller created and has not deleted, oldest first. */
  created(kind: CreatedKind, caller: Caller): readonly string[] {
    return this.#ownership.idsOf(kind, caller)
  }

  /** Claims a record that an earlier run wrote into its ledger. */
  claim({ id, intent, kind, operation: by, who: caller, isMarked = false, isOwned }: Entry): void {
    if (id !== undefined && kind !== undefined)
      this.#ownership.claim(id, { kind, caller, intent, by, isMarked, ...(isOwned ? { owner: 'run' } : {}) })
  }

  call = async <Id extends OperationId>(operation: Id, unkeyed: Input = {}): Promise<Answer<Id>> => {
    if (this.stopped) throw new NotAllowed('ended', this.stopped.reason)
    const needsKey = makes[operation]?.isKeyed && unkeyed.key === undefined
    const input = needsKey ? { ...unkeyed, key: this.#mint.key() } : unkeyed
    // A repeated update sets the same values, and the server recognizes a repeated create by its key.
    const isSafe = needsKey === true || ['get', 'put'].includes(operations[operation].method)
    for (let attempt = isSafe ? 1 : mostAttempts; ; attempt++) {
      try {
        return await this.#callOnce(operation, input)
      } catch (error) {
        const mayPass = error instanceof TooBusy || error instanceof ConnectionLost
        if (!mayPass || this.#sender.stopped || attempt >= mostAttempts) throw error
      }
    }
  }

  async #callOnce<Id extends OperationId>(operation: Id, input: Input): Promise<Answer<Id>> {
    const { caller = 'team' } = input
    this.#sender.checkCredentials(input)
    this.#guard.check(operation, input)
    await this.#ownership.check(operation, input, caller)
    const intent = this.#intend(operation, input)
    const answer = await this.#send(operation, input).catch((error: unknown) => {
      // The request was not sent.
      if (error instanceof NotAllowed && intent !== undefined) this.#record(intent, { state: 'nothing' })
      throw error
    })
    this.#settle(operation, intent, input, answer)
    const isNamed = this.#guard.note(operation, input, answer)
    this.#ownership.note(operation, input, answer, { caller, intent, isNamed })
    if (tooBusy.includes(answer.status))
      throw new TooBusy(`${operation}: the server takes no more requests for now (${answer.status})`)
    return answer
  }

  async #send<Id extends OperationId>(operation: Id, input: Input, isObserved = true): Promise<Answer<Id>> {
    try {
      return await this.#sender.send(operation, input, isObserved)
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      const message = `${operation}: ${error.message}`
      throw error.how === 'lost' ? new ConnectionLost(message) : new StepFailed(message)
    }
  }

  /** Writes a request that creates a record into the ledger before it is sent. */
  #intend(operation: OperationId, { body, form, key, caller: who = 'team' }: Input): string | undefined {
    const making = makes[operation]
    if (!making || typeof who !== 'string' || who === 'nobody') return undefined
    const sent = form ?? fieldsOf(body)
    const addresses = addressesIn(sent).filter(namesSomebody)
    // A message to recipients that the operator named leaves nothing that may be deleted.
    const isToPeople = operations[operation].effect === 'send' && !addresses.some(this.#mint.marks)
    const kind = isToPeople ? undefined : making.kind
    const again = making.isKeyed && typeof key === 'string' ? { key } : {}
    const own = addresses.every(this.#mint.marks) ? { body: sent } : {}
    return this.#orStop(() => this.#ledger.intend({ operation, who, kind, ...again, ...own }))
  }

  #settle(operation: OperationId, intent: string | undefined, { body }: Input, answer: Answer): void {
    const { succeeded, status, fields } = answer
    if (intent === undefined) return
    if (!succeeded) {
      // After a 5xx the record may exist.
      this.#record(intent, status < 500 ? { state: 'nothing' } : { status })
      return
    }
    const { data } = fields
    const ids = idsIn(operation, data)
    const [id, conversationId] = ([makes[operation]?.kind, 'conversation'] as const).map(
      (kind) => ids.find(([of]) => of === kind)?.[1],
    )
    this.#record(intent, {
      state: 'created',
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(id === undefined ? {} : { id, isMarked: this.#mint.marks(JSON.stringify(data)) }),
      ...(operation === 'sendBulkMessages' ? { isQueued: true } : {}),
      ...(operations[operation].effect === 'send' ? this.#staysOf(body) : {}),
    })
  }

  /** The effect of a message that no operation undoes. */
  #staysOf(body: unknown): Pick<RequestOutcome, 'stays'> {
    if (fieldsOf(body).scheduleType === 'scheduled') return { stays: 'scheduled' }
    return addressesIn(body).filter(namesSomebody).every(this.#mint.marks) ? {} : { stays: 'toPeople' }
  }

  #record(intent: string, outcome: Partial<RequestOutcome>): void {
    this.#orStop(() => this.#ledger.record(intent, outcome))
  }

  /** Without a ledger no more requests may be sent. */
  #orStop<Value>(write: () => Value): Value {
    try {
      return write()
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error
      this.#sender.stop(withoutPeriod(error.message), true)
      throw new NotAllowed('ended', error.message)
    }
  }

  /** The records of an answer that show another team than the first record of this caller. */
  #findForeign(caller: Caller, body: unknown): ForeignRecord[] {
    const teams = [fieldsOf(body).data].flat().map((record) => fieldsOf(record).teamId)
    return teams.flatMap((team) => {
      if (typeof team !== 'string') return []
      const ownTeam = this.#teams.get(caller) ?? team
      this.#teams.set(caller, ownTeam)
      return team === ownTeam ? [] : [{ ownTeam, team }]
    })
  }
}
