import { operations } from '../spec/operations.ts'
import type { OperationId } from '../spec/types.ts'
import type { Caller } from './target/credentials.ts'
import type { Outgoing } from './transport.ts'

/** What an operation is called with. */
export interface Input {
  /** Parameters of the path, by name. */
  readonly path?: Readonly<Record<string, string>>
  /** Parameters of the query; a list is a parameter that is repeated. */
  readonly query?: Readonly<Record<string, string | number | readonly (string | number)[]>>
  /** A body of JSON. */
  readonly body?: unknown
  /** A body that is sent as it is, instead. */
  readonly text?: string
  /** A body of multipart/form-data, instead. */
  readonly form?: FormData
  /** Of a JSON body or of a text; `application/json` by default, and none with `null`. */
  readonly contentType?: string | null
  /** An Idempotency-Key; `null` for none, where the client would send one of its own. */
  readonly key?: string | null
  /** Whose credential is sent; the team's key by default. */
  readonly caller?: Caller
  /** A second credential, beside that of the caller. */
  readonly also?: Caller
  /** Asks at the path with a slash at its end. */
  readonly hasSlash?: true
  /** Asks with a method that the path does not have. */
  readonly method?: 'GET'
}

/** The request for it, without a credential. */
export async function createRequest(origin: string, operation: OperationId, input: Input): Promise<Outgoing> {
  const { path, method } = operations[operation]
  const { body, contentType } = await encodeBody(input)
  return {
    method: input.method ?? method.toUpperCase(),
    url: `${origin}${fillIn(path, input.path ?? {})}${input.hasSlash ? '/' : ''}${encodeQuery(input.query ?? {})}`,
    headers: {
      accept: 'application/json',
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(typeof input.key !== 'string' ? {} : { 'idempotency-key': input.key }),
    },
    ...(body ? { body } : {}),
  }
}

async function encodeBody({
  body,
  text,
  form,
  contentType = 'application/json',
}: Input): Promise<{ body?: Buffer; contentType?: string }> {
  if (form) {
    const encoded = new Response(form)
    return { body: Buffer.from(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' }
  }
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  if (content === undefined) return {}
  return { body: Buffer.from(content), ...(contentType === null ? {} : { contentType }) }
}

function fillIn(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined) throw new TypeError(`${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}

function encodeQuery(query: NonNullable<Input['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}
