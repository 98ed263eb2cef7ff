import { unknownHostHeader } from '../../lib/host.ts'
import { capitalize, oneLine, quote } from '../../lib/text.ts'
import type { OperationId } from '../../spec/types.ts'
import { Answer, fieldsOf } from './answer.ts'
import { CannotRun, NotAllowed } from './errors.ts'
import type { Input } from './request.ts'
import { Sender } from './sender.ts'
import { credentialNames, variables, type Who } from './target/credentials.ts'
import { redactorFor, type Target } from './target/target.ts'
import { proxyVariable, type Send, NoResponse, TooLong } from './transport.ts'

/** The results of the first requests of a run. */
export interface FirstAnswers {
  /** The team of the key, if an answer named it. */
  readonly team?: string
  /** Sentences about credentials or a base URL that may be wrong. */
  readonly doubts: readonly string[]
  /** A sentence about a list that is none: a check reports it, and little can be learned there. */
  readonly noList?: string
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
  if (credentials.team && credentials.otherTeam === credentials.team)
    throw new CannotRun(`${variables.otherTeam} holds the same key as ${variables.team}: it must be of another team.`)

  /** Returns the answers, and the problem if each has one. Sends the second read only if the first has one or is a 404. */
  const readAs = async (caller: Who) => {
    const sender = new Sender({ target, send, signal })
    const answers: (Answer | NoResponse)[] = []
    const problems: (string | undefined)[] = []
    for (const [operation, input] of reads) {
      const answer = await sender.send(operation, { ...input, caller }).catch((error: unknown) => {
        if (error instanceof NoResponse) return error
        throw error instanceof NotAllowed ? new CannotRun(`${capitalize(error.message)}.`) : error
      })
      if (sender.stopped) throw new CannotRun(`${capitalize(sender.stopped.reason)}.`)
      answers.push(answer)
      problems.push(problemWith(answer, target, caller))
      if (problems[0] === undefined && !isNotFound(answer)) break
    }
    return { answers, problem: problems.includes(undefined) ? undefined : problems.at(-1) }
  }

  let [team, hasNoList]: [team?: unknown, hasNoList?: boolean] = []
  const doubts: string[] = []
  for (const who of ['team', 'otherTeam'] as const) {
    if (who === 'otherTeam' && !credentials.otherTeam) continue
    const { answers, problem } = await readAs(who)
    if (problem !== undefined) throw new CannotRun(problem)
    const [first] = answers
    if (who === 'team' && answers.every(isNotFound))
      doubts.push(`${target.origin} answers 404 to every read of the start: check the prefix of the base URL.`)
    if (who !== 'team' || !(first instanceof Answer)) continue
    const { data } = first.fields
    team = fieldsOf([data].flat()[0]).teamId
    hasNoList = first.succeeded && !Array.isArray(data)
  }
  const tokens = (['admin', 'agent'] as const).filter((who) => credentials[who])
  const refused: (readonly [Who, string])[] = []
  for (const who of tokens) {
    const { answers, problem } = await readAs(who)
    const isRefused = answers.every((answer) => answer instanceof Answer && answer.status === 401)
    if (isRefused && problem !== undefined) refused.push([who, problem])
  }
  // A service that accepts one of two tokens accepts tokens, so the other one is wrong.
  if (refused[0] && refused.length < tokens.length) throw new CannotRun(refused[0][1])
  for (const [who] of refused)
    doubts.push(
      `Reads do not accept ${credentialNames[who]} (401): either ${variables[who]} is wrong, or this service takes no tokens.`,
    )
  return {
    doubts,
    ...(typeof team === 'string' && { team: redactorFor(target)(team) }),
    ...(hasNoList && { noList: `${target.origin} lists templates with data that is no list: \`verify\` reports it.` }),
  }
}

const isNotFound = (answer: Answer | NoResponse) => answer instanceof Answer && answer.status === 404

/** Throws `CannotRun` when the server cannot be reached. */
function problemWith(answer: Answer | NoResponse, target: Target, who: Who): string | undefined {
  const { origin } = target
  const redact = redactorFor(target)
  if (answer instanceof NoResponse) {
    // The checks report an answer that was cut.
    if (answer.how === 'cut') return undefined
    if (answer.how === 'unreadable') return `${origin} gives no responses that can be read: ${answer.message}.`
    const proxy = proxyVariable(origin)
    const through = proxy === undefined ? '' : ` through the proxy in ${proxy}`
    const what = answer instanceof TooLong ? 'cannot be asked' : `cannot be reached${through}`
    throw new CannotRun(`${origin} ${what}: ${redact(answer.message)}.`, { option: 'baseUrl' })
  }
  const { status, headers, message, body } = answer
  if (status === 401 || status === 403) {
    const quoted = message === '' ? '' : ` ${quote(redact(message))}`
    return `${origin} does not accept ${credentialNames[who]} (${status}${quoted}): check ${variables[who]}.`
  }
  if (status === 400 && headers[unknownHostHeader] !== undefined) return `${redact(oneLine(message)).slice(0, 300)}.`
  const { location } = headers
  if (status >= 300 && status < 400 && typeof location === 'string') {
    // The query may contain secrets.
    const place = redact(location.replace(/[?#].*/s, '')).slice(0, 200)
    return `${origin} redirects to ${quote(place)}: check --base-url and the credentials.`
  }
  if (status === 429 || (typeof body === 'object' && body !== null && !Array.isArray(body))) return undefined
  const notJson = body === undefined ? 'JSON' : 'an object of JSON'
  return `${origin} answers ${status}, but not with ${notJson}: it may not be the service at all.`
}
