import { capitalize, oneLine, quote } from '../shared/text.ts'
import type { OperationId } from '../spec/types.ts'
import { type Answer, fieldsOf, idOf } from './answer.ts'
import { CannotRun, NotAllowed } from './errors.ts'
import type { Input } from './request.ts'
import { Sender } from './sender.ts'
import { credentialNames, variables, type Who } from './target/credentials.ts'
import { redactorFor, type Target } from './target/target.ts'
import { brokenOff, proxyVariable, type Send, Unanswered } from './transport.ts'

/** What the first requests of a run have shown. */
export interface FirstAnswers {
  /** The team of the key, if an answer named it. */
  readonly team?: string
  /** The ids of records that were there before the run. */
  readonly seen: readonly string[]
  /** Sentences about what they leave in doubt. */
  readonly doubts: readonly string[]
}

/** Two read-only requests. If only one fails, the checks report it. */
const reads: readonly (readonly [OperationId, Input])[] = [
  ['listTemplates', { query: { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] } }],
  ['getConversation', { path: { conversationId: '000000000000000000000000' } }],
]

type Read = (who: Who, index: number) => Promise<Answer | Unanswered>

/**
 * Reads with each key before a run begins. Throws `CannotRun` when nothing answers there, when it is no such
 * service, or when a key is not accepted: none of these says anything about a promise.
 */
export async function sendFirstRequests(target: Target, send: Send, signal?: AbortSignal): Promise<FirstAnswers> {
  const { credentials } = target
  if (credentials.team && credentials.otherTeam?.reveal() === credentials.team.reveal())
    throw new CannotRun(`${variables.otherTeam} holds the same key as ${variables.team}: it must be of another team.`)
  const redact = redactorFor(target)
  const sender = new Sender({ target, send, signal })
  let unanswered: Unanswered | undefined
  const read: Read = async (caller, index) => {
    const [operation, input] = reads[index] ?? ['listTemplates', {}]
    try {
      return await sender.send(operation, { ...input, caller })
    } catch (error) {
      if (error instanceof Unanswered) return (unanswered = error)
      if (unanswered && sender.stopped?.unreachable) return unanswered
      throw error instanceof NotAllowed ? new CannotRun(`${capitalize(error.message)}.`) : error
    }
  }
  const first = await checkTeam(target, read)
  const records = [first?.fields.data ?? []].flat().map(fieldsOf)
  const team = records.map(({ teamId }) => teamId).find((id) => typeof id === 'string')
  const refused = credentials.otherTeam && (await refusalOf('otherTeam', read))
  if (refused) throw new CannotRun(refusal(refused, target, 'otherTeam'))
  const doubts = await checkTokens(target, read)
  if (sender.stopped && !sender.stopped.unreachable) throw new CannotRun(`${capitalize(sender.stopped.reason)}.`)
  const seen = records.map(idOf).filter((id) => id !== undefined)
  return { seen, doubts, ...(team === undefined ? {} : { team: redact(team) }) }
}

/** The answer to the first read; the second one is only sent when something is wrong with the first. */
async function checkTeam(target: Target, read: Read): Promise<Answer | undefined> {
  const first = await read('team', 0)
  if (!(first instanceof Unanswered) && problemWith(first, target, 'team') === undefined) return first
  throwIfUnreachable(first, target)
  const second = await read('team', 1)
  throwIfUnreachable(second, target)
  const problem = second instanceof Unanswered ? undefined : problemWith(second, target, 'team')
  if (!(first instanceof Unanswered) && problem !== undefined) throw new CannotRun(problem)
  // That an answer broke off is for the checks to report.
  for (const answer of [first, second])
    if (!(answer instanceof Unanswered) || answer.message === brokenOff)
      return first instanceof Unanswered ? undefined : first
  throw new CannotRun(`${target.origin} gives no answers that can be read: ${(second as Unanswered).message}.`)
}

function throwIfUnreachable(answer: Answer | Unanswered, target: Target): void {
  if (!(answer instanceof Unanswered) || answer.isCut) return
  const proxy = proxyVariable(target.origin)
  const through = proxy === undefined ? '' : ` through the proxy in ${proxy}`
  throw new CannotRun(`${target.origin} cannot be reached${through}: ${redactorFor(target)(answer.message)}.`)
}

function problemWith(answer: Answer, target: Target, who: Who): string | undefined {
  const { origin } = target
  const { status, headers, message, body } = answer
  const redact = redactorFor(target)
  if (status === 401 || status === 403) return refusal(answer, target, who)
  if (status === 400 && message.startsWith('This sandbox is not called '))
    return `${redact(oneLine(message)).slice(0, 300)}.`
  const { location } = headers
  if (status >= 300 && status < 400 && typeof location === 'string')
    return `${origin} redirects to ${adviceOn(location, origin, redact)}.`
  if (status === 429) return undefined
  const notJson = body === undefined ? 'JSON' : 'an object of JSON'
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? undefined
    : `${origin} answers ${status}, but not with ${notJson}: it may not be the service at all.`
}

function refusal({ status, message }: Answer, target: Target, who: Who): string {
  const said = message === '' ? '' : ` ${quote(redactorFor(target)(message))}`
  return `${target.origin} does not accept ${credentialNames[who]} (${status}${said}): check ${variables[who]}.`
}

/** A redirect is not followed, so the operator has to know where it leads. Its query may hold anything. */
function adviceOn(location: string, from: string, redact: (text: string) => string): string {
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined
  if (to?.origin === new URL(from).origin)
    return `its own path ${quote(redact(to.pathname).slice(0, 200))}: check the path of --base-url, and the credentials`
  return `${quote(redact(to?.origin ?? location))}: if that is the service, name it with --base-url`
}

/**
 * Which routes take a token is left open, and perhaps none does. A service that takes one of two tokens takes tokens, so
 * the other one is wrong; when it takes neither, or there is only one, it cannot be told which of the two is the case.
 */
async function checkTokens(target: Target, read: Read): Promise<string[]> {
  const tokens = (['admin', 'agent'] as const).filter((who) => target.credentials[who])
  const refused: (readonly [Who, Answer])[] = []
  for (const who of tokens) {
    const answer = await refusalOf(who, read)
    if (answer) refused.push([who, answer])
  }
  const [first] = refused
  if (first && refused.length < tokens.length) throw new CannotRun(refusal(first[1], target, first[0]))
  return refused.map(
    ([who, { status }]) =>
      `Reads do not accept ${credentialNames[who]} (${status}): either ${variables[who]} is wrong, or this service takes no tokens.`,
  )
}

/** The last answer, if both reads were refused: only then it is the credential that is not accepted. */
async function refusalOf(who: Who, read: Read): Promise<Answer | undefined> {
  let last: Answer | undefined
  for (const index of reads.keys()) {
    const answer = await read(who, index)
    if (answer instanceof Unanswered || answer.status !== 401) return undefined
    last = answer
  }
  return last
}
