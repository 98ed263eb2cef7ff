import type { OperationId } from '../spec/types.ts'
import type { Incoming, Outgoing } from './transport.ts'
import { variables, type Who } from './target/target.ts'

/** A request and what came of it, without its credential. */
export interface Exchange {
  readonly operation: OperationId
  readonly who: As
  readonly request: Outgoing
  readonly answer?: Pick<Incoming, 'status' | 'text'>
}

/** Whose credential a request carries, or which one that opens nothing, or none. */
export type As = Who | 'nobody' | { readonly key: string } | { readonly token: string }

/** The header that says who asks, when somebody does; what is a secret stands in it as `reveal` says. */
export function credentialOf(who: As, reveal: (who: Who) => string): readonly [string, string] | undefined {
  if (who === 'nobody') return undefined
  if (typeof who !== 'string') return 'key' in who ? ['x-api-key', who.key] : ['authorization', `Bearer ${who.token}`]
  return who === 'team' || who === 'otherTeam' ? ['x-api-key', reveal(who)] : ['authorization', `Bearer ${reveal(who)}`]
}

/** The request as a line for a shell, with credentials as variables. */
export function curlOf({ request, who }: Exchange): string {
  const { method, url, headers, body } = request
  const credential = credentialOf(who, (known) => `$${variables[known]}`)
  return [
    `curl -sS -X ${method} ${quoted(url)}`,
    ...(credential ? [`-H ${expanded(credential.join(': '))}`] : []),
    ...Object.entries(headers).map((header) => `-H ${quoted(header.join(': '))}`),
    ...(body ? [`--data-binary ${body.includes(0) ? '@form' : quoted(body.toString())}`] : []),
  ].join(' ')
}

/** Nothing in it means anything to a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The same, but that a variable is filled in. */
const expanded = (text: string) => `"${text.replace(/["\\`]|\$(?!CRM_)/g, '\\$&')}"`
