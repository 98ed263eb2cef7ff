import type { IncomingHttpHeaders } from 'node:http'
import { type Redactor, withoutSecretFields } from '../../lib/redactor.ts'
import { parseJson } from '../../lib/parse-json.ts'
import type { Choices } from './choices.ts'
import type { AnswerFault } from '../judge/laws/document.ts'
import type { Statement } from '../judge/laws/law.ts'
import { Judge } from '../judge/judge.ts'
import { isAboutHttp } from '../judge/laws/document.ts'
import type { Observations } from './observations.ts'
import type { Observe } from './proxy.ts'
import type { Recorder } from './record.ts'
import { parseRequest } from '../judge/parse-request.ts'

export interface ObserverOptions {
  readonly observations: Observations
  readonly redactor: Redactor
  /** Refuses a bad request. */
  readonly isBlocking: boolean
  /** Adds the bodies of an exchange to its findings. */
  readonly showsBodies: boolean
  /** Collects the records that responses show. */
  readonly recorder?: Pick<Recorder, 'add'> | undefined
  /** Collects the choices that exchanges settle. */
  readonly choices?: Choices | undefined
}

/** Judges each exchange that passes through the proxy. */
export function createObserver({
  observations,
  redactor,
  isBlocking,
  showsBodies,
  recorder,
  choices,
}: ObserverOptions): Observe {
  const judge = new Judge({ isAlone: false, hidesText: true })
  const secrets = new Set<string>()
  return (passing) => {
    for (const secret of secretsIn(passing.headers)) {
      if (!secrets.has(secret)) redactor.add([secret])
      secrets.add(secret)
    }
    const request = parseRequest(passing)
    const open = request && judge.begin(request)
    // Without the query, which may name a person.
    const name = request?.operation ?? `${passing.method} ${passing.url.split('?')[0] ?? ''}`
    if (request?.complaint) observations.addBadRequest(request.operation, request.complaint.sentence)
    if (request?.unread) observations.addUnjudged(request.operation, request.unread)
    for (const sentence of request?.ignored ?? []) observations.addIgnored(sentence)
    return {
      refusal: isBlocking ? request?.complaint?.sentence : undefined,
      onResponse({ status, headers, ...read }) {
        if (!request || !open) {
          if (passing.method !== 'GET') {
            judge.forget()
            choices?.forget()
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
        const { answer, statements, unlisted, repeatsKey } = judge.end(open, { status, headers, text })
        recorder?.add(request, answer)
        choices?.add(request, answer, repeatsKey)
        const sent = passing.bytes?.toString() ?? ''
        const bodies = showsBodies ? [`sent: ${sent}`, `response: ${text}`].map(withoutSecretFields) : undefined
        const faults = statements.filter(({ holds }) => !holds).map(withoutValues)
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

/** The credentials of a request. */
function secretsIn({ 'x-api-key': key, authorization = '', cookie = '' }: IncomingHttpHeaders): string[] {
  const cookies = cookie.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
  return [key ?? [], authorization, authorization.replace(/^\S+\s+/, ''), cookies].flat()
}

/** A report about the traffic of others repeats no value: each text and each number becomes the name of its type. */
function withoutValues({ promise, expected, actual, field, since }: Statement): AnswerFault {
  if (field !== undefined) {
    const isMissing = actual === 'nothing'
    return {
      promise,
      expected: `${field} as it was${since === undefined ? ' sent' : ''}`,
      actual: isMissing ? `no ${field}` : 'another value',
    }
  }
  const data = parseJson(actual)
  if (typeof data !== 'object' && typeof data !== 'string') return { promise, expected, actual }
  const replace = (_: string, value: unknown) =>
    typeof value === 'string' ? 'a text (hidden)' : typeof value === 'number' ? 'a number (hidden)' : value
  return { promise, expected, actual: JSON.stringify(data, replace).replaceAll(/"(a \w+ \(hidden\))"/g, '$1') }
}
