import type { IncomingHttpHeaders } from 'node:http'
import { type Redactor, withoutSecretFields } from '../../lib/redactor.ts'
import type { Choices } from './choices.ts'
import { isAboutHttp, judge, Retries, Traffic } from './judge.ts'
import type { Observations } from './observations.ts'
import type { Observe } from './proxy.ts'
import type { Recorder } from './record.ts'
import { parseRequest } from './request.ts'

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
  const retries = new Retries()
  const traffic = new Traffic()
  const secrets = new Set<string>()
  return (passing) => {
    for (const secret of secretsIn(passing.headers)) {
      if (!secrets.has(secret)) redactor.add([secret])
      secrets.add(secret)
    }
    const request = parseRequest(passing)
    const earlier = request && traffic.start(request)
    // Without the query, which may name a person.
    const name = request?.operation ?? `${passing.method} ${passing.url.split('?')[0] ?? ''}`
    if (request?.complaint) observations.addBadRequest(request.operation, request.complaint.sentence)
    if (request?.unread) observations.addUnjudged(request.operation, request.unread)
    for (const sentence of request?.ignored ?? []) observations.addIgnored(sentence)
    return {
      refusal: isBlocking ? request?.complaint?.sentence : undefined,
      onResponse({ status, headers, ...read }) {
        if (!request || !earlier) {
          if (passing.method !== 'GET') {
            retries.forget()
            traffic.forget()
            choices?.forget()
          }
          observations.addUnjudged(name, 'undocumented')
          return
        }
        if ('unread' in read || isAboutHttp(status)) {
          observations.addUnjudged(name, 'unread' in read ? read.unread : 'http')
          return
        }
        const { text } = read
        const { answer, faults, unlisted } = judge(request, { status, headers, text }, earlier)
        traffic.add(request, answer, earlier)
        recorder?.add(request, answer)
        choices?.add(request, answer, earlier)
        const sent = passing.bytes?.toString() ?? ''
        const bodies = showsBodies ? [`sent: ${sent}`, `response: ${text}`].map(withoutSecretFields) : undefined
        observations.addResponse(request.operation, status, [...faults, ...retries.judge(request, answer)], bodies)
        observations.addUndocumentedFields(request.operation, unlisted)
      },
      onNoAnswer(reason) {
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
