import { quoteForShell } from '../../lib/text.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Input } from './request.ts'
import { type Caller, credentialHeader, variables } from './target/credentials.ts'
import type { Incoming, Outgoing } from './transport.ts'

/** A request without its credential, and the answer if one came. */
export interface Exchange {
  readonly operation: OperationId
  readonly caller: Caller
  readonly input: Input
  readonly request: Outgoing
  readonly incoming?: Incoming
}

/** The request as a line for a shell, with variables for credentials. A form is piped in base64: it may contain a file. */
export function toCurl({
  request: { method, url, headers, body },
  caller,
}: Pick<Exchange, 'request' | 'caller'>): string {
  const credential = credentialHeader(caller, (who) => `$${variables[who]}`)
  const isForm = headers['content-type']?.startsWith('multipart/') === true
  const content = isForm ? '@-' : quoteForShell(body?.toString() ?? '')
  const command = [
    `curl -sS -X ${method} ${quoteForShell(url)}`,
    ...(credential ? [`-H ${quoteWithVariables(credential.join(': '))}`] : []),
    ...Object.entries(headers).map((header) => `-H ${quoteForShell(header.join(': '))}`),
    ...(body ? [`--data-binary ${content}`] : []),
  ].join(' ')
  return isForm && body ? `printf %s ${body.toString('base64')} | base64 -d | ${command}` : command
}

/** In double quotes, so that the shell replaces our variables and nothing else. */
const quoteWithVariables = (text: string) => `"${text.replace(/["\\`]|\$(?!CRM_)/g, '\\$&')}"`
