import { type Static, Type } from 'typebox'
import type { Kind } from '../../fixtures/records.ts'
import { assumption } from '../../spec/assumptions.ts'
import { type AnyChosen, writtenChoice } from '../../spec/choices.ts'
import { isObject } from '../../spec/document.ts'
import { type OperationId, operations } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import { type Because, idInPath, limits } from '../core/refusals.ts'
import { markHeaders } from '../core/operation.ts'
import type { Changed } from '../core/team.ts'
import { hidden, type Redactor } from '../../shared/redactor.ts'
import { type LogEntry, longestText, shorten, type Text } from './journal.ts'
import { parseJson } from '../../shared/parse-json.ts'

const text = (description: string) => Type.String({ description })

const SeenPart = Type.Object(
  {
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.Optional(Type.Unknown({ description: 'The body: as JSON if it is JSON, else as a text.' })),
    cut: Type.Optional(
      Type.Object(
        { length: Type.Integer({ description: 'How many characters the whole has.' }) },
        { description: 'Only for a long body, of which the beginning is kept, as a text.' },
      ),
    ),
  },
  { title: 'SeenPart', description: 'What was sent, or what was answered.' },
)

const Why = Type.Object(
  {
    promise: Type.Optional(text('The id of a sentence of the specification.')),
    assumption: Type.Optional(text('An entry of the register of assumptions.')),
    choice: Type.Optional(text('The choice of that entry that was in force.')),
    document: Type.Optional(text('The operation whose documented fields decided.')),
    limit: Type.Optional(text('What the sandbox itself does not take.')),
    words: text('The sentence, in our words.'),
    field: Type.Optional(text('The field, the parameter or the header that it is about.')),
  },
  {
    title: 'Why',
    description: 'Why a request was refused. One of promise, assumption, document and limit says what decided.',
  },
)

/** A request with its answer, as the control plane shows it. */
export const SeenRequest = Type.Object(
  {
    id: text('As in the header x-sandbox-request of the answer.'),
    at: text('When it came, by the clock of the sandbox.'),
    ms: Type.Number({ description: 'How many milliseconds the answer took.' }),
    method: text('Empty when what came was not HTTP.'),
    url: text('Path and query, as they were sent.'),
    operation: Type.Optional(text('The operationId, if the path and the method have one.')),
    team: Type.Optional(text('The team whose credential was sent, if it was valid.')),
    status: Type.Integer({ description: 'The status; 0 when no answer was sent.' }),
    refused: Type.Boolean({ description: 'Whether the status is an error.' }),
    cutOff: Type.Boolean({ description: 'Whether the client was gone before it had the whole answer.' }),
    sent: SeenPart,
    answered: SeenPart,
    assumed: Type.Array(Type.String(), {
      description: 'The assumptions that the answer relied on and that nobody has learned.',
    }),
    learned: Type.Array(Type.String(), {
      description: 'The assumptions that the answer relied on, with the choice of the profile.',
    }),
    changed: text('What it has changed, such as `contact +1, conversation +1`.'),
    why: Type.Optional(Why),
    missed: Type.Optional(
      Type.Integer({ description: 'Only when requests are followed: how many were left out before it.' }),
    ),
    failure: Type.Optional(text('What failed in the sandbox, or which fault made the answer.')),
  },
  { title: 'SeenRequest', description: 'A request with its answer. Secrets are redacted.' },
)
export type SeenRequest = Static<typeof SeenRequest>

type Redact = (text: string) => string

/** A request as people may see it: without secrets, and with the reason of a refusal in words. */
export function showRequest(entry: LogEntry, { redact }: Redactor): SeenRequest {
  const { id, at, ms, method = '', url, operation, team, status, isCutOff, failure, because, changed } = entry
  const { assumed, learned = [] } = entry
  return {
    id: redact(id),
    at: new Date(at).toISOString(),
    ms,
    method,
    url: shorten(url, (whole) => redactUrl(whole, redact)),
    ...(operation === undefined ? {} : { operation }),
    ...(team === undefined ? {} : { team }),
    status,
    refused: status >= 400,
    cutOff: isCutOff,
    sent: { headers: headersOf(entry, redact), ...partOf(entry.sent, redact) },
    answered: { headers: markHeaders(entry), ...partOf(entry.answer, redact) },
    assumed: [...assumed],
    learned: [...learned],
    changed: changesInWords(changed ?? []),
    ...(because === undefined ? {} : { why: whyOf(because, entry.decided, operation, redact) }),
    ...(failure === undefined ? {} : { failure: redact(failure) }),
  }
}

/** Names of fields and headers with secret values. */
const secretName =
  /^(x-)?(api[-_]?key|sandbox-token|(access|refresh|auth|id)?[-_]?token|authorization|proxy-authorization|(set-)?cookie|secret|client[-_]?secret|password)$/i

/** A header that was sent twice has both values. */
function headersOf({ headers }: LogEntry, redact: Redact): Record<string, string> {
  const seen = new Map<string, string>()
  const lines = headers.split('\n')
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name = '', value = ''] = [lines[at]?.toLowerCase(), lines[at + 1]]
    const shown = secretName.test(name) ? hiddenButScheme(name, value) : redact(value)
    const before = seen.get(redact(name))
    seen.set(redact(name), before === undefined ? shown : `${before}, ${shown}`)
  }
  return Object.fromEntries(seen)
}

/** Keeps the scheme, which is often the error. */
function hiddenButScheme(name: string, value: string): string {
  const [, scheme] = name === 'authorization' ? (/^([A-Za-z]{1,20}) /.exec(value) ?? []) : []
  return scheme === undefined ? hidden : `${scheme} ${hidden}`
}

/** Decodes a URL with a percent-encoded secret. */
function redactUrl(url: string, redact: Redact): string {
  const redacted = redact(withoutSecrets(url))
  const decoded = redacted.replace(/%[2-7][0-9a-f]/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)))
  const again = redact(withoutSecrets(decoded))
  return again === decoded ? redacted : again
}

const withoutSecrets = (url: string) =>
  url.replace(/([?&])([^=&#]{1,40})=[^&#]*/g, (all, before: string, name: string) =>
    secretName.test(name) ? `${before}${name}=${hidden}` : all,
  )

function partOf(text: Text | undefined, redact: Redact): { body?: unknown; cut?: { length: number } } {
  if (text === undefined || text === '') return {}
  const body = typeof text === 'string' ? parseJson(text) : undefined
  if (body !== undefined && text.length <= longestText) return { body: redactValue(body, redact) }
  const shown = shorten(text, (whole) => redact(withoutSecretFields(whole)))
  return { body: shown, ...(text.length > longestText ? { cut: { length: text.length } } : {}) }
}

/** For a text that is not JSON, or only the beginning of it. */
function withoutSecretFields(text: string): string {
  return text.replace(/"([^"\\]{1,40})"(\s{0,9}:\s{0,9})"(?:[^"\\]|\\.)*"?/g, (all, name: string, colon: string) =>
    secretName.test(name) ? `"${name}"${colon}"${hidden}"` : all,
  )
}

/** Limits the depth, since the journal stores refused bodies too. */
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

/** The kinds of records that a change lists. The others are internal. */
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
