import { assumptionNames, type AssumptionName } from '../../spec/assumptions.ts'
import { operations } from '../../spec/operations.ts'
import { deletesById } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Answer, type Fields, fieldsOf, idOf } from '../client/answer.ts'
import type { ProbeFinding } from '../questions/finding.ts'
import { neither, readers, type Seen } from './choice-readers.ts'
import { isAboutHttp } from '../judge/laws/document.ts'
import type { ParsedRequest } from '../judge/parse-request.ts'

interface Known {
  readonly fields: Fields
  readonly caller: string
  /** The operation that made the record, if this traffic did. */
  readonly madeBy: OperationId | undefined
  isDeleted: boolean
}

/** Records beyond this number are discarded, so that memory is bounded. */
const mostRecords = 10_000

/** Collects the choices that exchanges settle: what a server did, in the words of the register of assumptions. */
export class Choices {
  readonly #records = new Map<string, Known>()
  readonly #found = new Map<AssumptionName, Map<string, string>>()

  add(request: ParsedRequest, answer: Answer, repeatsKey: boolean): void {
    const { operation, isAuthenticated, unread } = request
    const at = new Date(request.at).toISOString()
    const takesBody = operations[operation].contentTypes.length > 0
    const isUnread = unread !== undefined || (takesBody && !isObject(request.body))
    if (repeatsKey || !isAuthenticated || isUnread || isAboutHttp(answer.status) || answer.status >= 500) return
    const seen = this.#seenIn(request, answer)
    const read = assumptionNames.flatMap((name) => {
      const choice = readers[name]?.(seen)
      return choice === undefined ? [] : [[name, choice] as const]
    })
    // A refusal that something else explains, or that two entries explain, settles nothing.
    if (answer.succeeded || (read.length === 1 && !this.#isExplained(request)))
      for (const [name, choice] of read) this.#note(name, choice, `${operation} answered ${answer.status} at ${at}`)
    this.#remember(request, answer)
  }

  #seenIn(request: ParsedRequest, answer: Answer): Seen {
    const { caller } = request
    return {
      request,
      answer,
      sent: fieldsOf(request.body),
      data: answer.succeeded ? fieldsOf(answer.fields.data) : {},
      known: (id) => this.#records.get(String(id))?.fields,
      isDeleted: (id) => this.#records.get(String(id))?.isDeleted === true,
      hasMade: (operation, field, value) =>
        [...this.#records.values()].some(
          (one) => one.madeBy === operation && !one.isDeleted && one.caller === caller && one.fields[field] === value,
        ),
    }
  }

  /** Whether a request may be refused for its id, its key, its encoding or a field that is not documented. */
  #isExplained({ path, ignored, isKeyed, complaint, headers }: ParsedRequest): boolean {
    const isOdd = /charset=(?!utf-8)/i.test(headers['content-type'] ?? '')
    const isOfUnknown = Object.values(path).some((id) => !this.#records.has(id))
    return isOdd || isOfUnknown || isKeyed || ignored.length > 0 || complaint !== undefined
  }

  #note(name: AssumptionName, choice: string, where: string): void {
    const choices = this.#found.get(name) ?? new Map<string, string>()
    this.#found.set(name, choices)
    if (!choices.has(choice)) choices.set(choice, where)
  }

  #remember(request: ParsedRequest, answer: Answer): void {
    const { operation, path } = request
    if (!answer.succeeded) return
    const [id] = Object.values(path)
    if (deletesById.some((one) => one === operation)) {
      const known = this.#records.get(String(id))
      if (known) known.isDeleted = true
      return
    }
    // A delete of other records that this traffic does not name.
    if (operations[operation].method === 'delete') this.forget()
    const shown = fieldsOf(answer.fields.data)
    const shownId = idOf(shown)
    if (shownId === undefined) return
    if (this.#records.size >= mostRecords) this.forget()
    const before = this.#records.get(shownId)
    const madeBy = before ? before.madeBy : operations[operation].method === 'post' ? operation : undefined
    const fields = { ...before?.fields, ...shown }
    this.#records.set(shownId, { fields, caller: request.caller, madeBy, isDeleted: false })
  }

  /** For a request that may have changed any record. */
  forget(): void {
    this.#records.clear()
  }

  /** For each entry that the exchanges settle, the choice and the exchange; without a choice where they disagree. */
  get findings(): readonly { readonly name: AssumptionName; readonly finding: ProbeFinding }[] {
    return [...this.#found].map(([name, choices]) => {
      const [[written = '', where = ''] = [], ...others] = choices
      if (written === neither) return { name, finding: { outcome: 'other', words: where } }
      if (others.length === 0) return { name, finding: { outcome: 'seen', written, where } }
      const words = [...choices].map(([choice, at]) => `${choice}, as ${at}`).join('; ')
      return { name, finding: { outcome: 'unstable', words } }
    })
  }
}

const isObject = (body: unknown) => typeof body === 'object' && body !== null && !Array.isArray(body)
