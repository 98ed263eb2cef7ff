import { operations } from '../spec/operations.ts'
import type { OperationId } from '../spec/types.ts'
import type { As } from './exchange.ts'
import type { Outgoing } from './transport.ts'

/** What is asked of an operation. */
export interface Asked {
  /** Parameters of the path, by name. */
  readonly path?: Readonly<Record<string, string>>
  /** Parameters of the query; a list is a parameter that is repeated. */
  readonly query?: Readonly<Record<string, string | number | readonly (string | number)[]>>
  /** A body of JSON. */
  readonly body?: unknown
  /** A body that is sent as it stands, instead. */
  readonly text?: string
  /** A body of multipart/form-data, instead. */
  readonly form?: FormData
  /** Of a JSON body or of a text; JSON says that it is JSON unless this says otherwise. */
  readonly contentType?: string
  /** An Idempotency-Key; `null` for none, where the client would send one of its own. */
  readonly key?: string | null
  /** Whose credential is sent; the team's key unless this says otherwise. */
  readonly who?: As
}

/** The request that asks it, without a credential. */
export async function requestFor(origin: string, operation: OperationId, asked: Asked): Promise<Outgoing> {
  const { path, method } = operations[operation]
  const { body, contentType } = await bodyOf(asked)
  return {
    method: method.toUpperCase(),
    url: `${origin}${filledIn(path, asked.path ?? {})}${queryOf(asked.query ?? {})}`,
    headers: {
      accept: 'application/json',
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(typeof asked.key !== 'string' ? {} : { 'idempotency-key': asked.key }),
    },
    ...(body ? { body } : {}),
  }
}

async function bodyOf({ body, text, form, contentType }: Asked): Promise<{ body?: Buffer; contentType?: string }> {
  if (form) {
    const written = new Response(form)
    return { body: Buffer.from(await written.arrayBuffer()), contentType: written.headers.get('content-type') ?? '' }
  }
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  return content === undefined ? {} : { body: Buffer.from(content), contentType: contentType ?? 'application/json' }
}

function filledIn(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined) throw new TypeError(`${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}

function queryOf(query: NonNullable<Asked['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}
