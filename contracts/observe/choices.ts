import type { AssumptionName } from '../../spec/assumptions.ts'
import { operations } from '../../spec/operations.ts'
import { isObject } from '../../lib/json.ts'
import { kindNames } from '../client/kinds.ts'
import type { Facts } from '../judge/facts.ts'
import { isAboutHttp } from '../judge/laws/document.ts'
import type { Seen } from '../judge/laws/law.ts'
import type { ParsedRequest } from '../judge/parse-request.ts'
import type { ProbeFinding } from '../questions/finding.ts'
import { readers } from '../questions/index.ts'
import { findingsIn, withFacts } from '../questions/question.ts'

/** Collects the choices that exchanges show: what a server did, in the words of the register of assumptions. */
export class Choices {
  readonly #found = new Map<AssumptionName, Map<string, string>>()

  add(seen: Seen, facts: Facts): void {
    const { request, answer, repeatsKey } = seen
    const { operation, isAuthenticated, unread } = request
    const takesBody = operations[operation].contentTypes.length > 0
    const isUnread = unread !== undefined || (takesBody && !isObject(request.body))
    if (repeatsKey || !isAuthenticated || isUnread || isAboutHttp(answer.status) || answer.status >= 500) return
    const { status, message } = answer
    const isRefusedFor = (field: string) => status === 400 && lettersOf(message).includes(lettersOf(field))
    const exchange = withFacts(seen, facts, { isAlone: false, isRefusedFor })
    const shown = [...readers].flatMap(([name, read]) =>
      findingsIn(exchange, read).map((finding) => ({ name, finding })),
    )
    // A refusal that something else explains, or that two entries explain, settles nothing.
    if (!answer.succeeded && (shown.length > 1 || shown[0]?.finding.outcome === 'other' || isExplained(request, facts)))
      return
    const where = `${operation} answered ${status} at ${new Date(request.at).toISOString()}`
    for (const { name, finding } of shown) {
      // The words for what no choice describes may name a person.
      const choice = finding.outcome === 'seen' ? finding.written : neither
      const places = this.#found.get(name) ?? new Map<string, string>()
      this.#found.set(name, places.set(choice, places.get(choice) ?? where))
    }
  }

  /** For each entry that the exchanges show, the choice and the exchange; without a choice where they disagree. */
  get findings(): readonly { readonly name: AssumptionName; readonly finding: ProbeFinding }[] {
    return [...this.#found].map(([name, places]) => {
      const [[written = '', where = ''] = [], ...others] = places
      if (written === neither) return { name, finding: { outcome: 'other', words: where } }
      if (others.length === 0) return { name, finding: { outcome: 'seen', written, where } }
      const words = [...places].map(([choice, at]) => `${choice}, as ${at}`).join('; ')
      return { name, finding: { outcome: 'unstable', words } }
    })
  }
}

const neither = 'something else'

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

/** Whether a request may be refused for its id, its key, its encoding or a field that is not documented. */
function isExplained({ path, ignored, isKeyed, complaint, headers }: ParsedRequest, facts: Facts): boolean {
  const isOdd = /charset=(?!utf-8)/i.test(headers['content-type'] ?? '')
  const isKnown = (id: string) => [...kindNames, 'conversation' as const].some((kind) => facts.record(kind, id))
  return isOdd || !Object.values(path).every(isKnown) || isKeyed || ignored.length > 0 || complaint !== undefined
}
