import { quote } from '../shared/printable.ts'
import type { OperationId } from '../spec/types.ts'
import { Answer, type Fields, fieldsOf } from './answer.ts'
import { CannotRun, NotAllowed } from './errors.ts'
import { PatientSend } from './patient-send.ts'
import { redactorFor } from './redaction.ts'
import { createRequest, type Input } from './request.ts'
import { Stop } from './stop.ts'
import { credentialHeader, credentialNames, variables, type Who } from './target/credentials.ts'
import type { Target } from './target/target.ts'
import { type Incoming, type Send, Unanswered } from './transport.ts'

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
    return { seen, doubts, ...(team === undefined ? {} : { team }) }
  } catch (error) {
    if (error instanceof Unanswered) throw new CannotRun(`${target.origin} cannot be reached: ${error.message}.`)
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
  if (first && problemWith(first, target, 'team') === undefined) return first
  const second = await readWhole(read, 'team', 1)
  const problem = second && first && problemWith(second, target, 'team')
  if (problem !== undefined) throw new CannotRun(problem)
  return first
}

/** Nothing when the answer broke off: it is for the checks to say so. */
async function readWhole(read: Read, who: Who, index: number): Promise<Incoming | undefined> {
  try {
    return await read(who, index)
  } catch (error) {
    if (error instanceof Unanswered && error.isCut) return undefined
    throw error
  }
}

function problemWith(incoming: Incoming, target: Target, who: Who): string | undefined {
  const { origin } = target
  const { status, headers } = incoming
  if (status === 401 || status === 403) return refusal(incoming, target, who)
  const { message } = new Answer('listTemplates', status, incoming.text)
  if (status === 400 && message.startsWith('This sandbox is not called ')) return `${message}.`
  const { location } = headers
  if (status >= 300 && status < 400 && typeof location === 'string')
    return `${origin} redirects to ${quote(originOf(location, origin))}: if that is the service, name it with --base-url.`
  if (status !== 429 && new Answer('listTemplates', status, incoming.text).body === undefined)
    return `${origin} answers ${status}, but not with JSON: it may not be the service at all.`
  return undefined
}

function refusal({ status, text }: Incoming, target: Target, who: Who): string {
  const { message } = new Answer('listTemplates', status, text)
  const said = message === '' ? '' : ` ${quote(redactorFor(target)(message))}`
  return `${target.origin} does not accept ${credentialNames[who]} (${status}${said}): check ${variables[who]}.`
}

const originOf = (location: string, origin: string) =>
  URL.canParse(location, origin) ? new URL(location, origin).origin : location

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

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
