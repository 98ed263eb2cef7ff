import type { AssumptionName } from '../spec/assumptions.ts'
import { operations } from '../spec/operations.ts'
import type { OperationId } from '../spec/types.ts'
import { type Answer, type Fields, fieldsOf } from './answer.ts'
import { CannotRun, ConnectionLost, NotAllowed, StepFailed, TooBusy } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { Guard } from './guard.ts'
import type { Entry, Event, Ledger } from './ledger.ts'
import type { Mint } from './mint.ts'
import { type Kind, makes as makings } from './kinds.ts'
import { Ownership } from './ownership.ts'
import type { Input } from './request.ts'
import { Sender, type Stopped } from './sender.ts'
import type { Caller } from './target/credentials.ts'
import { redactorFor, type Target } from './target/target.ts'
import { type Incoming, type Send, Unanswered } from './transport.ts'

export interface ClientOptions {
  readonly target: Target
  readonly mint: Mint
  /** Where records are written down before they are made. */
  readonly ledger: LedgerWriter
  readonly send: Send
  readonly guard?: Pick<Guard, 'check' | 'remember' | 'giveBack'>
  /** Ids of records that were there before. */
  readonly seenBefore?: readonly string[]
  readonly observer?: Observer
  readonly signal?: AbortSignal | undefined
}

export interface LedgerWriter {
  readonly intend: (...intent: Parameters<Ledger['intend']>) => Promise<string> | string
  readonly record: Ledger['record']
}

/** A record of another team than its caller belongs to. */
export interface ForeignRecord {
  readonly ownTeam: string
  readonly team: string
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

/** Calls operations of a server by their ids, within what the operator allows, and notes in a ledger what they make. */
export class Client {
  readonly #sender: Sender
  readonly #target: Target
  readonly #mint: Mint
  readonly #ledger: ClientOptions['ledger']
  readonly #guard: Pick<Guard, 'check' | 'remember' | 'giveBack'>
  readonly #observer: Observer | undefined
  readonly #ownership: Ownership
  readonly #redact: (text: string) => string
  /** The team of each caller, as the first record of that team showed it. */
  readonly #teams = new Map<Caller, string>()
  /** The intent that made each record. */
  readonly #intents = new Map<string, string>()
  /** Ids that belong to people whom the operator named. */
  readonly #named = new Set<string>()

  constructor({ target, mint, ledger, send, guard = new Guard(target), observer, seenBefore, signal }: ClientOptions) {
    this.#target = target
    this.#mint = mint
    this.#ledger = ledger
    this.#guard = guard
    this.#observer = observer
    this.#redact = redactorFor(target)
    this.#sender = new Sender({
      target,
      send,
      signal,
      observer: {
        onAnswer: (answer, exchange) => {
          const foreign = this.#findForeign(exchange.caller, answer.body)
          observer?.onAnswer(answer, exchange, foreign)
          if (foreign.length > 0 && !target.loopback)
            this.stop('stopped, since an answer showed a record of another team')
        },
        onNoAnswer: (exchange, error) => observer?.onNoAnswer(exchange, error),
      },
    })
    this.#ownership = new Ownership({
      mint,
      older: seenBefore ?? [],
      isShared: !target.loopback,
      read: (operation, input, caller) => this.#send(operation, { ...input, caller }, false),
      onOwner: (id, owner) => {
        const intent = this.#intents.get(id)
        if (intent === undefined) return
        if (owner === 'run') this.#record({ owned: intent })
        if (owner === 'other') this.#record({ foreign: intent, id })
      },
    })
  }

  /** Why nothing more is sent; `undefined` while the run goes on. */
  get stopped(): Stopped | undefined {
    return this.#sender.stopped
  }

  stop(reason: string): void {
    this.#sender.stop(reason)
  }

  /** Notes what the server does where the specification leaves it open. */
  observe(assumption: AssumptionName, choice: string): void {
    this.#observer?.onChoice(assumption, choice)
  }

  /** The ids of the records that a caller created and has not deleted; the oldest first. */
  created(kind: Kind, caller: Caller): readonly string[] {
    return this.#ownership.idsOf(kind, caller)
  }

  /** Takes a record of an earlier run from its ledger. */
  claim({ id, intent, kind, who: caller, isMarked = false, isOwned }: Entry): void {
    if (id === undefined || kind === undefined) return
    this.#intents.set(id, intent)
    this.#ownership.claim(id, { kind, caller, isMarked, ...(isOwned ? { owner: 'run' } : {}) })
  }

  call = async <Id extends OperationId>(operation: Id, given: Input = {}): Promise<Answer<Id>> => {
    if (this.stopped) throw new NotAllowed(this.stopped.reason)
    // Where nothing else can find what an unanswered request has made, its key does.
    const needsKey = makings[operation]?.isKeyed && given.key === undefined
    const input = needsKey ? { ...given, key: this.#mint.key() } : given
    const { caller = 'team' } = input
    this.#sender.checkCredentials(input)
    this.#guard.check(operation, input)
    await this.#ownership.check(operation, input, caller)
    const intent = await this.#intend(operation, input)
    const answer = await this.#send(operation, input).catch((error: unknown) => {
      // It was not sent, or refused with 429.
      if (error instanceof NotAllowed && intent !== undefined) this.#record({ nothing: intent })
      throw error
    })
    this.#settle(operation, intent, input, answer)
    this.#ownership.note(operation, input, answer, caller, this.#isAboutNamed(input, answer))
    if (answer.status >= 400 && answer.status < 500) this.#guard.giveBack(operation)
    if (isTooBusy(answer.status))
      throw new TooBusy(`${operation}: the server takes no more requests for now (${answer.status})`)
    if (answer.succeeded && operations[operation].method === 'post') this.#guard.remember(input, answer.body)
    return answer
  }

  async #send<Id extends OperationId>(operation: Id, input: Input, isObserved = true): Promise<Answer<Id>> {
    try {
      return await this.#sender.send(operation, input, isObserved)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      const message = `${operation}: ${error.message}`
      throw error.isLost ? new ConnectionLost(message) : new StepFailed(message)
    }
  }

  /** A request is only sent after its ledger entry is on disk. Returns its name; none when it makes no record. */
  async #intend(operation: OperationId, { body, form, key, caller: who = 'team' }: Input): Promise<string | undefined> {
    const makes = makings[operation]
    if (!makes || typeof who !== 'string' || who === 'nobody') return undefined
    const sent = form ? Object.fromEntries(form) : fieldsOf(body)
    // A message to people whom the operator named leaves nothing that may be deleted.
    if (operations[operation].effect === 'send' && !addressesIn(sent).some((address) => this.#mint.marks(address)))
      return undefined
    const isOwn = addressesIn(sent).every((address) => this.#mint.marks(address))
    try {
      const again = makes.isKeyed && typeof key === 'string' ? { key } : {}
      return await this.#ledger.intend({ operation, who, kind: makes.kind, ...again, ...(isOwn ? { body: sent } : {}) })
    } catch (error) {
      return this.#failed(error)
    }
  }

  #settle(operation: OperationId, intent: string | undefined, { body }: Input, answer: Answer): void {
    const { succeeded, status } = answer
    if (succeeded && operations[operation].effect === 'send') {
      const sent = fieldsOf(body)
      if (sent.scheduleType === 'scheduled') this.#record({ stays: 'scheduled' })
      else if (!addressesIn(sent).every((address) => this.#mint.marks(address))) this.#record({ stays: 'toPeople' })
    }
    if (intent === undefined) return
    // After a 5xx the record may exist all the same.
    if (!succeeded && status < 500) this.#record({ nothing: intent })
    if (!succeeded) return
    const { data } = answer.fields
    const id = makings[operation]?.idIn?.(fieldsOf(data))
    if (operation === 'sendBulkMessages') this.#record({ queued: intent })
    if (typeof id !== 'string' || this.#redact(id) !== id) this.#record({ created: intent })
    else {
      if (!this.#intents.has(id)) this.#intents.set(id, intent)
      this.#record({ created: intent, id, isMarked: this.#mint.marks(JSON.stringify(data)) })
    }
  }

  #record(event: Event): void {
    try {
      this.#ledger.record(event)
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Without a ledger nothing more may be sent. */
  #failed(error: unknown): never {
    if (!(error instanceof CannotRun)) throw error
    this.#sender.stop(error.message.replace(/\.$/, ''), true)
    throw new NotAllowed(error.message)
  }

  /** Whether a request is about people whom the operator named, who may be older than the run. */
  #isAboutNamed({ path = {}, body }: Input, { fields, succeeded }: Answer): boolean {
    const { email, phone } = this.#target.recipients
    const { contactId, recipientId, recipientIds, conversationId } = fieldsOf(body)
    const ids = [...Object.values(path), ...[contactId, recipientId, recipientIds, conversationId].flat()]
    const isNamed =
      addressesIn(fieldsOf(body)).some((address) => email.includes(address) || phone.includes(address)) ||
      ids.some((id) => typeof id === 'string' && this.#named.has(id))
    if (!isNamed || !succeeded) return isNamed
    const { _id, contactId: contact, conversationId: conversation } = fieldsOf(fields.data)
    for (const id of [_id, contact, fieldsOf(contact)._id, conversation])
      if (typeof id === 'string') this.#named.add(id)
    return true
  }

  /** The first record shows the team of a caller; a record of any other team is foreign. */
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

/** The addresses that a body names. */
export function addressesIn({ email, phone, to }: Fields): string[] {
  const addresses = [email, phone, typeof to === 'string' ? to.split(',') : []].flat()
  return addresses.filter((address) => typeof address === 'string').map((address) => address.trim())
}
