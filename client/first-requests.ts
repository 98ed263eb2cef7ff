import { capitalize, oneLine, quote } from '../shared/text.ts'
import type { OperationId } from '../spec/types.ts'
import { Answer, fieldsOf, idOf } from './answer.ts'
import { CannotRun, NotAllowed } from './errors.ts'
import type { Input } from './request.ts'
import { Sender } from './sender.ts'
import { credentialNames, variables, type Who } from './target/credentials.ts'
import { redactorFor, type Target } from './target/target.ts'
import { brokenOff, proxyVariable, type Send, Unanswered } from './transport.ts'

/** The results of the first requests of a run. */
export interface FirstAnswers {
  /** The team of the key, if an answer named it. */
  readonly team?: string
  /** The ids of records that existed before the run. */
  readonly seen: readonly string[]
  /** Sentences about credentials that may be wrong. */
  readonly doubts: readonly string[]
}

/** Two read-only requests. If only one fails, the checks report it. */
const reads: readonly (readonly [OperationId, Input])[] = [
  ['listTemplates', { query: { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] } }],
  ['getConversation', { path: { conversationId: '000000000000000000000000' } }],
]

/**
 * Reads with each credential before a run begins. Throws `CannotRun` when the server cannot be reached, is not the
 * service, or does not accept a key.
 */
export async function sendFirstRequests(target: Target, send: Send, signal?: AbortSignal): Promise<FirstAnswers> {
  const { credentials } = target
  if (credentials.team && credentials.otherTeam?.reveal() === credentials.team.reveal())
    throw new CannotRun(`${variables.otherTeam} holds the same key as ${variables.team}: it must be of another team.`)

  /** Sends the second read only if something is wrong with the first. */
  const readAs = async (caller: Who): Promise<readonly (Answer | Unanswered)[]> => {
    const sender = new Sender({ target, send, signal })
    const answers: (Answer | Unanswered)[] = []
    for (const [operation, input] of reads) {
      const answer = await sender.send(operation, { ...input, caller }).catch((error: unknown) => {
        if (error instanceof Unanswered) return error
        throw error instanceof NotAllowed ? new CannotRun(`${capitalize(error.message)}.`) : error
      })
      if (sender.stopped) throw new CannotRun(`${capitalize(sender.stopped.reason)}.`)
      answers.push(answer)
      if (problemWith(answer, target, caller) === undefined) break
    }
    return answers
  }

  const readWithKey = async (who: 'team' | 'otherTeam') => {
    const answers = await readAs(who)
    const problem = answers.length < reads.length ? undefined : problemWith(answers.at(-1), target, who)
    if (problem !== undefined) throw new CannotRun(problem)
    return answers[0]
  }

  const first = await readWithKey('team')
  const records = first instanceof Answer ? [first.fields.data ?? []].flat().map(fieldsOf) : []
  const team = records.map(({ teamId }) => teamId).find((id) => typeof id === 'string')
  if (credentials.otherTeam) await readWithKey('otherTeam')
  const tokens = (['admin', 'agent'] as const).filter((who) => credentials[who])
  const refused: (readonly [Who, Answer])[] = []
  for (const who of tokens) {
    const answers = await readAs(who)
    const last = answers.at(-1)
    if (
      last instanceof Answer &&
      answers.filter((answer) => answer instanceof Answer && answer.status === 401).length > 1
    )
      refused.push([who, last])
  }
  const [wrong] = refused
  // A service that accepts one of two tokens accepts tokens, so the other one is wrong.
  if (wrong && refused.length < tokens.length) throw new CannotRun(refusal(wrong[1], target, wrong[0]))
  const doubts = refused.map(
    ([who, { status }]) =>
      `Reads do not accept ${credentialNames[who]} (${status}): either ${variables[who]} is wrong, or this service takes no tokens.`,
  )
  const seen = records.map(idOf).filter((id) => id !== undefined)
  return { seen, doubts, ...(team === undefined ? {} : { team: redactorFor(target)(team) }) }
}

/** Throws `CannotRun` when the server cannot be reached. */
function problemWith(answer: Answer | Unanswered | undefined, target: Target, who: Who): string | undefined {
  const { origin } = target
  const redact = redactorFor(target)
  if (answer === undefined) return undefined
  if (answer instanceof Unanswered) {
    // The checks report an answer that was cut.
    if (answer.message === brokenOff) return undefined
    if (answer.isCut) return `${origin} gives no answers that can be read: ${answer.message}.`
    const proxy = proxyVariable(origin)
    const through = proxy === undefined ? '' : ` through the proxy in ${proxy}`
    throw new CannotRun(`${origin} cannot be reached${through}: ${redact(answer.message)}.`)
  }
  const { status, headers, message, body } = answer
  if (status === 401 || status === 403) return refusal(answer, target, who)
  if (status === 400 && message.startsWith('This sandbox is not called '))
    return `${redact(oneLine(message)).slice(0, 300)}.`
  const { location } = headers
  if (status >= 300 && status < 400 && typeof location === 'string')
    return `${origin} redirects to ${adviceOn(location, origin, redact)}.`
  if (status === 429 || (typeof body === 'object' && body !== null && !Array.isArray(body))) return undefined
  const notJson = body === undefined ? 'JSON' : 'an object of JSON'
  return `${origin} answers ${status}, but not with ${notJson}: it may not be the service at all.`
}

function refusal({ status, message }: Answer, target: Target, who: Who): string {
  const quoted = message === '' ? '' : ` ${quote(redactorFor(target)(message))}`
  return `${target.origin} does not accept ${credentialNames[who]} (${status}${quoted}): check ${variables[who]}.`
}

/** The origin or the path of a redirect. Its query may contain secrets. */
function adviceOn(location: string, from: string, redact: (text: string) => string): string {
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined
  if (to?.origin === new URL(from).origin)
    return `its own path ${quote(redact(to.pathname).slice(0, 200))}: check the path of --base-url, and the credentials`
  return `${quote(redact(to?.origin ?? location))}: if that is the service, name it with --base-url`
}
