import { parseJson } from '../../lib/json.ts'
import type { SeenRequest } from '../http/journal/seen.ts'

/** The requests as HAR, the format of browsers for recorded traffic. A long body is left out: only its beginning is kept. */
export function asHar(requests: readonly SeenRequest[], base: string, version: string): string {
  const entries = requests.filter(({ method }) => method !== '').map((request) => entryOf(request, base))
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'crm-sandbox', version }, entries } }, null, 1)
}

const json = 'application/json'

function entryOf({ at, ms, method, url, status, sent, answered }: SeenRequest, base: string) {
  const [body, answer] = [textOf(sent), textOf(answered)]
  const sizeOf = ({ cut }: SeenRequest['sent'], text = '') => cut?.length ?? new TextEncoder().encode(text).length
  const mimeType = sent.headers['content-type'] ?? ''
  // Of a response, the journal has only the headers with marks.
  const headers = { ...answered.headers, ...(typeof answered.body === 'object' && { 'content-type': json }) }
  // Joined, since a path may begin with two slashes, or be the target of a proxy.
  const whole = new URL(base.replace(/\/+$/, '') + url.replace(/^(?!\/)/, '/'))
  return {
    startedDateTime: at,
    time: ms,
    request: {
      method,
      url: whole.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: listOf(Object.entries(sent.headers)),
      queryString: listOf(whole.searchParams),
      ...(body !== undefined && { postData: { mimeType, text: body } }),
      headersSize: -1,
      bodySize: sizeOf(sent, body),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: listOf(Object.entries(headers)),
      content: {
        size: sizeOf(answered, answer),
        mimeType: headers['content-type'] ?? '',
        ...(answer !== undefined && { text: answer }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  }
}

const listOf = (pairs: Iterable<readonly [string, string]>) => [...pairs].map(([name, value]) => ({ name, value }))

/** A body that was no JSON is a text. */
function textOf({ body, cut }: SeenRequest['sent']): string | undefined {
  if (body === undefined || cut) return undefined
  return typeof body === 'string' && parseJson(body) === undefined ? body : JSON.stringify(body)
}
