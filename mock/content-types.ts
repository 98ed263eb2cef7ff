import type { IncomingHttpHeaders } from 'node:http'
import type { Assumed } from '../spec/assumed.ts'
import type { ByChoice } from '../spec/assumptions.ts'
import { refuse } from './replies.ts'

/**
 * Holds the request to the content types of its operation, before a body is read. What is accepted is written back in
 * its plainest form, so that the reader of the body cannot understand it otherwise.
 */
export function checkContentType(
  headers: IncomingHttpHeaders,
  contentTypes: readonly string[],
  assumed: Assumed,
): void {
  if (contentTypes.length === 0) return
  const sent = headers['content-type']
  if (sent === undefined) return missingContentType[assumed.missingContentType](headers)
  const [essence = '', ...parameters] = sent.split(';').map((part) => part.trim())
  const contentType = contentTypes.find((known) => known === essence.toLowerCase())
  if (contentType === undefined) refuse(`Content-Type must be ${contentTypes.join(' or ')}`)
  if (contentType === json && parameters.some((parameter) => !/^(charset="?utf-8"?)?$/i.test(parameter))) {
    refuse(`Content-Type must be ${json}, with no other charset than utf-8`)
  }
  headers['content-type'] = [contentType, ...(contentType === json ? [] : parameters)].join('; ')
}

const json = 'application/json'

const missingContentType: ByChoice<'missingContentType', (headers: IncomingHttpHeaders) => void> = {
  refused: () => refuse(`send a JSON body, with Content-Type: ${json}`),
  readAsJson: (headers) => {
    headers['content-type'] = json
  },
}
