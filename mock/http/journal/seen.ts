import { type Static, Type } from 'typebox'
import { apiKinds, type Kind } from '../../../fixtures/records.ts'
import { assumption } from '../../../spec/assumptions.ts'
import { type AnyChosen, writtenChoice } from '../../../spec/choices.ts'
import { type OperationId, operations } from '../../../spec/operations.ts'
import { promise } from '../../../spec/promises.ts'
import { type Because, idInPath, limits } from '../../core/refusals.ts'
import { dictionaryOf, flag, integer, optionalText, output, text, texts } from '../../core/schemas.ts'
import { markHeaders } from '../../core/operation.ts'
import type { Changed } from '../../core/team.ts'
import { hidden, type Redactor, secretName, withoutSecretFields } from '../../../lib/redactor.ts'
import { singularOf } from '../../../lib/text.ts'
import { type LogEntry, longestText, shorten, type Text } from './journal.ts'
import { parseJson } from '../../../lib/json.ts'

const SeenPart = output(
  'SeenPart',
  {
    headers: dictionaryOf(Type.String()),
    body: Type.Optional(Type.Unknown({ description: 'The body: as JSON if it is JSON, else as a text.' })),
    cut: Type.Optional(
      Type.Object(
        { length: integer('How many characters the whole has.') },
        { description: 'Only for a long body, of which the beginning is kept, as a text.' },
      ),
    ),
  },
  'What was sent, or what was answered.',
)

const Why = output(
  'Why',
  {
    promise: optionalText('The id of a sentence of the specification.'),
    assumption: optionalText('An entry of the register of assumptions.'),
    choice: optionalText('The choice of that entry that was in force.'),
    document: optionalText('The operation whose documented fields decided.'),
    limit: optionalText('What the sandbox itself does not take.'),
    words: text('The sentence, in our words.'),
    field: optionalText('The field, the parameter or the header that it is about.'),
  },
  'Why a request was refused. One of promise, assumption, document and limit says what decided.',
)
type Why = Static<typeof Why>

/** A request with its answer, as the control plane shows it. */
export const SeenRequest = output(
  'SeenRequest',
  {
    id: text('As in the header x-sandbox-request of the answer.'),
    server: optionalText('On a store that several servers can share: the server that answered, by host and port.'),
    at: text('When it came, by the clock of the sandbox.'),
    ms: Type.Number({ description: 'How many milliseconds the answer took.' }),
    method: text('Empty when what came was not HTTP.'),
    url: text('Path and query, as they were sent.'),
    operation: Type.Optional(Type.Unsafe<OperationId>(text('The operationId, if the path and the method have one.'))),
    team: optionalText('The team whose credential was sent, if it was valid.'),
    status: integer('The status; 0 when no answer was sent.'),
    refused: flag('Whether the status is an error.'),
    cutOff: flag('Whether the client was gone before it had the whole answer.'),
    sent: SeenPart,
    answered: SeenPart,
    assumed: texts('The assumptions that the answer relied on and that nobody has learned.'),
    learned: texts('The assumptions that the answer relied on, with the choice of the profile.'),
    changed: text('What it has changed, such as `contact +1, conversation +1`.'),
    why: Type.Optional(Why),
    missed: Type.Optional(integer('Only when requests are followed: how many were left out before it.')),
    failure: optionalText('What failed in the sandbox, or which fault made the answer.'),
    fault: optionalText('The id of the fault that made the answer.'),
  },
  'A request with its answer. Secrets are redacted.',
)
export type SeenRequest = Static<typeof SeenRequest>

type Redact = (text: string) => string

/** A request as people may see it: without secrets, and with the reason of a refusal in words. */
export function showRequest(entry: LogEntry, { redact }: Redactor, server?: string): SeenRequest {
  const { id, at, ms, method = '', url, operation, team, status, isCutOff, failure, because, changed } = entry
  const { assumed, learned = [], hint } = entry
  return {
    id: redact(id),
    ...(server !== undefined && { server }),
    at: new Date(at).toISOString(),
    ms,
    method,
    url: shorten(url, (whole) => redact(withoutSecretParameters(whole))),
    ...(operation !== undefined && { operation }),
    ...(team !== undefined && { team }),
    status,
    refused: status >= 400,
    cutOff: isCutOff,
    sent: { headers: headersOf(entry, redact), ...partOf(entry.sent, redact) },
    answered: { headers: markHeaders({ ...entry, hint: hint && redact(hint) }), ...partOf(entry.answer, redact) },
    assumed: [...assumed],
    learned: [...learned],
    changed: changesInWords(changed ?? []),
    ...(because && { why: whyOf(because, entry, redact) }),
    ...(typeof failure === 'string' && { failure: redact(failure) }),
    ...(typeof failure === 'object' && { failure: `The fault ${failure.fault} answers this request`, ...failure }),
  }
}

/** A header that was sent twice has both values. The scheme of a credential stays, since it is often the error. */
function headersOf({ headers }: LogEntry, redact: Redact): Record<string, string> {
  const seen = new Map<string, string>()
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at]?.toLowerCase(), headers[at + 1]]
    const scheme = name === 'authorization' ? (/^[a-z]{1,20} /i.exec(value)?.[0] ?? '') : ''
    const shown = secretName.test(name) ? scheme + hidden : redact(value)
    const before = seen.get(redact(name))
    seen.set(redact(name), before === undefined ? shown : `${before}, ${shown}`)
  }
  return Object.fromEntries(seen)
}

const withoutSecretParameters = (url: string) =>
  url.replace(/([?&])([^=&#]{1,40})=[^&#]*/g, (all, before: string, name: string) =>
    secretName.test(name) ? `${before}${name}=${hidden}` : all,
  )

function partOf(text: Text | undefined, redact: Redact): { body?: unknown; cut?: { length: number } } {
  if (text === undefined || text === '') return {}
  const shown = shorten(text, (whole) => redact(withoutSecretFields(whole)))
  if (text.length > longestText) return { body: shown, cut: { length: text.length } }
  return { body: parseJson(shown) ?? shown }
}

/** Such as `contact +1, conversation +1`; a record that was changed counts as `~1`. */
function changesInWords(changed: readonly Changed[]): string {
  const words = changed.flatMap(({ kind, added, updated, removed }) => {
    const counts = Object.entries({ '+': added, '~': updated, '-': removed }).filter(([, count]) => count > 0)
    return isKnown(kind) ? counts.map(([sign, count]) => `${singularOf(kind)} ${sign}${count}`) : []
  })
  return words.join(', ')
}

/** The other kinds are internal. */
const isKnown = (kind: Kind) => kind === 'bulkSends' || apiKinds.some((known) => known === kind)

function whyOf(because: Because, { decided, operation }: LogEntry, redact: Redact): Why {
  const field = because.field === idInPath ? parameterOf(operation) : because.field
  return { ...deciderOf(because, decided), ...(field && { field: redact(field) }) }
}

function deciderOf(because: Because, decided: AnyChosen | undefined): Why {
  if ('promise' in because) return { promise: because.promise, words: promise(because.promise).words }
  if ('limit' in because) return { limit: because.limit, words: limits[because.limit] }
  if ('document' in because)
    return { document: because.document, words: `The fields of ${because.document} have documented types and values.` }
  const { question, choices } = assumption(because.assumption)
  const choice = decided && writtenChoice(decided)
  const meaning = decided && choices[decided.choice]
  const words = `${question} Assumed: ${(typeof meaning === 'object' ? meaning.words : meaning) ?? ''}.`
  return { assumption: because.assumption, ...(choice !== undefined && { choice }), words }
}

/** The parameter at the end of the path, such as contactId. */
export function parameterOf(id: OperationId | undefined): string | undefined {
  return id === undefined ? undefined : /\{(\w+)\}$/.exec(operations[id].path)?.[1]
}
