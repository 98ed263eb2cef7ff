import type { AnswerFault } from '../judge/laws/document.ts'
import { redactAll } from '../reports/report.ts'
import type { KnownDeviation } from '../known-deviations.ts'
import type { Case, CaseReport, ReportDocument } from '../reports/document.ts'
import { oneLine, pluralize } from '../../lib/text.ts'
import { operations } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Unread } from '../judge/parse-request.ts'

/** A promise that a response broke. Later responses with the same fault are only counted. */
export interface ObservedFault extends AnswerFault {
  readonly outcome: 'broken' | 'warned' | 'known'
  readonly operation: OperationId
  readonly status: number
  /** The bodies of the first exchange with this fault, with `--bodies`. */
  readonly bodies?: readonly string[]
}

/** An item of a report, with the number of its occurrences. */
interface Counted<Item> {
  readonly item: Item
  readonly count: number
}

/** Why a request or its response was not judged. A cache or another part of HTTP explains the status of a response. */
export type Unjudged = Unread | 'undocumented' | 'http'

interface UnjudgedRequest {
  readonly request: string
  readonly reason: Unjudged
}

const reasons: Readonly<Record<Unjudged, string>> = {
  undocumented: 'as no operation is documented there',
  http: 'as the status is about HTTP',
  stream: 'as the response is a stream',
  tooLong: 'as a body is longer than 16 MiB, has more than 250,000 values, or came beside too many others',
  encoding: 'as a body cannot be decompressed',
  missing: 'as the archive does not have a body',
}

export interface ObservationOptions {
  readonly origin: string
  readonly isBlocking: boolean
  /** A warning and a bad request count as broken promises. A request without an answer makes the verdict inconclusive. */
  readonly strict: boolean
  readonly known: readonly KnownDeviation[]
  readonly redact: (text: string) => string
  readonly onFirst: (line: string) => void
}

/** Counts what passes, and makes the reports. */
export class Observations {
  readonly #options: ObservationOptions
  readonly #startedAt: Date
  readonly #findings = new Counter<ObservedFault>()
  readonly #badRequests = new Counter<string>()
  readonly #ignored = new Counter<string>()
  readonly #missingResponses = new Counter<string>()
  readonly #unlisted = new Counter<string>()
  readonly #judged = new Counter<OperationId>()
  readonly #unjudged = new Counter<UnjudgedRequest>()

  constructor(options: ObservationOptions) {
    this.#options = options
    this.#startedAt = new Date()
  }

  /** Numbers of items in a list are left out, so that one fault of all is reported once. */
  #clean(text: string): string {
    return this.#options.redact(oneLine(text)).replaceAll(/\[\d+\]/g, '[]')
  }

  addResponse(
    operation: OperationId,
    status: number,
    faults: readonly AnswerFault[],
    bodies?: readonly string[],
  ): void {
    this.#judged.add(operation, operation)
    for (const fault of faults) {
      const outcome = this.#outcomeOf(fault)
      const finding = redactAll(
        { ...fault, outcome, operation, status, ...(bodies && { bodies }) },
        this.#options.redact,
      )
      const name = this.#clean(`${fault.promise} ${operation} ${status} ${fault.expected}`)
      const isNew = this.#findings.add(name, finding)
      if (isNew) this.#options.onFirst(`${looks[outcome].sign} ${fault.promise}: ${inWords(finding)}`)
    }
  }

  addUndocumentedFields(operation: OperationId, fields: readonly string[]): void {
    for (const field of fields) this.#count(this.#unlisted, `${operation}: ${field}`)
  }

  addBadRequest(operation: OperationId, sentence: string): void {
    this.#count(this.#badRequests, `${operation}: ${sentence}`, '~ bad request')
  }

  /** A field, a parameter or a body that the operation does not have. A server may ignore it, so the request is not bad. */
  addIgnored(sentence: string): void {
    this.#count(this.#ignored, sentence, '~ not documented')
  }

  addMissingResponse(request: string, reason: string): void {
    this.#count(this.#missingResponses, `${request}: ${reason}`, '? no response')
  }

  addUnjudged(request: string, reason: Unjudged): void {
    const name = this.#clean(request)
    this.#unjudged.add(`${name} ${reason}`, { request: name, reason })
  }

  /** With a title, reports the first sentence of its kind at once. */
  #count(counter: Counter<string>, sentence: string, title?: string): void {
    const text = this.#clean(sentence)
    if (counter.add(text, text) && title) this.#options.onFirst(`${title}: ${text}`)
  }

  #outcomeOf({ promise: id }: AnswerFault): ObservedFault['outcome'] {
    const today = new Date().toISOString().slice(0, 10)
    if (this.#options.known.some((one) => one.promise === id && one.expires >= today)) return 'known'
    return promise(id).strength === 'usual' ? 'warned' : 'broken'
  }

  #isFailure({ outcome }: ObservedFault): boolean {
    return outcome === 'broken' || (this.#options.strict && outcome === 'warned')
  }

  /** 1 for a broken promise, 3 when nothing was judged or, with `strict`, not everything. */
  get exitCode(): 0 | 1 | 3 {
    const isBroken = this.#findings.all.some(({ item }) => this.#isFailure(item))
    if (isBroken || (this.#options.strict && this.#badRequests.total > 0)) return 1
    return this.#judged.total === 0 || (this.#options.strict && this.#missingResponses.total > 0) ? 3 : 0
  }

  get #verdict(): string {
    const words = this.#judged.total === 0 ? 'nothing was judged' : 'inconclusive'
    const verdict = { 0: 'no promise was broken', 1: 'broken', 3: words }[this.exitCode]
    const { total } = this.#missingResponses
    return total === 0 ? verdict : `${verdict}; ${pluralize(total, 'request')} got no response`
  }

  /** Everything as plain data. */
  toJson() {
    const { origin } = this.#options
    return {
      version: 1,
      target: origin,
      startedAt: this.#startedAt.toISOString(),
      seconds: this.#seconds,
      exitCode: this.exitCode,
      findings: this.#findings.all.map(({ item, count }) => ({ ...item, count })),
      badRequests: this.#badRequests.all,
      undocumentedInRequests: this.#ignored.all,
      unanswered: this.#missingResponses.all,
      unjudged: this.#unjudged.all.map(({ item: { request, reason }, count }) => ({ item: request, reason, count })),
      undocumentedFields: this.#unlisted.all,
      judged: this.#judged.all,
    }
  }

  get #seconds(): number {
    return (Date.now() - this.#startedAt.getTime()) / 1000
  }

  toDocument(): ReportDocument {
    const { exitCode } = this
    const { origin, isBlocking } = this.#options
    const counts = [
      `${this.#judged.total} judged`,
      `${this.#unjudged.total} not judged`,
      `${this.#missingResponses.total} without a response`,
      pluralize(this.#badRequests.total, 'bad request'),
    ]
    return {
      subject: origin,
      verdict: this.#verdict,
      tone: exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'doubtful',
      at: this.#startedAt.toISOString(),
      summary: `Responses: ${counts.join(', ')}; in ${this.#seconds.toFixed(1)} seconds.`,
      notes: [],
      parts: [
        ...(['broken', 'warned', 'known'] as const).map((outcome) => ({
          title: looks[outcome].title,
          details: this.#findings.all.flatMap(({ item, count }) =>
            item.outcome === outcome ? [detail(item, count)] : [],
          ),
        })),
        { title: `Bad requests, which were ${isBlocking ? 'refused' : 'sent on'}`, lines: this.#badRequests.lines },
        { title: 'Sent, though not documented', lines: this.#ignored.lines },
        { title: 'Without a response', lines: this.#missingResponses.lines },
        ...Object.entries(reasons).map(([reason, words]) => ({
          title: `Not judged, ${words}`,
          lines: this.#unjudged.all
            .filter(({ item }) => item.reason === reason)
            .map(({ item, count }) => `${item.request}, ${times(count)}`),
        })),
        { title: 'Fields that are not documented', lines: this.#unlisted.lines },
      ],
    }
  }

  /** For JUnit: a case for each judged operation, and one for each finding. */
  toCases(): CaseReport {
    const { strict } = this.#options
    const cases = this.#judged.all.map((judged) => caseOfJudged(judged))
    const findings = this.#findings.all.map(({ item, count }): Case => {
      const { title, text, code } = detail(item, count)
      return caseOf(operations[item.operation].group, item.operation, title, {
        result: this.#isFailure(item) ? 'failure' : 'passed',
        message: inWords(item),
        text: [...text, code].join('\n'),
      })
    })
    const requests = this.#badRequests.all.map(({ item, count }) =>
      caseOf('bad requests', 'requests', item, {
        result: strict ? 'failure' : 'passed',
        message: item,
        text: times(count),
      }),
    )
    const unanswered = this.#missingResponses.all.map(({ item, count }) =>
      caseOf('without a response', 'requests', item, { result: 'skipped', message: times(count) }),
    )
    return {
      command: 'observe',
      at: this.#startedAt.toISOString(),
      seconds: this.#seconds,
      cases: withDistinctNames([...cases, ...findings, ...requests, ...unanswered]),
    }
  }
}

const looks = {
  broken: { sign: '✗', title: 'Broken' },
  warned: { sign: '!', title: 'Warnings: promises that are only usual' },
  known: { sign: '~', title: 'Known deviations' },
} as const

const inWords = ({ operation, status, expected, actual }: Omit<ObservedFault, 'outcome' | 'promise'>) =>
  `${operation} answered ${status}: expected ${expected}, got ${actual}`

const detail = (finding: ObservedFault, count: number) => ({
  title: finding.promise,
  text: [promise(finding.promise).words],
  code: [`${inWords(finding)}, ${times(count)}`, ...(finding.bodies ?? [])].join('\n'),
})

/** Several findings may be about one promise and one operation. */
function withDistinctNames(cases: readonly Case[]): Case[] {
  const seen = new Map<string, number>()
  return cases.map((one) => {
    const number = (seen.get(`${one.classname} ${one.name}`) ?? 0) + 1
    seen.set(`${one.classname} ${one.name}`, number)
    return number === 1 ? one : { ...one, name: `${one.name} (${number})` }
  })
}

const times = (count: number) => pluralize(count, 'time')

const caseOfJudged = ({ item, count }: Counted<OperationId>): Case =>
  caseOf(operations[item].group, item, `${item} was judged`, { result: 'passed', text: pluralize(count, 'response') })

const caseOf = (
  suite: string,
  classname: string,
  name: string,
  outcome: Pick<Case, 'result' | 'message' | 'text'>,
): Case => ({ suite, classname, name, seconds: 0, ...outcome })

/** Names beyond this number are not listed any more, so that memory is bounded. */
const mostNames = 1000

class Counter<Item> {
  readonly #items = new Map<string, { item: Item; count: number }>()
  total = 0

  /** Whether it is the first of this name. */
  add(name: string, item: Item): boolean {
    this.total++
    const known = this.#items.get(name)
    if (known) known.count++
    else if (this.#items.size < mostNames) this.#items.set(name, { item, count: 1 })
    return known === undefined
  }

  get all(): readonly Counted<Item>[] {
    return [...this.#items.values()]
  }

  get lines(): string[] {
    return this.all.map(({ item, count }) => `${String(item)}, ${times(count)}`)
  }
}
