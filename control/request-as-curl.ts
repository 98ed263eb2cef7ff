import { bodyOf, encodeUnseen, headersToRepeat, type Credential } from './request-to-repeat.ts'
import type { SeenRequest } from './requests.ts'
import { quoteForShell } from '../shared/quote-for-shell.ts'

/** A line for a shell that sends the same request. The credential is read from a variable. */
export function asCurl(request: SeenRequest, base: string): string {
  const { method, url } = request
  const { headers, credential } = headersToRepeat(request)
  const body = bodyOf(request)
  const words = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoteForShell(base.replace(/\/+$/, '') + encodeUnseen(url))}`,
    ...(credential === undefined ? [] : [`-H ${variables[credential]}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ]
  return words.join(' \\\n  ')
}

/** In double quotes, so that the shell fills in the variable. */
const variables: Readonly<Record<Credential, string>> = {
  key: '"x-api-key: $CRM_API_KEY"',
  token: '"authorization: Bearer $CRM_TOKEN"',
}
