import { setImmediate } from 'node:timers/promises'
import { type Answer, fieldsOf } from '../client/answer.ts'
import { Client, type ClientOptions, type Observer } from '../client/client.ts'
import { NotAllowed, StepFailed } from '../client/errors.ts'
import type { Exchange } from '../client/exchange.ts'
import { makes } from '../client/kinds.ts'
import { createMint, type Mint, newMarks } from '../client/mint.ts'
import type { Input } from '../client/request.ts'
import type { StartedTarget } from '../client/run.ts'
import { sleep } from '../client/sleep.ts'
import type { Caller } from '../client/target/credentials.ts'
import { createTarget, type Target } from '../client/target/target.ts'
import { createTools } from '../client/tools.ts'
import type { Send } from '../client/transport.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { ExchangeJudge } from '../judge/exchange-judge.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Story, storyTools } from '../judge/story.ts'
import { withNames } from '../judge/steps.ts'
import { Names, namesOfPlaces } from './names.ts'
import { fillIn, type Step, type Steps } from '../client/steps.ts'

/** The result of a step on one side. */
export interface Done {
  /** `notSent`: the operator does not allow it. */
  readonly outcome: 'answered' | 'notSent' | 'unanswered'
  readonly status: number
  /** The answer with names instead of values. */
  readonly body: unknown
  readonly raw: unknown
  readonly exchange?: Exchange
  /** The entries of the register that a sandbox relied on. */
  readonly reliedOn: readonly string[]
  /** The firm promises that the answer of the server breaks. */
  readonly broken?: readonly PromiseId[]
}

/** The results of one side, by the number of the step. */
export type Trace = ReadonlyMap<number, Done>

const isFirm = (id: PromiseId) => promise(id).strength !== 'usual'

const teams = ['team', 'otherTeam'] as const
type Team = (typeof teams)[number]

/** A template that existed before a run. */
export interface OldTemplate {
  readonly of: Team
  readonly _id: string
  readonly templateType: string
  readonly status: string
}

interface Telling {
  readonly choices: WrittenChoices
  /** The most requests. */
  readonly limit: number
  /** The templates of before the story. */
  readonly before?: readonly OldTemplate[] | undefined
  /** Whether the team has few enough templates to list them all. */
  readonly listsTemplates: boolean
}

interface Told {
  readonly steps: Steps
  readonly trace: Trace
}

/** The result of a request. */
type Sent<Id extends OperationId> = { readonly done: Omit<Done, 'body'> } & (
  { readonly answer: Answer<Id> } | { readonly error: NotAllowed | StepFailed }
)

interface SideOptions extends Omit<ClientOptions, 'observer'> {
  readonly signal?: AbortSignal | undefined
  /** Holds the answers to every promise. */
  readonly judge?: ExchangeJudge
}

/** The longest wait for a scheduled or delayed effect, in milliseconds. */
const longestPause = 2_000

/** Beyond this machine, a run may send few messages. */
const mostSendsElsewhere = 4

/** The server, or a sandbox. */
export class Side {
  readonly client: Client
  readonly target: Target
  readonly #mint: Mint
  readonly #signal: AbortSignal | undefined
  readonly #judge: ExchangeJudge | undefined
  #last: Pick<Done, 'exchange' | 'reliedOn' | 'broken'> = { reliedOn: [] }
  #sends = 0

  constructor({ target, mint, signal, judge, ...options }: SideOptions) {
    this.target = target
    this.#judge = judge
    this.#mint = mint
    this.#signal = signal
    this.client = new Client({ target, mint, ...options, observer: this.#observer })
    signal?.addEventListener('abort', () => this.client.stop('the run was interrupted'))
  }

  readonly #observer: Observer = {
    onRequest: (exchange) => this.#judge?.begin(exchange),
    onTooMany: (exchange) => this.#judge?.lose(exchange),
    onAnswer: (_, exchange) => {
      const statements = this.#judge?.end(exchange)?.statements ?? []
      const broken = statements.filter(({ holds, mayLag = false }) => !holds && !mayLag).map((one) => one.promise)
      const { headers } = exchange.incoming
      const marks = [headers['x-sandbox-assumed'], headers['x-sandbox-learned']].map((mark) => String(mark ?? ''))
      const reliedOn = marks.join(', ').split(', ').filter(Boolean)
      this.#last = { exchange, reliedOn, broken: [...new Set(broken)].filter(isFirm) }
    },
    onNoAnswer: (exchange) => {
      this.#judge?.lose(exchange)
      this.#last = { exchange, reliedOn: [] }
    },
  }

  /** Tells a story: its requests are the steps that any side can take. */
  async tell(story: Story, { choices, limit, before = [], listsTemplates }: Telling): Promise<Told> {
    const all: { readonly exchange: Exchange; readonly pause: number; readonly done: Omit<Done, 'body'> }[] = []
    const call = async <Id extends OperationId>(operation: Id, input: Input = {}): Promise<Answer<Id>> => {
      if (all.length >= limit) throw new NotAllowed('ended', 'the run has made its requests')
      if (operation === 'listTemplates' && !listsTemplates) throw new NotAllowed('limits', 'lists too many templates')
      const pause = pauseAfter(operation, input, choices)
      const sent = await this.#send(operation, input, pause)
      const { exchange } = sent.done
      if (exchange) all.push({ exchange, pause, done: sent.done })
      if ('error' in sent) throw sent.error
      return sent.answer
    }
    const { target } = this
    const tools = createTools({ call, created: this.client.created.bind(this.client) }, target, this.#mint)
    await story(storyTools(tools)).catch((error: unknown) => {
      if (!(error instanceof NotAllowed || error instanceof StepFailed)) throw error
    })
    const exchanges = all.map(({ exchange }, at) => ({ exchange, began: 2 * at, ended: 2 * at + 1 }))
    const names = this.#names(before, true)
    const steps: Step[] = []
    const trace = new Map<number, Done>()
    for (const [at, { operation, input }] of withNames(exchanges, namesOfPlaces(target)).entries()) {
      const { pause, done } = all[at] ?? {}
      if (!done) continue
      steps.push({ n: at + 1, operation, input, pause: pause ?? 0 })
      fillIn(input, names.valueOf)
      trace.set(at + 1, { ...done, body: names.recognize(done.raw) })
      names.store(at + 1, done.raw)
    }
    return { steps, trace }
  }

  /** Sends one step after the other, until the run has to end. */
  async take(steps: Steps, before: readonly OldTemplate[] = []): Promise<Trace> {
    const names = this.#names(before)
    const trace = new Map<number, Done>()
    for (const { n, operation, input, pause } of steps) {
      if (this.client.stopped) break
      const { done } = await this.#send(operation, fillIn(input, names.valueOf), pause)
      trace.set(n, { ...done, body: names.recognize(done.raw) })
      names.store(n, done.raw)
    }
    return trace
  }

  #names(before: readonly OldTemplate[], isFirst = false): Names {
    return new Names(this.#mint, this.target, new Set(before.map(({ _id }) => _id)), isFirst)
  }

  async #send<Id extends OperationId>(operation: Id, input: Input, pause: number): Promise<Sent<Id>> {
    this.#last = { reliedOn: [] }
    try {
      this.#check(operation, input)
      if (operations[operation].method !== 'get') await nextMillisecond()
      const answer = await this.client.call(operation, input)
      if (pause > 0 && answer.succeeded) await sleep(pause, this.#signal)
      const raw = answer.body ?? 'not JSON'
      return { answer, done: { outcome: 'answered', status: answer.status, raw, ...this.#last } }
    } catch (error) {
      if (!(error instanceof NotAllowed || error instanceof StepFailed)) throw error
      const outcome = error instanceof NotAllowed ? 'notSent' : 'unanswered'
      return { error, done: { outcome, status: 0, raw: undefined, ...this.#last } }
    }
  }

  /** Beyond this machine, other callers create nothing. */
  #check(operation: OperationId, { caller = 'team' }: Input): void {
    if (this.target.loopback) return
    if (caller !== 'team' && makes[operation])
      throw new NotAllowed('limits', 'only the key of the team creates records')
    if (operations[operation].effect === 'send' && ++this.#sends > mostSendsElsewhere)
      throw new NotAllowed('limits', `a run sends at most ${mostSendsElsewhere} messages`)
  }

  /** The templates of both teams, each in the order of the list. */
  async listOldTemplates(): Promise<readonly OldTemplate[]> {
    const found: OldTemplate[] = []
    for (const team of teams) found.push(...((await this.listTemplates(team)) ?? []))
    return found
  }

  /** The templates of a team, in the order of the list; `undefined` when they are too many to read. */
  async listTemplates(team: Team = 'team'): Promise<readonly OldTemplate[] | undefined> {
    if (this.target.credentials[team] === undefined) return []
    const found: OldTemplate[] = []
    for (let page = 1; page <= 10; page++) {
      const answer = await this.#listPage(team, page)
      if (!answer?.succeeded) return page === 1 ? [] : undefined
      found.push(...[answer.fields.data].flat().flatMap((one) => toOldTemplate(team, fieldsOf(one))))
      if (fieldsOf(answer.fields.pagination).hasMore !== true) return found
    }
    return undefined
  }

  #listPage(caller: Team, page: number): Promise<Answer | undefined> {
    const types = ['sms', 'email', 'whatsapp']
    const statuses = ['pending', 'approved', 'rejected']
    return orNothing(this.client.call('listTemplates', { caller, query: { types, statuses, limit: 100, page } }))
  }

  /** Deletes the templates of a story, so that the lists of the next one do not grow. */
  async deleteTemplates(steps: Steps, trace: Trace): Promise<void> {
    const callers = new Map<string, Caller>()
    for (const { operation, input, n } of steps) {
      const { _id } = fieldsOf(fieldsOf(trace.get(n)?.raw).data)
      if (operation === 'createTemplate' && typeof _id === 'string') callers.set(_id, input.caller ?? 'team')
    }
    for (const [templateId, caller] of callers) {
      if (this.client.stopped) return
      await orNothing(this.client.call('deleteTemplate', { path: { templateId }, caller }))
    }
  }
}

/** The milliseconds until an effect of a request has surely happened; 0 if it happens at once, never, or too late to wait. */
function pauseAfter(operation: OperationId, { body }: Input, choices: WrittenChoices): number {
  if (operation === 'sendBulkMessages') return pauseFor(choices.bulkDelivery)
  const isApproved = /^(?:create|update)Template$/.test(operation) && fieldsOf(body).templateType === 'whatsapp'
  return isApproved ? pauseFor(choices.whatsappApproval) : 0
}

function pauseFor(written: string | undefined): number {
  const [, delay] = /^afterDelay:(\d+)$/.exec(written ?? '') ?? []
  const pause = delay === undefined ? 0 : Number(delay) * 1.25 + 100
  return pause <= longestPause ? pause : 0
}

async function orNothing<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof NotAllowed || error instanceof StepFailed) return undefined
    throw error
  }
}

function toOldTemplate(of: Team, { _id, templateType, status }: Readonly<Record<string, unknown>>): OldTemplate[] {
  if (typeof _id !== 'string' || typeof templateType !== 'string' || typeof status !== 'string') return []
  return [{ of, _id, templateType, status }]
}

/** Waits, so that an update and a creation never have the same time. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() === now) await setImmediate()
}

/** A sandbox in process. */
interface StartedSandbox extends StartedTarget {
  readonly send: Send
}

/** Starts a sandbox with these choices and templates. */
export type StartSandbox = (choices: WrittenChoices, templates: readonly OldTemplate[]) => Promise<StartedSandbox>

/** Sandboxes that have the templates of the server. One stays open for the next run with the same choices. */
export class Sandboxes {
  readonly #start: StartSandbox
  readonly #server: Target
  #open: { readonly choices: string; readonly before: string; readonly side: Side; stop(): Promise<void> } | undefined

  constructor(start: StartSandbox, server: Target) {
    this.#start = start
    this.#server = server
  }

  /** `before`: the templates of the server, if the run lists any. */
  async with(choices: WrittenChoices, before: readonly OldTemplate[] | undefined): Promise<Side> {
    const [chosen, templates] = [JSON.stringify(choices), JSON.stringify(before ?? [])]
    if (this.#open?.choices === chosen && (!before || this.#open.before === templates)) return this.#open.side
    await this.close()
    // A list begins with the newest, unless the profile says that it begins with the oldest.
    const inOrder = choices.templateOrder === 'oldestFirst' ? before : before?.toReversed()
    const sandbox = await this.#start({ ...choices, rateLimit: 'none' }, inOrder ?? [])
    const target = targetLike(this.#server, sandbox)
    const mint = createMint(newMarks(), target.emailDomain)
    const side = new Side({ target, mint, ledger, send: sandbox.send })
    this.#open = { choices: chosen, before: templates, side, stop: () => sandbox.stop() }
    return side
  }

  async close(): Promise<void> {
    await this.#open?.stop()
    this.#open = undefined
  }
}

function targetLike(
  { emailDomain, mediaUrl, places, timeout }: Target,
  { wanted, credentials }: StartedSandbox,
): Target {
  const target = createTarget(wanted, credentials)
  // The sandbox must not have a pipeline where the server has none.
  const withoutPipeline = places.pipeline === undefined ? { pipeline: undefined, stage: undefined } : {}
  return {
    ...target,
    emailDomain,
    timeout,
    ...(mediaUrl === undefined ? {} : { mediaUrl }),
    places: { ...target.places, ...withoutPipeline },
  }
}

/** A sandbox needs no clean-up. */
const ledger = { intend: () => '', record: () => undefined }
