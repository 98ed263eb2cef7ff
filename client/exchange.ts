import type { OperationId } from '../spec/types.ts'
import { type Caller, credentialHeader, variables } from './target/credentials.ts'
import type { Incoming, Outgoing } from './transport.ts'

/** A request without its credential, and the answer if there was one. */
export interface Exchange {
  readonly operation: OperationId
  readonly caller: Caller
  readonly request: Outgoing
  readonly incoming?: Incoming
}

/** The request as a line for a shell, with credentials as variables. */
export function toCurl({ request, caller }: Exchange): string {
  const { method, url, headers, body } = request
  const credential = credentialHeader(caller, (who) => `$${variables[who]}`)
  return [
    `curl -sS -X ${method} ${quoteForShell(url)}`,
    ...(credential ? [`-H ${quoteWithVariables(credential.join(': '))}`] : []),
    ...Object.entries(headers).map((header) => `-H ${quoteForShell(header.join(': '))}`),
    ...(body ? [`--data-binary ${body.includes(0) ? '@form' : quoteForShell(body.toString())}`] : []),
  ].join(' ')
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** In double quotes, so that the shell fills in our variables and nothing else. */
const quoteWithVariables = (text: string) => `"${text.replace(/["\\`]|\$(?!CRM_)/g, '\\$&')}"`
