import { AsyncLocalStorage } from 'node:async_hooks'
import type { Answer } from '../client/answer.ts'
import { Client, type ClientOptions, type Observer } from '../client/client.ts'
import { orOnceMore, StepFailed } from '../client/errors.ts'
import type { Exchange } from '../client/exchange.ts'
import { sleep } from '../client/sleep.ts'
import { createTools, type Tools } from '../client/tools.ts'
import { CheckLogs } from '../judge/check-log.ts'
import { lagKindOf, Lags } from '../judge/lags.ts'
import type { Finding } from '../judge/outcome.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import { operations } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { CannotTell, type ProbeFinding, Other, reasonOf, withoutDelay, wordsOf } from '../questions/finding.ts'
import { measureLags } from './measure-lags.ts'
import type { Probe, ProbeContext } from '../questions/probe.ts'
import { probeFor, readers } from '../questions/index.ts'
import { findingsIn, type Reader, type ShownFinding, withFacts } from '../questions/question.ts'

/** The requests and responses behind the finding for an entry. */
export interface Evidence {
  readonly name: AssumptionName
  readonly exchanges: ExchangeReport[]
}

interface ExchangeReport {
  readonly request: string
  readonly sent?: string
  readonly status?: number
  readonly answered: string
}

interface ProberOptions extends ClientOptions {
  /** How long to wait for a later effect, in milliseconds. */
  readonly patience: number
  /** Removes the secrets of the operator. */
  readonly redact: (text: string) => string
}

const longestText = 2_000
/** Redacting a body of mebibytes would take seconds. */
const longestRedacted = 10 * longestText
/** The probe of the default page sends 51 messages. */
const mostExchanges = 40

/** The observations of one probe, apart from the probes that run at the same time. */
interface Probing {
  readonly exchanges: ExchangeReport[]
  readonly reader?: Reader<string> | undefined
  /** The findings of single exchanges. */
  shown: ShownFinding[]
  answers: Answer[]
  /** When the last write was answered. */
  wroteAt: number
  isPolling: boolean
}

const storage = new AsyncLocalStorage<Probing>()

/** Runs the probe of each entry twice, and records the requests and responses behind each finding. */
export class Prober implements Observer {
  readonly client: Client
  readonly evidence: Evidence[] = []
  readonly #redact: (text: string) => string
  readonly #context: ProbeContext
  readonly #lags: Lags
  readonly #between: Probing = { exchanges: [], shown: [], answers: [], wroteAt: 0, isPolling: false }
  #measuring: Promise<void> | undefined
  readonly #logs = new CheckLogs((seen, facts) => {
    const { reader, shown } = this.#probing
    // The question has sent the same request without the odd field.
    const exchange = withFacts(seen, facts, { isAlone: true, isRefusedFor: () => seen.answer.status === 400 })
    shown.push(...findingsIn(exchange, reader))
  })
  readonly #log = this.#logs.begin()

  constructor({ patience, redact, ...options }: ProberOptions) {
    const client = new Client({ ...options, observer: this, before: (operation) => this.#waitForWrites(operation) })
    const found = new Map<string, { readonly finding: Promise<unknown>; readonly by: Probing }>()
    this.client = client
    this.#lags = new Lags(options.target.loopback)
    this.#redact = redact
    this.#context = {
      ...markSteps(createTools(client, options.target, options.mint)),
      timeUntil: async (isSo) => {
        const probing = this.#probing
        probing.isPolling = true
        try {
          return await timeUntil(
            () => this.#unlessEarly(isSo),
            patience,
            () => client.stopped !== undefined,
          )
        } finally {
          probing.isPolling = false
        }
      },
      once: async (what, find) => {
        const probing = this.#probing
        const known = found.get(what) ?? { finding: orOnceMore(find).catch(this.#complain), by: probing }
        found.set(what, known)
        const result = await known.finding
        probing.wroteAt = Math.max(probing.wroteAt, known.by.wroteAt)
        return result as Awaited<ReturnType<typeof find>>
      },
      choiceShownBy: async (act) => {
        const probing = this.#probing
        probing.shown = []
        await act()
        return concludeFrom(probing)
      },
    }
  }

  async probe(name: AssumptionName): Promise<ProbeFinding> {
    await (this.#measuring ??= measureLags(this.#context, this.#lags))
    const probing = { ...this.#between, exchanges: [], reader: readers.get(name) }
    this.evidence.push({ name, exchanges: probing.exchanges })
    const finding = await storage.run(probing, () => this.#probeTwice(probeFor(name)))
    return finding.outcome === 'seen' ? finding : { ...finding, words: this.#redact(finding.words) }
  }

  get #probing(): Probing {
    return storage.getStore() ?? this.#between
  }

  async #probeTwice(probe: Probe<string>): Promise<ProbeFinding> {
    const first = await this.#probeOnce(probe)
    if (first.outcome === 'cannotTell') return first
    const second = await this.#probeOnce(probe)
    if (second.outcome === 'cannotTell') return second
    if (isSame(first, second)) return first
    return delayAmong(first, second) ?? { outcome: 'unstable', words: `${wordsOf(first)}, then ${wordsOf(second)}` }
  }

  async #probeOnce(probe: Probe<string>): Promise<ProbeFinding> {
    this.#probing.answers = []
    try {
      const written = await orOnceMore(() => probe(this.#context, this.#context)).catch(this.#complain)
      return { outcome: 'seen', written }
    } catch (error) {
      if (error instanceof Other) return { outcome: 'other', words: error.message }
      return { outcome: 'cannotTell', words: reasonOf(error) }
    }
  }

  /** A probe that reads a field that an answer lacks fails with a TypeError. Without such an answer it is a bug of ours. */
  readonly #complain = (error: unknown): never => {
    for (const { operation, status, body, succeeded } of error instanceof TypeError ? this.#probing.answers : []) {
      const shape = operations[operation].response(status)
      const complaint = shape ? shape.check(body) : `the status ${status} is not documented`
      if (succeeded && complaint !== undefined)
        throw new CannotTell(`${operation} does not answer as documented: ${complaint}`)
    }
    throw error
  }

  /** A read may lag behind writes, so that an absent record may only be late. */
  async #waitForWrites(operation: OperationId): Promise<void> {
    const kind = lagKindOf(operation)
    const { isPolling, wroteAt } = this.#probing
    if (isPolling || kind === 'write') return
    const wait = wroteAt + this.#lags.of(kind) - Date.now()
    if (wait > 0) await sleep(wait)
  }

  /** A new record may not be there yet. */
  async #unlessEarly(isSo: () => Promise<boolean>): Promise<boolean> {
    const askedAt = Date.now()
    try {
      return await isSo()
    } catch (error) {
      if (error instanceof StepFailed && askedAt < this.#probing.wroteAt + this.#lags.longest) return false
      throw error
    }
  }

  /** The promises that the server broke meanwhile, each once. */
  get broken(): readonly Finding[] {
    const { faults } = this.#log.summary()
    return faults.filter(
      (one, at) =>
        promise(one.promise).strength !== 'usual' && faults.findIndex((other) => other.promise === one.promise) === at,
    )
  }

  onRequest = (exchange: Exchange): void => {
    if (!isLong(exchange)) this.#logs.onRequest(exchange)
  }

  /** The effect of an odd request, or of a request without an answer, is unknown. */
  onTooMany = (exchange: Exchange): void => {
    if (!isLong(exchange)) this.#logs.onTooMany(exchange)
  }

  onAnswer: Observer['onAnswer'] = (answer, exchange, foreign) => {
    if (isUsual(exchange)) this.#logs.run(this.#log, () => this.#logs.onAnswer(answer, exchange, foreign))
    else this.#logs.onOddAnswer(exchange)
    const { status, text } = exchange.incoming
    const probing = this.#probing
    if (exchange.request.method !== 'GET' && status < 400) probing.wroteAt = Date.now()
    if (probing !== this.#between) probing.answers.push(answer)
    this.#record(exchange, { status, answered: this.#shorten(text) })
  }

  onNoAnswer: Observer['onNoAnswer'] = (exchange, error) => {
    this.onTooMany(exchange)
    this.#record(exchange, { answered: `no response: ${this.#shorten(error.message)}` })
  }

  #record({ request: { method, url, body } }: Exchange, answer: Pick<ExchangeReport, 'status' | 'answered'>): void {
    const { exchanges } = this.#probing
    if (exchanges.length >= mostExchanges) return
    const { pathname, search } = new URL(url)
    const sent = body === undefined ? {} : { sent: this.#shorten(Buffer.from(body).toString()) }
    exchanges.push({ request: `${method} ${this.#redact(pathname + search)}`, ...sent, ...answer })
  }

  #shorten(text: string): string {
    const redacted = this.#redact(text.slice(0, longestRedacted))
    return redacted.length > longestText ? `${redacted.slice(0, longestText)}…` : redacted
  }
}

/** The choice that all exchanges show alike. */
function concludeFrom({ shown, answers }: Probing): string {
  const words = new Set(shown.map(wordsOf))
  const [first] = shown
  const last = answers.at(-1)
  if (first === undefined && last?.succeeded === false) throw new Other(last.summary)
  if (first === undefined) throw new CannotTell('no response shows it')
  if (first.outcome !== 'seen' || words.size > 1) throw new Other([...words].join('; '))
  return first.written
}

/** Only the size of such a body matters, and the story of a finding would repeat it. */
const isLong = ({ request: { body } }: Exchange) => body !== undefined && body.length > longestRedacted

const steps = new AsyncLocalStorage<true>()

/** Promises are judged by the steps that must succeed. The odd request of a probe is about what the specification leaves open. */
const isUsual = (exchange: Exchange) =>
  steps.getStore() === true && exchange.input.form === undefined && !isLong(exchange)

/** The same tools, which mark their steps. */
function markSteps(tools: Tools): Tools {
  const mark =
    <Args extends readonly unknown[], Result>(step: (...args: Args) => Result) =>
    (...args: Args): Result =>
      steps.run(true, () => step(...args))
  const make = Object.entries(tools.make).map(([kind, step]) => [kind, mark(step as (...args: unknown[]) => unknown)])
  return {
    ...tools,
    ask: mark<Parameters<Tools['ask']>, ReturnType<Tools['ask']>>(tools.ask) as Tools['ask'],
    make: Object.fromEntries(make) as Tools['make'],
  }
}

/** Two measurements of a delay are never equal, and two descriptions need not be. */
const isSame = (one: ProbeFinding, other: ProbeFinding) =>
  one.outcome === other.outcome &&
  (one.outcome === 'other' || withoutDelay(wordsOf(one)) === withoutDelay(wordsOf(other)))

/** An effect that was there at once, and another time after a delay, has a delay: the first read came late. */
function delayAmong(...findings: readonly ProbeFinding[]): ProbeFinding | undefined {
  const delayed = findings.find((finding) => wordsOf(finding).startsWith('afterDelay:'))
  return findings.some((finding) => wordsOf(finding) === 'atOnce') ? delayed : undefined
}

/** Rounds to ten milliseconds, since the requests themselves take some. */
async function timeUntil(
  isSo: () => Promise<boolean>,
  patience: number,
  isOver: () => boolean,
): Promise<number | undefined> {
  const startedAt = Date.now()
  if (await isSo()) return 0
  for (let pause = 10; !isOver() && Date.now() < startedAt + patience; pause = Math.min(2 * pause, 250)) {
    await sleep(pause)
    if (await isSo()) return Math.max(10, Math.round((Date.now() - startedAt) / 10) * 10)
  }
  return undefined
}
