import { withoutControls } from '../../shared/text.ts'
import type { Paint } from '../../shared/command.ts'
import type { SeenRequest } from '../journal/seen.ts'

/** A request in columns; for one that was refused, a second line says why. */
export function lineOf(request: SeenRequest, paint: Paint): string {
  const { at, status, operation, method, url, team = '-', ms, changed, id, cutOff, failure } = request
  const asked = operation ?? `${method} ${url}`
  const columns = [
    paint(at.slice(11, 23), 'grey'),
    paint(String(status).padStart(3), colourOf(status)),
    plain(asked, 28).padEnd(28),
    plain(team, 24).padEnd(24), // as long as the ids that the sandbox gives
    `${Math.round(ms)} ms`.padStart(7),
    paint(plain(id, 40), 'grey'),
    changed === '' ? '' : paint(plain(changed, 100), 'green'),
    cutOff ? paint('cut off', 'yellow') : '',
    failure === undefined ? '' : paint(plain(failure, 100), 'yellow'),
  ]
  const line = columns.filter((column) => column !== '').join('  ')
  const reason = reasonOf(request)
  return reason === undefined ? line : `${line}\n${indent}${plain(reason, 300)}`
}

const indent = ' '.repeat(14)

function colourOf(status: number): 'red' | 'yellow' | 'green' {
  if (status >= 500 || status === 0) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

/** Such as `lastName is required (contact.createRequires, lastName)`. */
function reasonOf({ why, answered }: SeenRequest): string | undefined {
  if (!why) return undefined
  const { promise, assumption, choice, document, limit, field } = why
  const decider = promise ?? (assumption === undefined ? (document ?? limit) : `${assumption}=${choice ?? ''}`)
  return `${messageIn(answered.body) ?? 'refused'} (${[decider, field].filter((word) => word !== undefined).join(', ')})`
}

function messageIn(body: unknown): string | undefined {
  const { message } = typeof body === 'object' && body !== null ? (body as { message?: unknown }) : {}
  return typeof message === 'string' ? message : undefined
}

/** All of a request and its answer. */
export function describeRequest(request: SeenRequest, paint: Paint): string {
  const { method, url, status, sent, answered, assumed, learned, why } = request
  const parts = [
    lineOf(request, paint),
    `${paint(`${plain(method, 20)} ${plain(url, 2_000)}`, 'bold')}\n${partInWords(sent)}`,
    `${paint(String(status), 'bold')}\n${partInWords(answered)}`,
    assumed.length > 0 ? `Relied on: ${plain(assumed.join(', '), 2_000)}` : '',
    learned.length > 0 ? `Learned: ${plain(learned.join(', '), 2_000)}` : '',
    why ? `Why: ${plain(why.words, 1_000)}` : '',
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function partInWords({ headers, body, cut }: SeenRequest['sent']): string {
  const head = Object.entries(headers).map(([name, value]) => plain(`${name}: ${value}`, 2_000))
  const text = body === undefined ? [] : [plainLines(typeof body === 'string' ? body : JSON.stringify(body, null, 2))]
  const rest = cut ? [`… cut; the whole has ${cut.length} characters`] : []
  return [...head, ...text, ...rest].join('\n')
}

/** On one line, and nothing in it that a terminal would act on. */
function plain(text: string, most: number): string {
  const short = text.length > most ? `${text.slice(0, most - 1)}…` : text
  return plainLines(short).replaceAll('\n', '?')
}

const plainLines = (text: string) => withoutControls(text).replace(/[\p{Zl}\p{Zp}]/gu, '?')
