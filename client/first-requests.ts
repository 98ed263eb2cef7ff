import { oneLine } from '../shared/plain-lines.ts'
import { quote } from '../shared/printable.ts'
import type { OperationId } from '../spec/types.ts'
import { Answer, type Fields, fieldsOf } from './answer.ts'
import { CannotRun, NotAllowed } from './errors.ts'
import { PatientSend } from './patient-send.ts'
import { variableFor } from './proxy.ts'
import { redactorFor } from './redaction.ts'
import { createRequest, type Input } from './request.ts'
import { Stop } from './stop.ts'
import { credentialHeader, credentialNames, variables, type Who } from './target/credentials.ts'
import type { Target } from './target/target.ts'
import { brokenOff, type Incoming, type Send, Unanswered } from './transport.ts'
import { capitalize } from '../shared/capitalize.ts'

/** What the first requests of a run have shown. */
export interface FirstAnswers {
  /** The team of the key, if an answer named it. */
  readonly team?: string
  /** The ids of records that were there before the run. */
  readonly seen: readonly string[]
  /** Sentences about what they leave in doubt. */
  readonly doubts: readonly string[]
}

/** Two reads that change nothing: what is wrong with only one of them is a matter for the checks. */
const reads: readonly (readonly [OperationId, Input])[] = [
  ['listTemplates', { query: { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] } }],
  ['getConversation', { path: { conversationId: '000000000000000000000000' } }],
]

/**
 * Reads with each key before a run begins. Throws `CannotRun` when nothing answers there, when it is no such
 * service, or when a key is not accepted: none of these says anything about a promise.
 */
export async function sendFirstRequests(target: Target, send: Send, signal?: AbortSignal): Promise<FirstAnswers> {
  const { credentials } = target
  if (credentials.team && credentials.otherTeam?.reveal() === credentials.team.reveal())
    throw new CannotRun(`${variables.otherTeam} holds the same key as ${variables.team}: it must be of another team.`)
  const proxy = variableFor(target.origin, process.env)
  const through = proxy === undefined ? '' : ` through the proxy in ${proxy}`
  const stop = new Stop(target)
  const interrupt = () => {
    stop.now('the run was interrupted')
  }
  signal?.addEventListener('abort', interrupt)
  const read = createReader(target, new PatientSend(send, target, stop))
  try {
    const records = recordsIn(await checkTeam(target, read))
    const team = records.map(({ teamId }) => teamId).find((id) => typeof id === 'string')
    if (credentials.otherTeam) await checkOther(target, 'otherTeam', read)
    const doubts = await checkTokens(target, read)
    if (stop.stopped) throw new CannotRun(`${capitalize(stop.stopped.reason)}.`)
    const seen = records.map(({ _id }) => _id).filter((id) => typeof id === 'string')
    return { seen, doubts, ...(team === undefined ? {} : { team: redactorFor(target)(team) }) }
  } catch (error) {
    if (error instanceof Unanswered)
      throw new CannotRun(`${target.origin} cannot be reached${through}: ${redactorFor(target)(error.message)}.`)
    throw error instanceof NotAllowed ? new CannotRun(`${capitalize(error.message)}.`) : error
  } finally {
    signal?.removeEventListener('abort', interrupt)
  }
}

type Read = (who: Who, index: number) => Promise<Incoming>

function createReader({ origin, credentials, headers: own }: Target, patient: PatientSend): Read {
  return async (who, index) => {
    const [operation, input] = reads[index] ?? ['listTemplates', {}]
    const { headers, ...request } = await createRequest(origin, operation, input)
    const credential = credentialHeader(who, () => credentials[who]?.reveal() ?? '')
    return patient.send({
      ...request,
      headers: { ...own, ...headers, ...Object.fromEntries(credential ? [credential] : []) },
    })
  }
}

/** The answers to both reads, the second of which is only sent when something is wrong with the first. */
async function checkTeam(target: Target, read: Read): Promise<Incoming | undefined> {
  const first = await readWhole(read, 'team', 0)
  if (isWhole(first) && problemWith(first, target, 'team') === undefined) return first
  const second = await readWhole(read, 'team', 1)
  if (isWhole(first) && isWhole(second)) {
    const problem = problemWith(second, target, 'team')
    if (problem !== undefined) throw new CannotRun(problem)
    return first
  }
  for (const answer of [first, second]) if (isWhole(answer) || answer.message === brokenOff) return undefined
  throw new CannotRun(`${target.origin} gives no answers that can be read: ${(second as Unanswered).message}.`)
}

const isWhole = (answer: Incoming | Unanswered): answer is Incoming => !(answer instanceof Unanswered)

/** That an answer broke off is for the checks to say. */
async function readWhole(read: Read, who: Who, index: number): Promise<Incoming | Unanswered> {
  try {
    return await read(who, index)
  } catch (error) {
    if (error instanceof Unanswered && error.isCut) return error
    throw error
  }
}

function problemWith(incoming: Incoming, target: Target, who: Who): string | undefined {
  const { origin } = target
  const { status, headers } = incoming
  const redact = redactorFor(target)
  if (status === 401 || status === 403) return refusal(incoming, target, who)
  const { message } = new Answer('listTemplates', status, incoming.text)
  if (status === 400 && message.startsWith('This sandbox is not called '))
    return `${redact(oneLine(message)).slice(0, 300)}.`
  const { location } = headers
  if (status >= 300 && status < 400 && typeof location === 'string')
    return `${origin} redirects to ${adviceOn(location, origin, redact)}.`
  const { body } = new Answer('listTemplates', status, incoming.text)
  if (status !== 429 && body === undefined)
    return `${origin} answers ${status}, but not with JSON: it may not be the service at all.`
  if (status !== 429 && (typeof body !== 'object' || body === null || Array.isArray(body)))
    return `${origin} answers ${status}, but not with an object of JSON: it may not be the service at all.`
  return undefined
}

function refusal({ status, text }: Incoming, target: Target, who: Who): string {
  const { message } = new Answer('listTemplates', status, text)
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

async function checkOther(target: Target, who: Who, read: Read): Promise<void> {
  const refused = await refusalOf(who, read)
  if (refused) throw new CannotRun(refusal(refused, target, who))
}

/**
 * Which routes take a token is left open, and perhaps none does. A service that takes one of two tokens takes tokens, so
 * the other one is wrong; when it takes neither, or there is only one, it cannot be told which of the two is the case.
 */
async function checkTokens(target: Target, read: Read): Promise<string[]> {
  const tokens = (['admin', 'agent'] as const).filter((who) => target.credentials[who])
  const refused: (readonly [Who, Incoming])[] = []
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
async function refusalOf(who: Who, read: Read): Promise<Incoming | undefined> {
  let last: Incoming | undefined
  for (const index of reads.keys()) {
    last = await read(who, index).catch((error: unknown) => {
      if (!(error instanceof Unanswered)) throw error
      return undefined
    })
    if (last?.status !== 401) return undefined
  }
  return last
}

function recordsIn(incoming: Incoming | undefined): Fields[] {
  if (!incoming) return []
  const { fields } = new Answer('listTemplates', incoming.status, incoming.text)
  return [fields.data].flat().map(fieldsOf)
}
