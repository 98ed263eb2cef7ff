import { Answer } from '../client/answer.ts'
import type { Incoming } from '../client/transport.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { Facts, type Open } from './facts.ts'
import { contacts } from './laws/contacts.ts'
import { conversations } from './laws/conversations.ts'
import { type AnswerFault, inspect, promisedFor, texts } from './laws/document.ts'
import type { Law, Seen, Statement } from './laws/law.ts'
import { lists } from './laws/lists.ts'
import { messages } from './laws/messages.ts'
import { records } from './laws/records.ts'
import { judgeRefusal } from './laws/requests.ts'
import { retries } from './laws/retries.ts'
import { shownValues } from './laws/shown-values.ts'
import { states } from './laws/states.ts'
import { judgeStranger, teams } from './laws/teams.ts'
import type { ParsedRequest } from './parse-request.ts'

/** The result for one answer. */
export interface Verdict {
  readonly answer: Answer
  readonly statements: readonly Statement[]
  /** Undocumented fields of a success. */
  readonly unlisted: readonly string[]
  /** The answer may be that to an earlier request with the same key. */
  readonly repeatsKey: boolean
  /** The number of the answer, in the order of all requests and answers. */
  readonly ended: number
}

export const laws: readonly Law[] = [
  ...shownValues,
  ...records,
  ...contacts,
  ...conversations,
  ...messages,
  ...lists,
  ...states,
  ...retries,
  ...teams,
]

interface JudgeOptions {
  /** The traffic is all that happens to its records. */
  readonly isAlone: boolean
  /** The text of a response that is not JSON is not repeated. */
  readonly hidesText?: boolean
  readonly onSeen?: OnSeen | undefined
}

/** Receives each exchange, with the facts of the earlier ones. */
export type OnSeen = (seen: Seen, facts: Facts) => void

/** Holds each exchange of a command to every promise. */
export class Judge {
  readonly #facts = new Facts()
  readonly #lawsOf: (operation: OperationId) => readonly Law[]
  readonly #hidesText: boolean
  readonly #onSeen: OnSeen | undefined

  constructor({ isAlone, hidesText = false, onSeen }: JudgeOptions) {
    const own = laws.filter(({ needsAll = false }) => isAlone || !needsAll)
    this.#lawsOf = (operation) => own.filter(({ operations }) => operations.includes(operation))
    this.#hidesText = hidesText
    this.#onSeen = onSeen
  }

  begin(request: ParsedRequest): Open {
    return this.#facts.begin(request)
  }

  end(open: Open, incoming: Incoming): Verdict {
    const seen = this.#see(open, incoming)
    const { answer, repeatsKey, ended } = seen
    const statements = this.#judge(seen, incoming.text)
    this.#facts.end(open, answer, ended)
    return { answer, repeatsKey, ended, ...statements }
  }

  /** The server may take the request in several ways, so that its effect is unknown. */
  endOdd(open: Open, incoming: Incoming): void {
    this.#see(open, incoming)
    this.#facts.lose(open)
  }

  #see(open: Open, { status, headers, text }: Incoming): Seen {
    const { request, began } = open
    const repeatsKey = this.#facts.repeatsKey(open)
    const answer = new Answer(request.operation, status, text, headers)
    const ended = this.#facts.answered()
    const seen = { open, request, answer, began, ended, repeatsKey, wasAlone: this.#facts.isAlone(open) }
    this.#onSeen?.(seen, this.#facts)
    return seen
  }

  /** No answer came. Returns the number of this end, in the order of all requests and answers. */
  lose(open: Open): number {
    this.#facts.lose(open)
    return this.#facts.answered()
  }

  /** For a request that may have changed any record. */
  forget(): void {
    this.#facts.forget()
  }

  #judge(seen: Seen, text: string): Pick<Verdict, 'statements' | 'unlisted'> {
    const { request, answer, repeatsKey } = seen
    const refusal = repeatsKey || request.unread !== undefined ? [] : judgeRefusal(seen, this.#facts)
    const isWrong = refusal.some(({ holds }) => !holds)
    const shown = this.#hidesText && text !== '' ? '…' : text
    const { faults, unlisted } = inspect(answer, shown, repeatsKey, isWrong || request.complaint ? request : undefined)
    const document = [...faults.map((fault): Statement => ({ ...fault, holds: false })), ...keptIn(seen, faults)]
    if (!request.isAuthenticated) {
      const { operations } = promise('access.credentialComesFirst')
      return { unlisted, statements: [...document, ...judgeStranger(seen, operations)] }
    }
    // Another text of a refusal hides nothing.
    const isClear = faults.every(({ promise }) => textPromises.has(promise))
    const laws = request.unread === undefined && isClear ? this.#lawsOf(answer.operation) : []
    const others = laws.flatMap((law) => (answer.succeeded || law.status === 'any' ? law.judge(seen, this.#facts) : []))
    return { unlisted, statements: [...document, ...refusal, ...others] }
  }
}

const textPromises: ReadonlySet<PromiseId> = new Set(Object.values(texts).map((one) => one.promise))

/** Where a law judges more than the status and the form of an answer, these alone show nothing. */
export const judgedByLaws: ReadonlySet<PromiseId> = new Set(
  laws.flatMap((law) => law.promises).filter((id) => promise(id).kind !== 'success'),
)

const keptIn = ({ answer, repeatsKey }: Seen, faults: readonly AnswerFault[]): readonly Statement[] =>
  (repeatsKey ? [] : promisedFor(answer))
    .filter((id) => !judgedByLaws.has(id) && faults.every(({ promise }) => promise !== id))
    .map((promise) => ({ promise, holds: true, expected: '', actual: '' }))
