import type { IncomingHttpHeaders } from 'node:http'
import { type LatestSecrets, withoutSecretFields } from '../../lib/redactor.ts'
import { parseJson } from '../../lib/json.ts'
import { type Answer, fieldsOf } from '../client/answer.ts'
import type { Choices } from './choices.ts'
import type { AnswerFault } from '../judge/laws/document.ts'
import type { Statement } from '../judge/laws/law.ts'
import { Judge, type OnSeen } from '../judge/judge.ts'
import { isAboutHttp } from '../judge/laws/document.ts'
import type { Observations } from './observations.ts'
import type { Observe } from './proxy.ts'
import type { Recorder } from './record.ts'
import { type ParsedRequest, parseRequest } from '../judge/parse-request.ts'

export interface ObserverOptions {
  readonly observations: Observations
  readonly secrets: LatestSecrets
  /** Refuses a bad request. */
  readonly isBlocking: boolean
  /** The traffic is all that happens to its records. */
  readonly isAlone?: boolean
  /** Adds the bodies of an exchange to its findings. */
  readonly showsBodies: boolean
  /** Collects the records that responses show. */
  readonly recorder?: Pick<Recorder, 'add'> | undefined
  /** Collects the choices that exchanges settle. */
  readonly choices?: Choices | undefined
}

/** A read may show an older value for so long after a write, in milliseconds: no promise says when it shows the write. */
const longestLag = 2_000

/** Judges each exchange that passes through the proxy. */
export function createObserver({
  observations,
  secrets,
  isBlocking,
  isAlone = false,
  showsBodies,
  recorder,
  choices,
}: ObserverOptions): Observe {
  const onSeen: OnSeen = (seen, facts) => choices?.add(seen, facts)
  const judge = new Judge({ isAlone, hidesText: true, onSeen })
  // For a credential of an unknown team.
  const other = new Judge({ isAlone: false, hidesText: true, onSeen })
  const teams = new Teams()
  let wroteAt = -Infinity
  return (passing) => {
    const maySeeOlder = passing.at < wroteAt + longestLag
    if (passing.method !== 'GET') wroteAt = Math.max(wroteAt, passing.at)
    for (const secret of secretsIn(passing.headers)) secrets.add(secret)
    const parsed = parseRequest(passing)
    const caller = isAlone && parsed ? teams.callerFor(parsed) : parsed?.caller
    const request = parsed && { ...parsed, caller: caller ?? parsed.caller, role: parsed.caller }
    const open = request && judge.begin(request)
    // Without the query, which may name a person.
    const name = request?.operation ?? `${passing.method} ${passing.url.split('?')[0] ?? ''}`
    if (request?.complaint) observations.addBadRequest(request.operation, request.complaint.sentence)
    if (request?.unread) observations.addUnjudged(request.operation, request.unread)
    for (const sentence of request?.ignored ?? []) observations.addIgnored(sentence)
    return {
      refusal: isBlocking ? request?.complaint?.sentence : undefined,
      onResponse({ status, headers, ...read }) {
        if (!parsed || !request || !open) {
          if (passing.method !== 'GET') {
            judge.forget()
            other.forget()
          }
          observations.addUnjudged(name, 'undocumented')
          return
        }
        if ('unread' in read || isAboutHttp(status)) {
          judge.lose(open)
          observations.addUnjudged(name, 'unread' in read ? read.unread : 'http')
          return
        }
        const { text } = read
        const isKnown = caller !== undefined || !request.isAuthenticated || status === 401
        if (!isKnown) judge.lose(open)
        const { answer, statements, unlisted } = isKnown
          ? judge.end(open, { status, headers, text })
          : other.end(other.begin(request), { status, headers, text })
        if (answer.succeeded) teams.note(parsed, answer)
        recorder?.add(parsed, answer)
        const sent = passing.bytes?.toString() ?? ''
        const bodies = showsBodies ? [`sent: ${sent}`, `response: ${text}`].map(withoutSecretFields) : undefined
        const faults = statements
          .filter(({ holds, mayLag = false }) => !holds && !(mayLag && maySeeOlder))
          .map((fault) => withoutValues(fault, answer.message))
        observations.addResponse(request.operation, status, faults, bodies)
        observations.addUndocumentedFields(request.operation, unlisted)
      },
      onNoAnswer(reason) {
        if (open) judge.lose(open)
        observations.addMissingResponse(name, reason)
      },
    }
  }
}

/** Finds the credentials of one team by the records in their answers. The first credential identifies the team. */
class Teams {
  readonly #callers = new Map<string, string>()
  readonly #ofTeams = new Map<unknown, string>()

  /** `undefined` until the team of a second credential is known. */
  callerFor({ caller, isAuthenticated }: ParsedRequest): string | undefined {
    if (isAuthenticated && this.#callers.size === 0) this.#callers.set(caller, caller)
    return this.#callers.get(caller)
  }

  note({ caller }: ParsedRequest, { fields }: Answer): void {
    const { teamId } = fieldsOf([fields.data].flat()[0])
    const isFirst = this.#callers.has(caller)
    if (typeof teamId !== 'string' || isFirst === this.#ofTeams.size > 0) return
    this.#ofTeams.set(teamId, this.#ofTeams.get(teamId) ?? caller)
    this.#callers.set(caller, this.#ofTeams.get(teamId) ?? caller)
  }
}

/** The credentials of a request. */
function secretsIn({ 'x-api-key': key, authorization = '', cookie = '' }: IncomingHttpHeaders): string[] {
  const cookies = cookie.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
  return [key ?? [], authorization, authorization.replace(/^\S+\s+/, ''), cookies].flat()
}

/** A report about the traffic of others repeats no value: each text and each number becomes the name of its type. */
function withoutValues({ promise, expected, actual, field, since }: Statement, message: string): AnswerFault {
  if (field !== undefined) {
    const isMissing = actual === 'nothing'
    return {
      promise,
      expected: `${field} as it was${since === undefined ? ' sent' : ''}`,
      actual: isMissing ? `no ${field}` : 'another value',
    }
  }
  const data = parseJson(actual)
  if (typeof data !== 'object' && typeof data !== 'string')
    return { promise, expected, actual: message === '' ? actual : actual.replace(message, '…') }
  // For a missing field, `actual` has all of the body.
  if (/^[\w.[\]]+$/.test(expected)) return { promise, expected, actual: `no ${expected}` }
  const replace = (_: string, value: unknown) =>
    typeof value === 'string' ? 'a text (hidden)' : typeof value === 'number' ? 'a number (hidden)' : value
  return { promise, expected, actual: JSON.stringify(data, replace).replaceAll(/"(a \w+ \(hidden\))"/g, '$1') }
}
