import type { SeenRequest } from '../../control/requests.ts'
import type { Kind } from '../../fixtures/records.ts'
import { assumption } from '../../spec/assumptions.ts'
import { type AnyChosen, writtenChoice } from '../../spec/choices.ts'
import { isObject } from '../../spec/document.ts'
import { type OperationId, operations } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import { type Because, idInPath, limits } from '../core/because.ts'
import { markHeaders } from '../core/mark-headers.ts'
import type { Changed } from '../core/tally.ts'
import { hidden, type Secrets } from '../../shared/redaction.ts'
import type { Body, Noted } from './noted.ts'
import { parseJson } from '../../shared/parse-json.ts'

interface Showing {
  readonly secrets: Secrets
}

/** A request as people may see it: without secrets, and with the reason of a refusal in words. */
export function showRequest(noted: Noted, { secrets }: Showing): SeenRequest {
  const { id, at, ms, method = '', url, operation, team, status, isCutOff, failure, because, changed } = noted
  const { assumed, learned = [] } = noted
  const redact = (text: string) => secrets.redact(text)
  return {
    id: redact(id),
    at: new Date(at).toISOString(),
    ms,
    method,
    url: redact(withoutSecrets(url)),
    ...(operation === undefined ? {} : { operation }),
    ...(team === undefined ? {} : { team }),
    status,
    refused: status >= 400,
    cutOff: isCutOff,
    sent: { headers: headersOf(noted, redact), ...partOf(noted.sent, redact) },
    answered: {
      headers: markHeaders(noted),
      ...partOf(noted.answer, redact),
    },
    assumed: [...assumed],
    learned: [...learned],
    changed: changesInWords(changed ?? []),
    ...(because === undefined ? {} : { why: whyOf(because, noted.decided, operation, redact) }),
    ...(failure === undefined ? {} : { failure: redact(failure) }),
  }
}

type Redact = (text: string) => string

/** Names whose values open something, whoever chose them. */
const secretName =
  /^(x-)?(api[-_]?key|sandbox-token|(access|refresh|auth|id)?[-_]?token|authorization|proxy-authorization|(set-)?cookie|secret|client[-_]?secret|password)$/i

/** A header that was sent twice has both values. */
function headersOf({ headers }: Noted, redact: Redact): Record<string, string> {
  const seen = new Map<string, string>()
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at]?.toLowerCase(), headers[at + 1]]
    const shown = secretName.test(name) ? hiddenButScheme(name, value) : redact(value)
    const before = seen.get(redact(name))
    seen.set(redact(name), before === undefined ? shown : `${before}, ${shown}`)
  }
  return Object.fromEntries(seen)
}

/** Which scheme was used is often what went wrong. */
function hiddenButScheme(name: string, value: string): string {
  const [, scheme] = name === 'authorization' ? (/^([A-Za-z]{1,20}) /.exec(value) ?? []) : []
  return scheme === undefined ? hidden : `${scheme} ${hidden}`
}

function withoutSecrets(url: string): string {
  return url.replace(/([?&])([^=&#]{1,40})=[^&#]*/g, (all, before: string, name: string) =>
    secretName.test(name) ? `${before}${name}=${hidden}` : all,
  )
}

function partOf(text: Body, redact: Redact): { body?: unknown; cut?: { length: number } } {
  if (text === undefined || text === '') return {}
  if (typeof text !== 'string') {
    const { beginning, length } = text
    return { body: redact(withoutSecretFields(beginning)), ...(length > beginning.length ? { cut: { length } } : {}) }
  }
  const body = parseJson(text)
  return { body: body === undefined ? redact(withoutSecretFields(text)) : redactValue(body, redact) }
}

/** For a text that cannot be read as JSON, or not to its end. */
function withoutSecretFields(text: string): string {
  return text.replace(/"([^"\\]{1,40})"(\s{0,9}:\s{0,9})"(?:[^"\\]|\\.)*"?/g, (all, name: string, colon: string) =>
    secretName.test(name) ? `"${name}"${colon}"${hidden}"` : all,
  )
}

/** Whatever its depth: a body that is nested too deep was refused, but is kept all the same. */
function redactValue(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === 'string') return redact(value)
  if (!isObject(value)) return value
  if (depth > deepest) return '…'
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      redact(name),
      secretName.test(name) && typeof member === 'string' ? hidden : redactValue(member, redact, depth + 1),
    ]),
  )
}

const deepest = 40

/** The kinds that a change is told of. The others are how the sandbox remembers things. */
const nouns: Readonly<Partial<Record<Kind, string>>> = {
  contacts: 'contact',
  conversations: 'conversation',
  messages: 'message',
  templates: 'template',
  companies: 'company',
  products: 'product',
  deals: 'deal',
  quotes: 'quote',
  bulkSends: 'bulk send',
}

/** Such as `contact +1, conversation +1`; a record that was changed counts as `~1`. */
function changesInWords(changed: readonly Changed[]): string {
  return changed
    .flatMap(({ kind, added, updated, removed }) => {
      const noun = nouns[kind]
      if (noun === undefined) return []
      return [
        added > 0 ? `${noun} +${added}` : '',
        updated > 0 ? `${noun} ~${updated}` : '',
        removed > 0 ? `${noun} -${removed}` : '',
      ].filter((words) => words !== '')
    })
    .join(', ')
}

function whyOf(
  because: Because,
  decided: AnyChosen | undefined,
  id: OperationId | undefined,
  redact: Redact,
): NonNullable<SeenRequest['why']> {
  const field = because.field === idInPath ? parameterOf(id) : because.field
  const about = field === undefined || field === '' ? {} : { field: redact(field) }
  if ('promise' in because) return { promise: because.promise, words: promise(because.promise).words, ...about }
  if ('limit' in because) return { limit: because.limit, words: limits[because.limit], ...about }
  if ('document' in because)
    return {
      document: because.document,
      words: `The fields of ${because.document} have documented types and values.`,
      ...about,
    }
  const { question } = assumption(because.assumption)
  return {
    assumption: because.assumption,
    ...(decided === undefined ? {} : { choice: writtenChoice(decided) }),
    words: `${question} Assumed: ${meaningOf(because.assumption, decided?.choice ?? '')}.`,
    ...about,
  }
}

function meaningOf(name: Parameters<typeof assumption>[0], choice: string): string {
  const meaning = assumption(name).choices[choice]
  return typeof meaning === 'object' ? meaning.words : (meaning ?? choice)
}

/** The parameter at the end of the path, such as contactId. */
function parameterOf(id: OperationId | undefined): string | undefined {
  return id === undefined ? undefined : /\{(\w+)\}$/.exec(operations[id].path)?.[1]
}
